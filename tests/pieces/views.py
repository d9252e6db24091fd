"""Golden pieces of kit and views: views."""

from manim import VGroup
from manim.animation.animation import prepare_animation

from scenes import kit
from scenes.geometry import STAGE
from scenes.views import (
    NODES,
    BlockPoolView,
    BlockTableView,
    CachedToken,
    EngineLoop,
    EngineMap,
    KvCells,
    threads,
)
from traces import load
from traces.journey import Journey


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


def _engine_loop():
    loop = EngineLoop(["who?", "what goes in?", "what comes out?", "which?", "what is known?"])
    return VGroup(loop, loop.outputs(Journey(load("token-journey-romeo")), 0, "12 tokens"))


def _kv_table():
    trace = Journey(load("token-journey-romeo"))
    tokens = map(CachedToken, trace.texts[9:14], trace.ids[9:14], trace.slots[9:14])
    cells = KvCells(list(tokens), 9, ("token", "id", "KV cache", "slot"), "9 before", "no K, V yet")
    for state in trace.states(0):
        for animation in map(prepare_animation, cells.to(state)):
            animation.begin()
            animation.finish()
    return VGroup(cells.shelf, cells.captions, *cells.heads[:4], *cells.stored[:3], cells.empty[3],
                  cells.note)


PIECES = {
    "block-pool": _block_pool,
    "block-table": _block_table,
    "engine-loop": _engine_loop,
    "engine-map": lambda: EngineMap({n: n for n in (*NODES, "waiting", "running")}),
    "kv-table": _kv_table,
    "threads": _threads,
}
