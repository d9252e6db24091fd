"""How wide a row is on its way through a layer's matrices, and the order of attention's steps."""

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, Polygon, TransformFromCopy, VGroup

from scenes.act02_layer.thread import look
from scenes.geometry import Region
from scenes.kit import BODY, FIGURE, LEAD, AttentionFlow, Label, Node, Part, ScaleBar, in_turn
from scenes.kit import mix, number, px, ring
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["one_row_through", "the_order", "the_widths"]

UNIT = 0.43  # px that one number of a row is wide: q, k and v together fill the stage
NARROW = 0.136  # the same where two walks stand side by side


@beat(anchors=("models/qwen3.py:36", "models/qwen3.py:37"), carries="stream")
def the_widths(act: Act) -> None:
    # A row of the model, to scale.
    w, room = act.story.widths, look(act, "qkv").room
    token, cut, q, k, v = _bars(act)
    act.cue("bar")
    act.move(FadeIn(token, target_position=act.kept.stream.boxes["qkv"]), pace=VERY_SLOW)
    # Cut for the heads; then every piece is widened.
    act.cue("cut")
    act.move((TransformFromCopy(token.boxes[0], box) for box in cut.boxes), pace=VERY_SLOW)
    act.move(Label(act.label("cut"), LEAD, "muted").next_to(cut, RIGHT, buff=px(40)), pace=QUICK)
    act.cue("widen")
    act.move(in_turn([TransformFromCopy(a, b) for a, b in zip(cut.boxes, q.boxes)], 0.12),
             pace=54)
    name = Label(act.label("widened"), LEAD, "q").next_to(q, DOWN, buff=px(26)).align_to(q, LEFT)
    act.move(name, pace=QUICK)
    # One head, before and after.
    act.cue("match")
    act.move(ring(cut.boxes[0], "focus", 5), ring(q.boxes[0], "focus", 5), pace=EASY)
    act.move(number(w.hidden // w.query_heads, FIGURE).next_to(cut.boxes[0], DOWN, buff=px(18))
             .align_to(cut.boxes[0], LEFT),
             number(w.head_dim, FIGURE).next_to(q.boxes[0], UP, buff=px(18)), pace=BRISK)
    act.cue("kv")
    act.move((TransformFromCopy(token.boxes[0], bar.boxes[0]) for bar in (k, v)), pace=54)
    below = Label(act.label("k_and_v"), LEAD, "muted").next_to(VGroup(k, v), DOWN, buff=px(26))
    act.move(below, (part for bar in (k, v) for part in (bar.cuts, bar.labels)), pace=QUICK)
    act.cue("all")
    whole = number(f"{w.qkv:,}", 44, weight="bold").move_to(room.at(0, 30, DOWN))
    act.move(ring(VGroup(q, k, v), "focus", 5, 2), FadeIn(whole, shift=DOWN * px(12)), pace=EASY)
    act.keep(token=token)


def _bars(act: Act) -> tuple[ScaleBar, ...]:
    """The token, the token cut for the heads, q in heads, k and v."""
    w, room = act.story.widths, act.kept.stream.room
    token = ScaleBar([Part(w.hidden, "ra", f"{w.hidden:,}")], UNIT, 92, 36)
    cut = ScaleBar([Part(w.hidden / w.query_heads, "ra")] * w.query_heads, UNIT, 92)
    q = ScaleBar([Part(w.head_dim, "q")] * w.query_heads, UNIT, 92)
    k, v = (ScaleBar([Part(w.kv, role, f"{role} {w.kv:,}", w.kv_heads)], UNIT, 92, 36)
            for role in "kv")
    for row, bar in enumerate((token, cut, q)):
        bar.move_to(room.at(0, -60 - 150 * row - 40 * (row == 2), UP + LEFT), LEFT)
    k.next_to(q, RIGHT, buff=px(12))
    v.next_to(k, RIGHT, buff=px(12))
    return token, cut, q, k, v


@beat(anchors=("models/qwen3.py:77", "models/qwen3.py:114"), carries="stream")
def one_row_through(act: Act) -> None:
    # Two walks from above to below: through attention's matrices, and through the MLP's.
    w = act.story.widths
    left, right = look(act, "qkv", "qk_norm", "rope", "attend", "o").room.columns(1, 1, gap=120)
    qkv = [Part(w.q, "q", "q"), Part(w.kv, "k", "k"), Part(w.kv, "v", "v")]
    row = [Part(w.hidden, "ra", f"{w.hidden:,}")]
    first = _walk(left, [row, qkv, [Part(w.q, "q", f"{w.q:,}")], row],
                  ["qkv_proj", act.label("attention"), "o_proj"])
    halves = [Part(w.intermediate, "d", f"gate {w.intermediate:,}"),
              Part(w.intermediate, "e", f"up {w.intermediate:,}")]
    second = _walk(right, [row, halves, [Part(w.intermediate, "e", f"{w.intermediate:,}")], row],
                   ["gate_up_proj", "SwiGLU", "down_proj"])
    act.move(first[0], pace=QUICK)
    act.cue("qkv")
    act.move(_step(first, 1), pace=VERY_SLOW)
    act.cue("attend")
    act.move(_step(first, 2), pace=VERY_SLOW)
    act.cue("o")
    act.move(_step(first, 3), pace=SLOW)
    act.move(act.kept.stream.look("gate_up", "swiglu", "down"), second[0], pace=BRISK)
    act.cue("wide")
    act.move(_step(second, 1), pace=SLOW)
    act.cue("half")
    act.move(_step(second, 2), pace=SLOW)
    act.cue("down")
    act.move(_step(second, 3), pace=SLOW)
    act.cue("back")
    act.move((ring(walk[3][-1], "focus", 5, 6) for walk in (first, second)), pace=BRISK)


def _walk(room: Region, stations: Sequence[Sequence[Part]], names: Sequence[str]) -> list[VGroup]:
    """Bars from above to below; before each but the first, a funnel from the one above, named."""
    walk: list[VGroup] = []
    for k, (parts, place) in enumerate(zip(stations, room.rows(1, 1, 1, 1, gap=70))):
        bar = ScaleBar(parts, NARROW, 84, 28).move_to(place.center)
        if k:
            above = walk[-1][-1].boxes
            corners = (above.get_corner(DOWN + LEFT), above.get_corner(DOWN + RIGHT),
                       bar.boxes.get_corner(UP + RIGHT), bar.boxes.get_corner(UP + LEFT))
            funnel = Polygon(*corners, stroke_width=0, fill_color=mix("muted", 0.22),
                             fill_opacity=1).set_z_index(-1)
            middle = (above.get_bottom()[1] + bar.boxes.get_top()[1]) / 2
            name = number(names[k - 1], BODY).move_to([place.center[0], middle, 0])
            walk.append(VGroup(funnel, name, bar))
        else:
            walk.append(VGroup(bar))
    return walk


def _step(walk: Sequence[VGroup], k: int) -> list:
    """Animations: the bar above becomes the next one, through its matrix."""
    funnel, name, bar = walk[k]
    return [FadeIn(funnel), FadeIn(name), FadeIn(bar.labels),
            TransformFromCopy(walk[k - 1][-1].boxes, bar.boxes)]


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
