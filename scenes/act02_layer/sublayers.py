"""The two sub-layers on the residual stream, the norm before each, and attention's own order."""

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, VGroup

from scenes.kit import BODY, STAGE, AttentionFlow, Formula, Label, NamedRows, Node, Row, SubLayer
from scenes.kit import arrive, arrow, gather, norm_node, number, px
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import BLINK, BRISK, EASY, QUICK, SLOW, STEADY, Act, beat

__all__ = ["rms_norm", "the_order", "the_residual"]

ADDING = (STEADY, EASY, BRISK, BRISK, STEADY, STEADY)  # paces of an addition's movements
FUSING = (BRISK, SLOW, BLINK, BRISK)
STREAM = -180  # px from the stage's middle to the residual stream
# Rows of the norm's computation: shown digits, role.
NORM = {"x": (0, "q"), "squares": (0, "ink"), "normalised": (2, "ink"), "weight": (1, "d"),
        "output": (2, "focus")}


@beat(anchors=("models/qwen3.py:146", "layers/layernorm.py:29"))
def the_residual(act: Act) -> None:
    # x flows on; attention adds to it, then the MLP does.
    stream = arrow(STAGE.at(90, STREAM, LEFT), STAGE.at(0, STREAM, RIGHT), "ink", 0, 6)
    layers = [SubLayer(act.label(key), role, result).shift(STAGE.at(x, STREAM, LEFT))
              for key, role, result, x in (("attention", "q", "a", 120), ("mlp", "d", "m", 710))]
    sums = [number(name, 36, weight="semibold").move_to(STAGE.at(x, STREAM + y, LEFT), LEFT)
            for name, x, y in (("x", 30, 0), ("x + a", 560, -50), ("x + a + m", 1150, -50))]
    act.move(stream, sums[0], pace=BRISK)
    for layer, x, total in zip(layers, sums, sums[1:]):
        for pace, movement in zip(ADDING, layer.add_to(x, total)):
            act.move(movement, pace=pace)
        act.next_line()
    # The next layer's norm comes into view.
    ghost = norm_node().move_to(STAGE.at(1300, STREAM + 340, LEFT), LEFT)
    later = Label(act.label("next_layer"), BODY, "muted").next_to(ghost, UP, buff=px(100))
    act.move(ghost, later, arrow([ghost.get_x(), stream.get_y(), 0], ghost.get_bottom()))
    # Each sum moves to just before a norm, and both are one kernel.
    fusions = [layer.fuse(norm, total, STAGE.at(x, 0, LEFT)[0], act.label("fused"))
               for layer, norm, total, x in zip(layers, (layers[1].norm, ghost), sums[1:],
                                                (970, 1572))]
    for pace, *movements in zip(FUSING, *fusions):
        act.move(movements, pace=pace)


@beat(anchors="layers/layernorm.py:23")
def rms_norm(act: Act) -> None:
    # A row's size: the root of the mean of its squares.
    norm = act.story.norm
    rows = NamedRows([Row(act.label(f"norm_{key}"),
                          [text(shown(v, digits)) for v in getattr(norm, key)], role)
                      for key, (digits, role) in NORM.items()], (150, 84), 40)
    x, squares, normalised, weight, _ = rows.put(2, STAGE.at(250, 0, LEFT)).grids
    mean = Label(act.label("mean"), 42).next_to(squares, RIGHT, buff=px(80))
    root = Label(act.label("root"), 46, "focus").next_to(normalised, RIGHT, buff=px(80))
    size = number(significant(norm.root), 48, "focus", "semibold").next_to(
        root, RIGHT, buff=px(24))
    act.move(rows.given(0), pace=BRISK)
    act.move(rows.computed(1, 0), pace=SLOW)
    act.move(gather(squares.labels, mean), pace=SLOW)
    act.move(gather([mean], VGroup(root, size)), pace=EASY)
    act.next_line()
    # Every number is divided by it and multiplied by its own weight.
    act.move(normalised.boxes, rows.names[2],
             (arrive([a, size], b) for a, b in zip(x.labels, normalised.labels)), pace=SLOW)
    act.move(FadeIn(weight, shift=UP * px(16)), rows.names[3])
    act.move(rows.computed(4, 2, 3), pace=SLOW)
    # The rule, with what the numbers leave out.
    formula = Formula("y_i = x_i / sqrt(1/n sum_j x_j^2 + epsilon) dot w_i", 72)
    formula.next_to(weight, RIGHT, buff=px(80)).shift(DOWN * px(60))
    guard = Label(act.label("epsilon"), 32, "muted").next_to(formula, DOWN, buff=px(44))
    act.move(FadeIn(formula, shift=UP * px(12)), guard.align_to(formula, LEFT), pace=EASY)


@beat(anchors="models/qwen3.py:77", steps=(1,), source="recorded", least={2: 50})
def the_order(act: Act) -> None:
    # One projection makes q, k and v, which are split into heads.
    flow = AttentionFlow(act.story.path, (act.label("attention"), act.label("act_one")),
                         act.label("axes")).shift(STAGE.at(0, 0, LEFT))
    act.move(flow.enter(), pace=BRISK)
    act.move(flow.project())
    act.move(flow.split(), pace=SLOW)
    seen = Label(act.label("seen"), BODY, "muted").move_to(flow.lane("v", 795, -75))
    act.move(flow.sizes["axes"], seen, pace=BRISK)
    act.next_line()
    # q and k are normalised, then rotated; v is neither.
    _work(act, flow.norms, "qk")
    act.move(flow.turn(), pace=EASY)
    _work(act, flow.turns, "qk")
    act.move(Label(act.label("v_still"), BODY, "v").move_to(flow.lane("v", 880, 44)), pace=EASY)
    # All three meet in attention, and its heads are mixed.
    act.move(flow.meet())
    _work(act, [flow.nodes["attention"]], ["muted"])
    act.move(flow.merge(), pace=EASY)


def _work(act: Act, nodes: list[Node], roles: Sequence[str]) -> None:
    """The nodes light up together and calm down again."""
    act.move((node.light() for node in nodes), pace=BRISK)
    act.move((node.calm(role) for node, role in zip(nodes, roles)), pace=QUICK)
