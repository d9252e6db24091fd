"""RMSNorm: why a row is normalised, and how, by hand."""

from collections.abc import Sequence

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, Rectangle
from manim import ReplacementTransform, VGroup

from scenes.act02_layer.thread import ROOM, travel
from scenes.kit import Label, SignedBars, fly, gather, mix, number, paint, px, replace
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import EASY, SLOW, Act, all_but, beat

__all__ = ["rms_norm"]

UNIT, WIDE, PITCH = 125, 180, 250  # px: a value of 1, a bar, bar to bar
FLOOR = 250  # px of the bars' line above the stage's bottom
SIDE = 1260  # px from the left to the working


@beat(anchors="layers/layernorm.py:37", carries="scene map road", least={2: 60, 4: 55})
def rms_norm(act: Act) -> None:
    # The row stands on the road as bars, its size beside them; attention's addition raises it.
    story, floor = act.story, ROOM.at(0, FLOOR, DOWN)[1]
    places = [ROOM.left + px(170 + PITCH * k) for k in range(len(story.norm.x))]
    bars = SignedBars(story.growth[0], _texts(story.growth[0], 1), places, floor, UNIT, "ra",
                      WIDE, 64)
    travel(act, "norm", floor, 1, bars)
    small, grown = (_Size(size, act.label("size", n=n), floor)
                    for size, n in zip(story.sizes_of_rows[:2], story.row_sizes))
    act.cue("start")
    act.move(small, pace=EASY)
    act.cue("grow")
    act.move(_to(bars, story.growth[1], 0), small.to(grown), pace=SLOW)
    softmax = _saturate(act)
    _by_hand(act, bars, small, softmax)
    act.keep(bars=bars, scene=all_but(act, act.kept.map, act.kept.road, bars))


def _to(bars: SignedBars, values: np.ndarray, digits: int) -> list:
    """Animations: the bars take these values."""
    return [bars.to(k, value, word) for k, (value, word) in enumerate(zip(
        values, _texts(values, digits)))]


def _texts(values: np.ndarray, digits: int) -> list[str]:
    return [text(shown(value, digits)) for value in values]


class _Size(VGroup):
    """A row's size as a slim bar at the end of the row's own."""

    def __init__(self, size: float, name: str, floor: float) -> None:
        self.bar = Rectangle(width=px(56), height=px(UNIT * size), stroke_width=0,
                             fill_color=paint("focus"), fill_opacity=1)
        self.bar.move_to((ROOM.left + px(SIDE - 170), floor, 0), DOWN)
        self.word = Label(name, 56, "focus", "semibold").next_to(
            self.bar, RIGHT, buff=px(24), aligned_edge=UP)
        super().__init__(self.bar, self.word)

    def to(self, other: "_Size") -> list:
        """Animations: it takes another one's height and name."""
        old, self.word = self.word, other.word
        self.remove(old)
        self.add(other.word)
        return [self.bar.animate.become(other.bar), *replace(old, other.word)]


class _Shares(VGroup):
    """Two shares of a whole as one column cut in two, and what they are made from."""

    def __init__(self, act: Act, row: str, shares: Sequence[str]) -> None:
        x, y = ROOM.left + px(SIDE + 240), ROOM.at(0, FLOOR, DOWN)[1]
        self.head = Label(act.label("softmax"), 44, "muted")
        self.column, self.figures = VGroup(), VGroup()
        for share, tint in zip(reversed(shares), (0.65, 0.25)):
            part = Rectangle(width=px(180), height=px(max(250 * float(share), 3)), stroke_width=3,
                             stroke_color=paint("e"), fill_color=mix("e", tint), fill_opacity=1)
            self.column.add(part.move_to((x, y, 0), DOWN))
            self.figures.add(number(share, 52, weight="semibold").next_to(
                part, RIGHT, buff=px(30)))
            y += part.height
        self.head.move_to((x, ROOM.at(0, 618, DOWN)[1], 0))
        self.row = Label(act.label("scores", row=row), 44).next_to(
            self.column, DOWN, buff=px(40))
        super().__init__(self.head, self.column, self.figures, self.row)


def _saturate(act: Act) -> VGroup:
    # Ten times as large scores: the last softmax gives all to one of two.
    few, many = (_Shares(act, row, shares) for row, shares in act.story.saturation)
    act.cue("larger")
    act.move(few, pace=EASY)
    act.cue("ten")
    act.move(replace(few.row, many.row), ReplacementTransform(few.column, many.column),
             map(replace, few.figures, many.figures), pace=SLOW)
    act.cue("all")
    act.move(many.column.animate.set_stroke(paint("focus"), 6), pace=EASY)
    return VGroup(few.head, many.column, many.figures, many.row)


def _by_hand(act: Act, bars: SignedBars, size: _Size, softmax: VGroup) -> None:
    # Its size: the root of the mean of its squares, worked out beside the bars.
    norm = act.story.norm
    x, y = ROOM.left + px(SIDE - 60), ROOM.at(0, 80, DOWN)[1]
    sum_ = act.story.facts["squares"], len(norm.x), significant(norm.mean_square)
    mean = number("{} / {} = {}".format(*sum_), 64, weight="semibold").move_to((x, y, 0), LEFT)
    squares = [number(value, 72, "focus", "semibold").move_to((place, y, 0))
               for value, place in zip(_texts(norm.squares, 0), bars.places)]
    head = Label(act.label("mean"), 48, "muted").next_to(mean, UP, buff=px(48))
    head.align_to(mean, LEFT)
    act.cue("square")
    act.move(fly(bars.figures, squares, lag=0.2), FadeOut(softmax), pace=27)
    act.cue("mean")
    act.move(gather(squares, mean), FadeIn(head), pace=SLOW)
    root = VGroup(Label(act.label("root"), 68), number(significant(norm.root), 84, "focus", "bold"))
    root.arrange(RIGHT, buff=px(26)).move_to(mean, LEFT)
    act.cue("root")
    act.move(replace(mean, root), FadeOut(head), size.bar.animate.set_stroke(paint("focus"), 8),
             pace=EASY)
    # Divided by it, all bars shrink alike; then each is multiplied by its own weight.
    act.cue("divide")
    act.move(_to(bars, norm.normalised, 2), size.to(_Size(1, act.label("size", n=1), bars.floor)),
             map(FadeOut, squares), FadeOut(root), pace=30)
    # The camera goes nearer for the weights.
    act.cue("weight")
    bars.unit, bars.width_ = UNIT + 20, 260
    bars.places = [ROOM.center[0] + px(430 * (k - 1.5)) for k in range(len(norm.x))]
    weights = [number(f"× {value}", 64, "d", "semibold").move_to((place, y, 0))
               for value, place in zip(_texts(norm.weight, 2), bars.places)]
    act.move(_to(bars, norm.normalised, 2), FadeOut(size, scale=2), weights, pace=18)
    act.move(_to(bars, norm.output, 0), pace=24)
    act.keep(weights=weights)
