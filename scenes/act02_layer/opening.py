"""The question, and a small batch's way through the model, from ids to logits."""

from manim import DOWN, LEFT, RIGHT, Dot, FadeIn, FadeOut, LaggedStart, Line
from manim import Rectangle, RoundedRectangle, VGroup

from scenes.act02_layer.story import PROMPTS
from scenes.kit import STAGE, Label, LayerStack, mix, number, paint, px, shape_text
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat
from scenes.views import NODES, EngineMap

__all__ = ["inside_the_model", "the_question"]

ROLES = ("ra", "rb")  # of the two prompts
NARROW, WIDE, TALL = 104, 430, 60  # px: an id, a row of the model, their height
CARD = 190  # px: an id, before the batch is flattened


@beat(header=False)
def the_question(act: Act) -> None:
    # A token passes all layers: each adds to it, and in each it leaves something behind.
    stack = LayerStack(act.story.widths.layers, role="ra")
    token, end = stack.tokens
    end.set_opacity(0)
    act.title_card(stack, lift=px(60))
    passed = VGroup(*(layer.copy().set_stroke(paint("focus"), 4) for layer in stack.layers))
    act.cue("add")
    token.set_z_index(3)
    act.move(token.animate.move_to(end), LaggedStart(*(
        FadeIn(layer, rate_func=lambda t: 4 * t * (1 - t), remover=True) for layer in passed),
        lag_ratio=0.5), pace=54)
    behind = VGroup(*(VGroup(*(Rectangle(
        width=layer.width, height=px(34), stroke_width=0, fill_color=mix(role, 0.75),
        fill_opacity=1) for role in "kv")).arrange(DOWN, buff=0).next_to(
            layer, DOWN, buff=px(26)) for layer in stack.layers))
    total = number(act.label("behind"), 64, "focus", "bold").next_to(behind, RIGHT, buff=px(40))
    act.cue("leave")
    act.move(LaggedStart(*(FadeIn(each, shift=DOWN * px(60)) for each in behind),
                         lag_ratio=0.1), pace=30)
    act.move(total, pace=BRISK)


@beat(anchors=("models/qwen3.py:173", "layers/embed_head.py:60"), least={1: 39, 4: 67})
def inside_the_model(act: Act) -> None:
    # The engine as a map; the model is where this act takes place.
    engine = EngineMap({name: act.label(f"map_{name}") for name in (*NODES, "waiting", "running")})
    act.move(engine, pace=12)
    act.cue("model")
    act.move(engine.light("model"), pace=BRISK)
    act.cue("enter")
    act.move(engine.enter("model"), pace=27)
    (rows, names), ledger = _prompts(act), _Ledger(act)
    # The prompts' ids, large on the stage, become one column of rows.
    act.cue("flat")
    act.move(map(FadeOut, names), (row.animate.become(goal) for row, goal in zip(
        rows, _column())), ledger.line, ledger.stop(0), pace=SLOW)
    slabs = _slabs(act.story.widths.layers, rows)
    act.move(slabs, pace=BRISK)
    # Each id becomes a row as wide as the model; the rows pass through all layers.
    act.cue("look")
    act.move(LaggedStart(*(row.animate.become(_row(WIDE, role).align_to(row, LEFT).set_y(
        row.get_y())) for row, role in zip(rows, _roles())), lag_ratio=0.1),
             ledger.stop(1), pace=36)
    act.cue("layers")
    act.move(LaggedStart(*(slab.animate.set_stroke(paint("muted")) for slab in slabs),
                         lag_ratio=0.05), pace=EASY)
    act.move(rows.animate.move_to(STAGE.at(-40, 0, RIGHT), RIGHT).set_y(rows.get_y()),
             ledger.stop(2), pace=36)
    _norm(act, rows, ledger)
    _logits(act, rows, slabs, ledger)


class _Ledger:
    """A line below with a stop for every checkpoint: its name and its shape, when it is met."""

    def __init__(self, act: Act) -> None:
        places = STAGE.columns(*[1] * len(act.story.checkpoints), gap=0)
        y = STAGE.at(0, 146, DOWN)[1]
        self.line = VGroup(Line((STAGE.left, y, 0), (STAGE.right, y, 0), stroke_width=5,
                                color=paint("muted")),
                           *(Dot((place.center[0], y, 0), px(13), color=paint("muted"))
                             for place in places))
        self.stops = []
        for place, (name, sizes) in zip(places, act.story.checkpoints):
            dot = Dot((place.center[0], y, 0), px(13), color=paint("focus"))
            head = Label(act.label(name), 36, weight="semibold").next_to(dot, DOWN, buff=px(24))
            self.stops.append(VGroup(dot, head, number(shape_text(sizes), 40, "ink").next_to(
                head, DOWN, buff=px(28))))

    def stop(self, k: int) -> list:
        """Animations: this checkpoint is reached; the one before calms down."""
        calm = [self.stops[k - 1][0].animate.set_color(paint("muted"))] if k else []
        return [self.stops[k], *calm]


