"""The question: an answer that pauses; and the place in the engine where that is decided."""

from manim import DOWN, LEFT, UP, FadeIn, FadeOut, LaggedStart, RoundedRectangle, VGroup

from scenes.act04_scheduler.answer import YOURS
from scenes.act04_scheduler.story import ROLES
from scenes.kit import STAGE, Label, TokenStrip, fit, paint, px
from scenes.kit.base.motion import Movement
from scenes.kit.chart.packed_token import pause_mark
from scenes.stage import BLINK, EASY, SLOW, Act, beat
from scenes.views import NODES, EngineMap

__all__ = ["GAP", "AnswerRow", "engine_map", "outline", "the_question"]

GAP = 14  # px between places
ARRIVALS = 100  # frames in which the answer arrives


class AnswerRow(VGroup):
    """For each step a place, and in it the token of yours that the step yields, if any.

    `most`: px that a place takes at most. Parts: `places`, `strip` (round tokens), `words`.
    """

    def __init__(self, act: Act, most: float = 92, named: bool = True) -> None:
        self.given = act.story.answer.given
        self.cell = fit(len(self.given), STAGE.width / px(1) - 96, most, GAP)
        self.strip = TokenStrip(0, "." * len(self.given), ROLES[YOURS], self.cell, GAP)
        self.places = VGroup(*(_place(self.cell).move_to(cell) for cell in self.strip))
        self.words = Label(act.label("yours-row"), 40, ROLES[YOURS], "semibold")
        self.words.next_to(self.places, UP, buff=px(22), aligned_edge=LEFT)
        super().__init__(self.places, self.strip, *([self.words] if named else []))

    def looks(self, count: int) -> str:
        """As the strip looks after so many steps."""
        return "".join("c" if given and k < count else "." for k, given in enumerate(self.given))

    def pauses(self, steps) -> VGroup:
        """A pause mark in the places of these steps."""
        size = self.places[0].width / px(1)
        return VGroup(*(pause_mark(YOURS, ROLES[YOURS], size, size).move_to(self.places[k])
                        for k in steps))


def _place(cell: float) -> RoundedRectangle:
    return RoundedRectangle(corner_radius=px(cell * 0.4), width=px(cell), height=px(cell),
                            stroke_width=2.5, stroke_color=paint("line"))


@beat(header=False, variant="waiting", least={1: 58, 2: 24})
def the_question(act: Act) -> None:
    # Your answer arrives, a token a step; in some steps none comes.
    row = AnswerRow(act)
    card = act.title_card(row)
    words, left = VGroup(card.act, card.question, card.other), STAGE.left - card.get_left()[0]
    act.move(words.animate.shift((left, 0, 0)), row.animate.scale_to_fit_width(
        STAGE.width).set_x(0).shift(DOWN * px(50)), pace=SLOW)
    act.cue("tokens")
    each = max(1, ARRIVALS // len(row.given))
    for k, given in enumerate(row.given):
        if given:
            act.move(row.strip.show(row.looks(k + 1)), pace=each)
        else:
            act.rest(each)
    act.cue("stop")
    marks = row.pauses(act.story.answer.causes)
    act.move(LaggedStart(*(FadeIn(mark, shift=DOWN * px(14)) for mark in marks), lag_ratio=0.5)
             if len(marks) else None, pace=SLOW)
    # The engine, and the node in which this act plays.
    act.cue("map")
    engine = engine_map(act)
    act.move(FadeOut(card), FadeOut(marks), pace=BLINK)
    act.move(engine, pace=EASY)
    act.cue("node")
    act.move(outline(engine, "schedule"))
    act.keep(engine=engine)


def engine_map(act: Act, **icons: VGroup) -> EngineMap:
    """The one drawing of the engine, in the act's words; nobody waits, so it may decode.

    `icons`: what stands in a node instead of its usual picture.
    """
    engine = EngineMap({name: act.label(name) for name in (*NODES, "waiting", "running")},
                       icons=icons)
    for strip in engine.stations["queues"].icon[0][1]:
        strip.restyle(strip, "." * len(strip))
    return engine


def outline(engine: EngineMap, name: str) -> Movement:
    """Animation: this node's edge is bright: it is spoken of."""
    return engine.stations[name].box.animate.set_stroke(paint("focus"), 5)
