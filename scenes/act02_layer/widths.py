"""How wide q, k and v are, from the matrix that makes them, and the order of attention's steps."""

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, Rectangle, TransformFromCopy, VGroup

from scenes.act02_layer.thread import look
from scenes.kit import BODY, LEAD, AttentionFlow, Label, Node, Part, ScaleBar, mix
from scenes.kit import number, paint, px
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["the_order", "the_widths"]

UNIT = 0.345  # px that one number is wide or high: the matrix fills the stage


@beat(anchors=("models/qwen3.py:36", "models/qwen3.py:37"), carries="stream")
def the_widths(act: Act) -> None:
    # The token stands upright beside the matrix, to scale: each number meets one row of it.
    w, room = act.story.widths, look(act, "qkv").room
    matrix = _heads(act, UNIT * w.hidden).move_to(room.at(0, -66, UP + RIGHT), UP + RIGHT)
    result = _heads(act, 72, True).next_to(matrix.boxes, DOWN, buff=px(20))
    token = _block(74, UNIT * w.hidden, "ra").next_to(matrix.boxes, LEFT, buff=px(20))
    size = number(f"{w.hidden:,}", 36, weight="semibold").next_to(token, LEFT, buff=px(20))
    name = number("qkv_proj", 40, weight="semibold").next_to(matrix.boxes, UP, buff=px(14))
    act.move(FadeIn(token, target_position=act.kept.stream.boxes["qkv"]), pace=BRISK)
    act.cue("bar")
    act.move(size, pace=QUICK)
    act.cue("matrix")
    act.move(matrix.boxes, name, pace=SLOW)
    # The columns of one head: how many is the model's choice.
    column = _block(UNIT * w.head_dim, UNIT * w.hidden, "focus").align_to(matrix.boxes, LEFT + UP)
    act.cue("head")
    wide = number(w.head_dim, 38, weight="bold").next_to(column, UP, buff=px(16))
    act.move(column, wide, FadeOut(name), pace=EASY)
    even = Label(act.label("even"), LEAD, "focus").next_to(column, RIGHT, buff=px(40))
    act.cue("even")
    half = column.copy().stretch(w.hidden / w.query_heads / w.head_dim, 0, about_edge=LEFT)
    act.move(TransformFromCopy(column, half.set_fill(paint("focus"))), even, pace=SLOW)
    _results(act, matrix, result, token, [column, wide, half, even])


def _results(act: Act, matrix: ScaleBar, result: ScaleBar, token: Rectangle, stale: list) -> None:
    # All query heads side by side make q; the token lies down below it to be compared.
    w, (q, k, v) = act.story.widths, result.boxes
    heads = [Label(act.label("heads_of", n=n), LEAD, role).next_to(box, UP, buff=px(16))
             for n, role, box in zip((w.query_heads, w.kv_heads, w.kv_heads), "qkv", matrix.boxes)]
    act.cue("heads")
    cuts = w.query_heads - 1
    act.move(map(FadeOut, stale), heads[0],
             matrix.cuts[:cuts], pace=BRISK)
    act.move(TransformFromCopy(matrix.boxes[0], q), pace=BRISK)
    act.move(result.labels[0], pace=QUICK)
    lying = _block(UNIT * w.hidden, 44, "ra").next_to(q, DOWN, buff=px(14)).align_to(q, LEFT)
    act.cue("twice")
    act.move(TransformFromCopy(token, lying), pace=EASY)
    act.move(number(f"{w.hidden:,}", 30).move_to(lying), pace=QUICK)
    act.cue("kv")
    act.move(heads[1:], matrix.cuts[cuts:], pace=QUICK)
    act.move(TransformFromCopy(matrix.boxes[1], k), TransformFromCopy(matrix.boxes[2], v),
             pace=SLOW)
    act.move(result.labels[1:], pace=QUICK)
    # Only as wide as the token can a result be added to it.
    act.cue("back")
    way = number(f"{w.q:,} → o_proj → {w.hidden:,}", 36, weight="semibold")
    way.next_to(VGroup(k, v), DOWN, buff=px(20))
    act.move(act.kept.stream.look("o"), FadeIn(way, shift=DOWN * px(12)), pace=EASY)


def _block(width: float, height: float, role: str) -> Rectangle:
    return Rectangle(width=px(width), height=px(height), stroke_width=3, stroke_color=paint(role),
                     fill_color=mix(role, 0.3), fill_opacity=1)


def _heads(act: Act, height: float, written: bool = False) -> ScaleBar:
    """The heads of q, k and v side by side: columns of the matrix, or the row that they make."""
    w = act.story.widths
    return ScaleBar([Part(wide, role, f"{role} {wide:,}" if written else "", heads)
                     for role, wide, heads in (("q", w.q, w.query_heads), ("k", w.kv, w.kv_heads),
                                               ("v", w.kv, w.kv_heads))], UNIT, height, 36)


@beat(anchors="models/qwen3.py:83", carries="stream")
def the_order(act: Act) -> None:
    # One projection makes q, k and v, which are split into heads.
    room = look(act, "qkv").room
    flow = AttentionFlow(act.story.path, (act.label("attention"), act.label("act_one")),
                         act.label("axes"), 166).shift(room.at(0, 14, LEFT))
    act.move(flow.enter(), pace=BRISK)
    act.cue("project")
    act.move(flow.project(), pace=EASY)
    act.cue("split")
    act.move(flow.split(), pace=SLOW)
    act.move(flow.sizes["axes"], pace=BRISK)
    # q and k are normalised, then rotated; v is neither.
    stream = act.kept.stream
    act.cue("norm")
    _work(act, flow.norms, "qk", stream.look("qk_norm"))
    act.cue("rope")
    act.move(flow.turn(), stream.look("rope"), pace=EASY)
    _work(act, flow.turns, "qk")
    act.cue("v")
    act.move(Label(act.label("v_still"), BODY, "v").move_to(flow.lane("v", 880, 44)), pace=EASY)
    # All three meet in attention, and its heads are mixed.
    act.cue("meet")
    act.move(flow.meet(), stream.look("attend"), pace=BRISK)
    _work(act, [flow.nodes["attention"]], ["muted"])
    act.cue("merge")
    act.move(flow.merge(), stream.look("o"), pace=EASY)


def _work(act: Act, nodes: list[Node], roles: Sequence[str], beside: object = None) -> None:
    """The nodes light up together and calm down again."""
    act.move((node.light() for node in nodes), beside, pace=BRISK)
    act.move((node.calm(role) for node, role in zip(nodes, roles)), pace=QUICK)
