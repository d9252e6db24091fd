"""Golden pieces of kit and views: views."""

from manim import VGroup

from scenes import kit
from scenes.geometry import STAGE
from scenes.views import (
    NODES,
    BlockPoolView,
    BlockTableView,
    EngineMap,
    threads,
)
from traces import load


def _recorded(index):
    trace = load("prefix-cache-b4")
    return (trace.steps[index].planned, trace.steps[index].phase == "decode",
            kit.request_roles([request.name for request in trace.workload.requests]))


def _block_pool():
    state, decode, roles = _recorded(7)
    return BlockPoolView(state, roles, queue="free queue", decode=decode)


def _block_table():
    state, decode, roles = _recorded(10)
    return BlockTableView(state, "E", roles["E"], 9, ("logical blocks", "block table"),
                          decode=decode)


def _threads():
    state, decode, roles = _recorded(14)
    above, below = STAGE.rows(3, 4, gap=72)
    pool = BlockPoolView(state, roles, below, decode=decode)
    table = BlockTableView(state, "G", roles["G"], 3, ("blocks", "table"), above, decode)
    return VGroup(pool, table, threads(table, pool))


PIECES = {
    "block-pool": _block_pool,
    "block-table": _block_table,
    "engine-map": lambda: EngineMap({n: n for n in (*NODES, "waiting", "running")}),
    "threads": _threads,
}
