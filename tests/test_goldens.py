"""Golden stills: one of each kit piece, one beat of each act; `pytest --update-golden` redraws.

A failure writes golden-report.html beside the run: wanted, drawn and their difference.
"""

import base64
import io
from pathlib import Path

import numpy as np
import pytest
from manim import DOWN, RIGHT, Camera, VGroup, tempconfig
from manim.animation.animation import prepare_animation
from PIL import Image

from scenes import kit
from scenes.kit.theme import THEMES, current, use
from scenes.stage import act_names
from studio.render.order import Order
from studio.sheet import stills

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


PIECES = {
    "arrow-arc-node": _flow, "board": _board, "frame": _frame, "gauge": _gauge,
    "timeline": _timeline,
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


@pytest.mark.parametrize("name", act_names())
def test_a_beat_of_each_act_looks_as_it_did(name, request):
    order = Order(name, "draft", None, "en", "dark", ())
    planned = order.planned()
    beat = planned.beats[3]
    frame = stills(order, {beat.name: [beat.frames(order.fps) - 1]})[beat.name, beat.frames(30) - 1]
    small = Image.fromarray(frame).convert("RGB").resize(SIZE, Image.LANCZOS)
    compare(f"{name}-{beat.name}", np.asarray(small), request)


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
