"""The widths of one layer's matrices, to scale."""

from manim import DOWN, LEFT, RIGHT, UP, Rectangle, TransformFromCopy, VGroup

from scenes.kit import STAGE, Label, Part, Projection, ScaleBar, mix, paint, px
from scenes.stage import BLINK, EASY, SLOW, Act, beat

__all__ = ["the_widths"]

UNIT = 0.158  # px that one number of a row is wide


@beat(anchors=("models/qwen3.py:36", "models/qwen3.py:42"))
def the_widths(act: Act) -> None:
    # A token's row becomes its q, k and v together.
    qkv, o, gate_up, down = _matrices(act)
    act.move(qkv.enters)
    _project(act, qkv, 27)
    act.next_line()
    # If heads shared the token's width among them, q would be as wide as the token: a ghost bar.
    heads = VGroup(*(Label(act.label(key)) for key in ("heads", "each_wide"))).arrange(
        DOWN, buff=px(22), aligned_edge=LEFT).next_to(qkv.leaves, RIGHT, buff=px(28))
    act.move(heads)
    ghost = Rectangle(width=px(act.story.widths.hidden * UNIT), height=px(20), stroke_width=2.5,
                      stroke_color=paint("stop"), fill_color=mix("stop", 0.3), fill_opacity=1)
    ghost.next_to(qkv.leaves, DOWN, buff=px(12)).align_to(qkv.leaves, LEFT)
    note = Label(act.label("ghost"), role="stop").next_to(ghost, RIGHT, buff=px(24))
    act.move(TransformFromCopy(qkv.enters.boxes[0], ghost), note, pace=SLOW)
    act.next_line()
    # The other matrices: two of them lead back to the token's width.
    for row, feed in ((o, qkv.leaves), (gate_up, None), (down, gate_up.leaves)):
        act.move(row.enter(feed))
        _details(act, row.enters)
        _project(act, row, EASY)


def _matrices(act: Act) -> list[Projection]:
    """A table: what enters a matrix, its name, what leaves it."""
    w = act.story.widths
    token = [Part(w.hidden, "ink", str(w.hidden))]
    kv = [Part(w.kv, role, f"{role} {w.kv}", w.kv_heads) for role in "kv"]
    halves = [Part(w.intermediate, role, f"{name} {w.intermediate}")
              for name, role in (("gate", "d"), ("up", "e"))]
    wide = [Part(w.intermediate, "d", str(w.intermediate))]
    back = act.label("back")
    rows = [("qkv_proj", token, [Part(w.q, "q", f"q {w.q}", w.query_heads), *kv], ""),
            ("o_proj", [Part(w.q, "q", str(w.q), w.query_heads)], token, back),
            ("gate_up_proj", token, halves, ""), ("down_proj", wide, token, back)]
    return [Projection(name, act.label(name), enters, leaves, UNIT, note=note)
            .shift(STAGE.at(w.intermediate * UNIT, -60 - 182 * k, UP + LEFT))
            for k, (name, enters, leaves, note) in enumerate(rows)]


def _project(act: Act, row: Projection, pace: int) -> None:
    act.move(row.project(), pace=pace)
    _details(act, row.leaves)


def _details(act: Act, bar: ScaleBar) -> None:
    act.move(bar.cuts, bar.labels, pace=BLINK)
