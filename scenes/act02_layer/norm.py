"""RMSNorm: why a row is normalised, and how, by hand."""

from collections.abc import Sequence

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, Line, Rectangle
from manim import ReplacementTransform, VGroup

from scenes.act02_layer.thread import ROOM, travel
from scenes.kit import Label, SignedBars, fly, gather, mix, number, paint, px, replace
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import BRISK, EASY, SLOW, Act, all_but, beat

__all__ = ["rms_norm"]

UNIT, NEAR, WIDE, PITCH = 60, 115, 180, 265  # px: a value of 1, near by, a bar, bar to bar
FLOOR = 300  # px of the bars' line above the stage's bottom
SIDE = 1260  # px from the left to the working


@beat(anchors="layers/layernorm.py:23", carries="scene map road", least={4: 57})
def rms_norm(act: Act) -> None:
    # The row stands on the road as bars; its size is a band, which each addition widens.
    story, floor = act.story, ROOM.at(0, FLOOR, DOWN)[1]
    places = [ROOM.left + px(170 + PITCH * k) for k in range(len(story.norm.x))]
    bars = SignedBars(story.growth[0], _texts(story.growth[0], 1), places, floor, UNIT, "ra",
                      WIDE, 64)
    travel(act, "norm", floor, 1, bars)
    bands = [_Band(size, act.label("size", n=n), floor, "focus")
             for size, n in zip(story.sizes_of_rows, story.row_sizes)]
    act.cue("start")
    act.move(bands[0], pace=EASY)
    for k, cue in ((1, "grow"), (2, "more")):
        act.cue(cue)
        act.move(_to(bars, story.growth[k], 2 * (k == 2)),
                 ReplacementTransform(bands[k - 1], bands[k]), pace=EASY)
    softmax = _saturate(act)
    # The copy for the MLP is taken after attention's addition.
    bars.unit = NEAR
    copied = _Band(story.sizes_of_rows[1], act.label("size", n="?"), floor, "focus", NEAR)
    act.cue("copy")
    act.move(_to(bars, story.norm.x, 0), ReplacementTransform(bands[2], copied),
             FadeOut(softmax), pace=EASY)
    _by_hand(act, bars, copied)
    act.keep(bars=bars, scene=all_but(act, act.kept.map, act.kept.road, bars))


def _to(bars: SignedBars, values: np.ndarray, digits: int) -> list:
    """Animations: the bars take these values."""
    return [bars.to(k, value, word) for k, (value, word) in enumerate(zip(
        values, _texts(values, digits)))]


def _texts(values: np.ndarray, digits: int) -> list[str]:
    return [text(shown(value, digits)) for value in values]


class _Band(VGroup):
    """A row's size as a band about the bars' line, as high as the size on both sides."""

    def __init__(self, size: float, name: str, floor: float, role: str,
                 unit: float = UNIT) -> None:
        right = ROOM.left + px(SIDE - 150)
        band = Rectangle(width=right - ROOM.left, height=2 * px(unit * size), stroke_width=0,
                         fill_color=mix(role, 0.14), fill_opacity=1).set_z_index(-2)
        band.move_to(((right + ROOM.left) / 2, floor, 0))
        edge = Line((right, floor, 0), band.get_corner(UP + RIGHT), stroke_width=10,
                    color=paint(role))
        label = Label(name, 52, role, "semibold").next_to(edge, RIGHT, buff=px(24))
        super().__init__(band, edge, label)


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
    act.move(replace(few.row, many.row), pace=BRISK)
    act.cue("all")
    act.move(ReplacementTransform(few.column, many.column), map(replace, few.figures,
                                                                many.figures), pace=SLOW)
    return VGroup(few.head, many.column, many.figures, many.row)


def _by_hand(act: Act, bars: SignedBars, band: _Band) -> None:
    # Its size: the root of the mean of its squares, worked out beside the bars.
    norm = act.story.norm
    x, y = ROOM.left + px(SIDE - 100), ROOM.at(0, 44, DOWN)[1]
    sum_ = act.story.facts["squares"], len(norm.x), significant(norm.mean_square)
    mean = number("{} / {} = {}".format(*sum_), 60, weight="semibold").move_to((x, y, 0), LEFT)
    head = Label(act.label("mean"), 44, "muted").next_to(mean, UP, buff=px(44))
    head.align_to(mean, LEFT)
    squares = [number(value, 64, "focus", "semibold").move_to((place, y, 0))
               for value, place in zip(_texts(norm.squares, 0), bars.places)]
    act.cue("square")
    act.move(fly(bars.figures, squares, lag=0.2), pace=SLOW)
    act.cue("mean")
    act.move(gather(squares, mean), FadeIn(head), pace=SLOW)
    root = VGroup(Label(act.label("root"), 64), number(significant(norm.root), 76, "focus", "bold"))
    root.arrange(RIGHT, buff=px(26)).move_to(mean, LEFT)
    act.cue("root")
    act.move(replace(mean, root), FadeOut(head), pace=EASY)
    found = Label(act.label("size", n=significant(norm.root)), 52, "focus", "semibold")
    act.move(replace(band[2], found.move_to(band[2], LEFT)), pace=EASY)
    # Divided by it, all bars shrink alike; then each is multiplied by its own weight.
    one = _Band(1, act.label("size", n=1), ROOM.at(0, FLOOR, DOWN)[1], "focus",
                NEAR)
    act.cue("divide")
    act.move(_to(bars, norm.normalised, 2), ReplacementTransform(VGroup(*band[:2], found), one),
             map(FadeOut, squares), FadeOut(root), pace=30)
    # The camera goes nearer for the weights.
    act.cue("weight")
    bars.unit, bars.width_ = NEAR + 20, 260
    bars.places = [ROOM.center[0] + px(430 * (k - 1.5)) for k in range(len(norm.x))]
    weights = [number(f"× {value}", 60, "d", "semibold").move_to(
        (place, ROOM.at(0, 30, DOWN)[1], 0)) for value, place in zip(
        _texts(norm.weight, 2), bars.places)]
    act.move(_to(bars, norm.normalised, 2), FadeOut(one, scale=2), weights, pace=18)
    act.move(_to(bars, norm.output, 0), pace=24)
    act.keep(weights=weights)
