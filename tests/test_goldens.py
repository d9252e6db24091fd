"""Golden stills: one of each kit piece, one of every beat; `pytest --update-golden` redraws.

A failure writes golden-report.html beside the run: wanted, drawn and their difference.
"""

import base64
import io
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from manim import DOWN, RIGHT, Camera, VGroup, tempconfig
from manim.animation.animation import prepare_animation
from PIL import Image

from scenes import kit
from scenes.geometry import STAGE
from scenes.kit.base.theme import THEMES, current, use
from scenes.stage import act_names, load_act
from scenes.views import NODES, BlockPoolView, BlockTableView, EngineMap, threads
from scenes.views.engine_loop import EngineLoop
from scenes.views.kv_cells import CachedToken, KvCells
from studio.render.order import Order
from studio.sheet import stills
from traces.journey import Journey
from traces.trace import load

GOLDEN = Path(__file__).parent / "golden"
SIZE = (320, 180)
LEVEL, SHARE = 24, 0.002  # a pixel differs by more than LEVEL; at most this share may


def _board():
    board = kit.Board({"waiting": "waiting", "running": "running"}, {"A": ("q", 6, 9)}, 900, 3)
    board.show({"waiting": ["A"], "running": []}, {"A": "ccsskk..."})
    return VGroup(board, board.rows["A"])


def _frame():
    frame = kit.Frame(current().name, "Act 04 · The scheduler")
    frame.turn("Only the first request may be cut", "SCALED-DOWN · sched-b6", "engine/x.py:1@b")
    return VGroup(*frame.shown)


def _gauge():
    gauge = kit.Gauge("token budget", 6)
    for animation in map(prepare_animation, gauge.show(4)):
        animation.begin()
        animation.finish()
    return gauge


def _timeline():
    cells = [[kit.Cell("work", "q", "6"), kit.Cell("stall", "q"), kit.Cell("idle")],
             [kit.Cell("wait", "k"), kit.Cell("work", "k", "5"), kit.Cell("work", "k")]]
    return kit.Timeline([("A", "q"), ("B", "k")], cells, ["prefill", "prefill", "decode"], 120, 90)


def _flow():
    nodes = [kit.Node("schedule", "Who goes on?", "q"), kit.Node("run", "", "k", mono=True)]
    row = VGroup(*nodes).arrange(RIGHT, buff=2)
    return VGroup(row, kit.arrow(*nodes), kit.arc(nodes[1].get_top(), nodes[0].get_top(), 0.5))


def _corner():
    return kit.Corner(kit.Grid([[1, 2]], "q"), kit.Grid([[3], [4]], "k"), kit.Grid([[11]], "v"))


def _plane():
    plane = kit.Plane()
    return VGroup(plane, plane.spoke((2, 1), "q", "q"), plane.spoke((-1, 2), "k", "k"))


def _scale():
    parts = [kit.Part(8, "k", "K", 4), kit.Part(2, "v", "V")]
    return VGroup(kit.ScaleBar(parts, 60), kit.Lattice(64, 32)).arrange(DOWN, buff=0.5)


def _kv_cells():
    return kit.KVKey([(slot, slot.value) for slot in kit.Slot])


def _cache_blocks():
    both, one = (("B", "rb"), ("C", "rc")), (("A", "ra"),)
    looks = [kit.BlockLook(), kit.BlockLook(1, 2, 1, owners=one),
             kit.BlockLook(3, 1, decode=True, owners=one),
             kit.BlockLook(4, owners=both, mark="#0", findable=True),
             kit.BlockLook(4, mark="#1", findable=True), kit.BlockLook(4, mark="#12")]
    blocks = (kit.CacheBlock(str(k), 4, 56, look) for k, look in enumerate(looks))
    return VGroup(*blocks).arrange_in_grid(2, 3, buff=0.2)


def _large_block():
    return kit.CacheBlock("7", 256, 24, kit.BlockLook(150, 60, owners=(("D", "rd"),)))


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


def _race_table():
    table = kit.RaceTable(["To", "be"], ["0.7000", "0.3000"], 3, ("speed", "distance", "arrives"),
                          "race 1", "all the rest as one", ["q", "k"])
    for animation in map(prepare_animation, table.race.reset([1.4, 0.3])):
        animation.begin()
        animation.finish()
    rows = [("1.400", "0.7000", "2.00"), ("0.300", "0.3000", "1.00")]
    table.distance_heading(), table.arrival_heading(), table.measure(rows), table.arrive(rows)
    table.win(1, "wins")
    return table