def _roles() -> list[str]:
    return [role for n, role in zip(PROMPTS, ROLES) for _ in range(n)]


def _row(width: float, role: str, high: float = TALL) -> RoundedRectangle:
    return RoundedRectangle(corner_radius=px(10), width=px(width), height=px(high),
                            stroke_width=3, stroke_color=paint(role), fill_color=mix(role, 0.55),
                            fill_opacity=1)


def _column() -> VGroup:
    """All ids below each other, where the model takes them."""
    rows = VGroup(*(_row(NARROW, role) for role in _roles())).arrange(DOWN, buff=px(14))
    return rows.move_to(STAGE.at(30, 72, LEFT), LEFT)


def _prompts(act: Act) -> tuple[VGroup, list[Label]]:
    """Two prompts of different length side by side above each other, a cell a token."""
    rows = VGroup(*(_row(CARD, role, CARD) for role in _roles()))
    parts = rows[:PROMPTS[0]], rows[PROMPTS[0]:]
    for part, y in zip(parts, (130, -130)):
        part.arrange(RIGHT, buff=px(20)).move_to(STAGE.at(-170, y + 20)).align_to(
            STAGE.at(-170 - (CARD + 20) * 2), LEFT)
    names = [Label(act.label("prompt", n=n), 60, role, "semibold").move_to(
        (STAGE.at(420)[0], part.get_y(), 0), LEFT) for n, role, part in zip(PROMPTS, ROLES, parts)]
    act.move(LaggedStart(*(FadeIn(row, shift=RIGHT * px(40)) for row in rows), lag_ratio=0.1),
             pace=BRISK)
    act.cue("prompts")
    for name in names:
        act.move(name, pace=QUICK)
    return rows, names


def _slabs(count: int, rows: VGroup) -> VGroup:
    """All layers, upright, between where the rows are and where they go."""
    slabs = VGroup(*(RoundedRectangle(
        corner_radius=px(6), width=px(17), height=rows.height + px(36), stroke_width=2.5,
        stroke_color=paint("line"), fill_color=mix("muted", 0.12), fill_opacity=1)
        for _ in range(count))).arrange(RIGHT, buff=px(10)).set_z_index(-1)
    return slabs.move_to((STAGE.center[0], rows.get_y(), 0))


def _norm(act: Act, rows: VGroup, ledger: _Ledger) -> None:
    # One last norm passes over the rows.
    blade = RoundedRectangle(corner_radius=px(6), width=px(26), height=rows.height + px(36),
                             stroke_width=3, stroke_color=paint("focus"), fill_opacity=0)
    blade.move_to(rows.get_left())
    act.cue("norm")
    act.move(FadeIn(blade), ledger.stop(3), pace=QUICK)
    act.move(blade.animate.move_to(rows.get_right()), pace=EASY)
    act.keep(blade=blade)


def _logits(act: Act, rows: VGroup, slabs: VGroup, ledger: _Ledger) -> None:
    # Only each prompt's last row goes on, and becomes as wide as the vocabulary.
    ends = [PROMPTS[0] - 1, sum(PROMPTS) - 1]
    last = VGroup(*(rows[k] for k in ends))
    act.cue("last")
    act.move(FadeOut(act.kept.blade), (row.animate.set_opacity(0.12)
             for k, row in enumerate(rows) if k not in ends),
             last.animate.set_stroke(paint("focus"), 5), ledger.stop(4), pace=EASY)
    goals = VGroup(*(_row(STAGE.width / px(1), role, 100).set_fill(mix(role, 0.2))
                     for role in ROLES))
    goals.arrange(DOWN, buff=px(50)).move_to((STAGE.center[0], rows.get_y(), 0))
    act.cue("logits")
    act.move((FadeOut(row) for k, row in enumerate(rows) if k not in ends), FadeOut(slabs),
             (row.animate.become(goal) for row, goal in zip(last, goals)), ledger.stop(5), pace=40)
    act.move((number(f"{act.story.widths.vocabulary:,}", 68, weight="bold").move_to(row)
              .set_z_index(2) for row in last), pace=QUICK)
    act.keep(row=last[0])
