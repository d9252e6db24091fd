"""The two sub-layers on the residual stream, and the norm that stands before each."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, VGroup

from scenes.kit import (
    BODY,
    STAGE,
    Formula,
    Grid,
    Label,
    SubLayer,
    arrive,
    arrow,
    elementwise,
    gather,
    norm_node,
    number,
    px,
    ring,
)
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import BLINK, BRISK, EASY, SLOW, STEADY, Act, beat

__all__ = ["rms_norm", "the_residual"]

PACES = (STEADY, EASY, BRISK, BRISK, STEADY, STEADY)  # of the six movements of an addition
STREAM = -180  # px from the stage's middle to the residual stream


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
        for pace, movement in zip(PACES, layer.add_to(x, total)):
            act.move(movement, pace=pace)
        act.next_line()
    # The next layer's norm comes into view: the engine adds just before it.
    ghost = norm_node().move_to(STAGE.at(1300, STREAM + 340, LEFT), LEFT)
    later = Label(act.label("next_layer"), BODY, "muted").next_to(ghost, UP, buff=px(100))
    rise = arrow([ghost.get_x(), stream.get_y(), 0], ghost.get_bottom())
    act.move(ghost, later, rise)
    _fuse(act, layers, [layers[1].norm, ghost], sums[1:])


def _fuse(act: Act, layers: list[SubLayer], norms: list, sums: list) -> None:
    """Each sum moves to just before the next norm, and both become one box."""
    pairs = list(zip(layers, norms))
    detours = [layer.detour(norm) for layer, norm in pairs]
    act.move((FadeOut(layer.ways[2]) for layer in layers), pace=BRISK)
    act.move((layer.add_before(norm) for layer, norm in pairs),
             (Create(path) for path, _ in detours),
             (value.animate.set_x(STAGE.at(x, 0, LEFT)[0], LEFT)
              for value, x in zip(sums, (970, 1572))), pace=SLOW)
    act.move((tip for _, tip in detours), pace=BLINK)
    fused = VGroup(*(ring(VGroup(layer.plus[0], norm), "focus", 4, 22) for layer, norm in pairs))
    names = VGroup(*(Label(act.label("fused"), BODY, "focus").next_to(box, UP, buff=px(22))
                     for box in fused))
    act.move(fused, names, pace=BRISK)


@beat(anchors="layers/layernorm.py:23")
def rms_norm(act: Act) -> None:
    grids, tags = _rows(act)
    x, squares, normalised, weight, output = grids
    # A row's size: the root of the mean of its squares.
    mean = Label(act.label("mean"), 42).next_to(squares, RIGHT, buff=px(80))
    root = VGroup(Label(act.label("root"), 46, "focus"),
                  number(significant(act.story.norm.root), 48, "focus", "semibold"))
    root.arrange(RIGHT, buff=px(24)).next_to(normalised, RIGHT, buff=px(80))
    act.move(x, tags[0], pace=BRISK)
    act.move(elementwise([x], squares), tags[1], pace=SLOW)
    act.move(gather(squares.labels, mean), pace=SLOW)
    act.move(gather([mean], root), pace=EASY)
    act.next_line()
    # Every number is divided by it and multiplied by its own weight.
    act.move(normalised.boxes, tags[2],
             (arrive([a, root[1]], b) for a, b in zip(x.labels, normalised.labels)), pace=SLOW)
    act.move(FadeIn(weight, shift=UP * px(16)), tags[3])
    act.move(elementwise([normalised, weight], output), tags[4], pace=SLOW)
    # The rule, with what the numbers leave out.
    formula = Formula("y_i = x_i / sqrt(1/n sum_j x_j^2 + epsilon) dot w_i", 72)
    formula.next_to(weight, RIGHT, buff=px(80)).shift(DOWN * px(60))
    guard = Label(act.label("epsilon"), 32, "muted").next_to(formula, DOWN, buff=px(44))
    act.move(FadeIn(formula, shift=UP * px(12)), guard.align_to(formula, LEFT), pace=EASY)


def _rows(act: Act) -> tuple[VGroup, list[Label]]:
    """The five rows of the computation, one below the other, and their names."""
    rows = (("x", 0, "q"), ("squares", 0, "ink"), ("normalised", 2, "ink"), ("weight", 1, "d"),
            ("output", 2, "focus"))
    grids = VGroup(*(
        Grid([[text(shown(v, digits)) for v in getattr(act.story.norm, key)]], role, (150, 84), 40)
        for key, digits, role in rows)).arrange(DOWN, buff=px(58))
    STAGE.place(grids, LEFT, 250)
    return grids, [Label(act.label(f"norm_{key}"), 34, "muted" if role == "ink" else role)
                   .next_to(grid, LEFT, buff=px(30)) for (key, _, role), grid in zip(rows, grids)]