def _cut_bars():
    chart = kit.CutBars(["a", "b", "rest"], [0.5, 0.3, 0.2], ["0.5", "0.3", "0.2"], length=400)
    for animation in map(prepare_animation, chart.cut(2)):
        animation.begin()
        animation.finish()
    return VGroup(chart, chart.line)


def _column():
    chart = kit.Bars([], [3, 1], length=400)
    return VGroup(chart, kit.Column(chart, ["0.75", "0.25"], 560, head=kit.Label("p")))


def _grouped():
    chart = kit.GroupedBars(["a", "b"], ("q", "focus", "v"), 1)
    for bars, values in zip(chart.series, ([0.7, 0.3], [0.6, 0.4], [0.75, 0.25])):
        for animation in map(prepare_animation, bars.to(values)):
            animation.begin()
            animation.finish()
    return chart


def _area():
    xs = np.linspace(0, 6, 40)
    return kit.Area(xs, 3 * np.exp(-xs / 2), 0)


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


def _engine_loop():
    loop = EngineLoop(["who?", "what goes in?", "what comes out?", "which?", "what is known?"])
    return VGroup(loop, loop.outputs(Journey(load("token-journey-romeo")), 0, "12 tokens"))


PIECES = {
    "area": _area, "column": _column, "cut-bars": _cut_bars, "grouped-bars": _grouped,
    "race-table": _race_table, "kv-table": _kv_table, "engine-loop": _engine_loop,
    "kv-layers": lambda: kit.KvLayers(3, 5, "layer"),
    "level-arrow": lambda: VGroup(a := kit.Node("Q", "", "q"), b := kit.Node("K").shift([6, 1, 0]),
                                  kit.level_arrow(a, b)),
    "loop": lambda: kit.Loop([("plan", "who?"), ("run", "what?"), ("keep", "which?")]),
    "named-tensor": lambda: kit.NamedTensor("hidden state", (1, 384), "q"),
    "positions": lambda: kit.Positions(["To", "␣be"]),
    "stack": lambda: kit.Stack([0.5, 0.3, 0.2], ["q", "k", "muted"], 800),
    "arrow-arc-node": _flow, "board": _board, "frame": _frame, "gauge": _gauge,
    "timeline": _timeline,
    "kv-cells": _kv_cells, "cache-blocks": _cache_blocks, "large-block": _large_block,
    "block-pool": _block_pool, "block-table": _block_table, "threads": _threads,
    "id-queue": lambda: kit.IdQueue("free queue", [7, 8, 9, 12], 6, 700),
    "engine-map": lambda: EngineMap({n: n for n in (*NODES, "waiting", "running")}),
    "bars": lambda: kit.Bars(["a", "b"], [3, 1], ["0.75", "0.25"], ["q", "k"], length=400),
    "corner": _corner, "plane": _plane, "scale": _scale,
    "contraction": lambda: kit.Contraction(3, 4, 8, 60),
    "head-tree": lambda: kit.HeadTree([0, 0, 1, 1]),
    "grid-stack": lambda: kit.GridStack(np.arange(8).reshape(2, 2, 2), "q", (120, 90), 44),
    "product-line": lambda: kit.ProductLine([("0", "1"), ("2", "1")], "2", 80, ("q", "k")),
    "token-key": lambda: kit.TokenKey([("k", "known"), ("s", "now"), ("g", "generated")]),
    "chips": lambda: kit.Chips(["To", " be", "\n", " or"], "cskk", size=60, height=120),
    "race": lambda: kit.Race(["a", "b"], [1.2, 3.5], 3, ["q", "k"], length=500),
    "grid": lambda: kit.Grid([[1, 0, -2], [0, 1, 3]], ["q", "k", "v"], (150, 120), 60),
    "hatch": lambda: kit.Hatch(6, 3),
    "formula": lambda: kit.Formula('op("softmax")(frac(Q K^T, sqrt(d))) V', 90),
    "key": lambda: kit.Key([(kit.Cell("idle"), "idle slot"), (kit.Cell("work", "q", "6"), "now")]),
    "remember": lambda: kit.Remember(["Requests join at every step.", "预填充优先。"]),
    "stepper": lambda: kit.Stepper("step"),
    "text": lambda: VGroup(kit.Label("Queue Qgj fi 0.25", 80), kit.number("[1, 3, 4] -> Q", 70),
                           kit.Label("分块预填充：“先算 6 个”", 80, "q")).arrange(DOWN, buff=0.6),
    "title-card": lambda: kit.TitleCard("Act 04", "Who runs next, and how far?", "下一步轮到谁？"),
    "token-strip": lambda: kit.TokenStrip(8, "ccccsskk" + "cks.", "v", 90, 10),
}


def drawn(mobject, theme="dark"):
    """RGB [180, 320, 3] of a mobject on the theme's ground."""
    with tempconfig({"pixel_width": SIZE[0], "pixel_height": SIZE[1]}):
        camera = Camera(background_color=THEMES[theme].ground)
        share = min(12 / mobject.width, 6.5 / mobject.height, 4)
        camera.capture_mobjects([mobject.scale(share).center()])
        return camera.pixel_array[..., :3].copy()


def _inline(pixels):
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return f'<img src="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}">'


def compare(name, pixels, request):
    """Fail when `pixels` differ from the golden still; write the side-by-side page."""
    path = GOLDEN / f"{name}.png"
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(path, optimize=True)
    assert path.exists(), f"no golden still {path.name}: run pytest --update-golden and look at it"
    wanted = np.asarray(Image.open(path).convert("RGB"))
    apart = np.abs(wanted.astype(int) - pixels).max(axis=2)
    share = (apart > LEVEL).mean()
    if share > SHARE:
        difference = np.repeat((np.minimum(apart * 4, 255)).astype("uint8")[..., None], 3, axis=2)
        row = " ".join(_inline(p) for p in (wanted, pixels, difference))
        page = request.config.rootpath / "build" / "golden-report.html"
        page.parent.mkdir(exist_ok=True)
        with page.open("a", encoding="utf-8") as file:
            file.write(f"<h3>{name}: {share:.2%} of the pixels differ</h3>{row}\n")
    assert share <= SHARE, f"{name}: {share:.2%} of the pixels differ, see build/golden-report.html"


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("name", PIECES)
def test_a_kit_piece_looks_as_it_did(name, theme, request):
    use(theme)
    try:
        compare(f"{name}-{theme}", drawn(PIECES[name](), theme), request)
    finally:
        use("dark")


BEATS = [(name, beat) for name in act_names() for beat in load_act(name).beats]


@cache
def last_pictures(name):
    """Beat -> RGB [180, 320, 3] of its last picture, the act played once."""
    order = Order(name, "draft", None, "en", "dark", ())
    wanted = {beat.name: [beat.frames(order.fps) - 1] for beat in order.planned().beats}
    return {beat: np.asarray(Image.fromarray(frame).convert("RGB").resize(SIZE, Image.LANCZOS))
            for (beat, _), frame in stills(order, wanted).items()}


@pytest.mark.parametrize("name, beat", BEATS)
def test_every_beat_ends_as_it_did(name, beat, request):
    compare(f"{name}/{beat}", last_pictures(name)[beat], request)


def test_no_golden_still_is_left_over():
    """A renamed beat or piece takes its still along."""
    wanted = {f"{name}/{beat}" for name, beat in BEATS} | {
        f"{piece}-{theme}" for piece in PIECES for theme in THEMES}
    there = {path.relative_to(GOLDEN).with_suffix("").as_posix() for path in GOLDEN.rglob("*.png")}
    assert there == wanted


def test_the_comparison_sees_one_changed_cell(request):
    use("dark")
    changed = drawn(kit.TokenStrip(8, "cccccskk" + "cks.", "v", 90, 10))
    with pytest.raises(AssertionError, match="pixels differ"):
        compare("token-strip-dark", changed, _Without(request))


class _Without:
    """A request whose options never update the golden stills, with a scratch root."""

    def __init__(self, request):
        self.config = self
        self.rootpath = Path(request.getfixturevalue("tmp_path"))

    def getoption(self, _):
        return False
