"""All pairs of a head: four dials on one slider of positions, and the score as a live bar."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, Line, Rectangle, Triangle, VGroup

from scenes.geometry import Region
from scenes.kit import BODY, FIGURE, LEAD, Formula, Label, Plane, Readout, RotaryPairs, mix
from scenes.kit import number, paint, px, replace
from scenes.lessons.rounding import significant, text
from scenes.stage import BRISK, EASY, QUICK, Act, all_but

__all__ = ["all_pairs"]

REACH = 2.45
FEW = 24  # positions that are marked one by one


class Slider(VGroup):
    """A line of positions; q's marker stands above it, k's below, each with its position."""

    def __init__(self, room: Region, last: int) -> None:
        self.left, self.right = room.at(330, -52, UP + LEFT), room.at(-90, -52, UP + RIGHT)
        self.last = last
        self.line = Line(self.left, self.right, stroke_width=4, color=paint("muted"))
        super().__init__(self.line)
        for k in range(last + 1 if last <= FEW else 0):
            self.add(Line(self.at(k) + UP * px(8), self.at(k) + DOWN * px(8), stroke_width=2,
                          color=paint("muted")))
        self.markers, self.tags = {}, {}

    def at(self, position: int):
        """The point of the line that stands for a position."""
        return self.line.get_start() + (self.line.get_end() - self.line.get_start()) * (
            position / self.last)

    def mark(self, role: str, position: int) -> list:
        """A marker comes, or moves on; its tag is written anew at its new place."""
        side = UP if role == "q" else DOWN
        tag = number(f"{role} {position}", FIGURE, role, "semibold")
        place = self.at(position) + side * px(22)
        if role not in self.markers:
            marker = Triangle(stroke_width=0, fill_color=paint(role), fill_opacity=1)
            marker.scale_to_fit_height(px(26)).rotate(3.1416 if role == "q" else 0)
            self.markers[role] = marker.move_to(place)
            self.tags[role] = tag.next_to(marker, RIGHT, buff=px(14))
            return [marker, tag]
        old, self.tags[role] = self.tags[role], tag
        tag.next_to(place + RIGHT * px(14), RIGHT, buff=px(14))
        return [self.markers[role].animate.move_to(place), *replace(old, tag)]


class SumBar(VGroup):
    """A signed sum as a bar from a middle line, to scale; `to` moves its end."""

    def __init__(self, room: Region, largest: float, name: str) -> None:
        y = room.at(0, 44, DOWN)[1]
        left, right = room.left + px(330), room.right - px(270)
        self.zero = [(left + right) / 2, y, 0]
        self.unit = (right - left) / 2 / largest
        self.axis = Line([self.zero[0], y - px(40), 0], [self.zero[0], y + px(40), 0],
                         stroke_width=3, color=paint("muted"))
        self.track = Line([left, y, 0], [right, y, 0], stroke_width=2, color=mix("muted", 0.5))
        self.name = Label(name, LEAD, "muted").move_to([room.left, y, 0], LEFT)
        self.bar = self._bar(0)
        self.total = Readout("0", 46, "ink", "bold")
        self.total.move_to([right + px(40), y, 0], LEFT)
        super().__init__(self.track, self.axis, self.name, self.bar, self.total)

    def _bar(self, value: float) -> Rectangle:
        bar = Rectangle(width=max(abs(value) * self.unit, px(3)), height=px(56), stroke_width=2,
                        stroke_color=paint("ink"), fill_color=mix("ink", 0.35), fill_opacity=1)
        return bar.move_to(self.zero, LEFT if value >= 0 else RIGHT)

    def to(self, value: float, written: str) -> list:
        """Animations: the bar ends at another value."""
        return [self.bar.animate.become(self._bar(value)), *self.total.to(written)]


def all_pairs(act: Act, plane: Plane) -> None:
    """The pair's plane becomes one of four dials; where q and k stand, a slider moves."""
    rope, room = act.story.rope, act.kept.stream.room
    two, dot = rope.products[1], act.story.shown_dots[1]
    planes = RotaryPairs(rope.frequencies, 102, REACH, 200)
    planes.move_to(room.at(160, -255, UP))
    spokes = planes.point(two.query.turned, two.key.turned)
    names, rates = planes.speeds([act.label("pair", i=i, j=i + len(planes))
                                  for i in range(len(planes))], map(significant, rope.frequencies))
    slider = Slider(room, two.query.position)
    bar = SumBar(room, _largest(act), act.label("score"))
    stale = all_but(act, act.kept.stream, plane)
    act.cue("pairs")
    act.move(map(FadeOut, stale), plane.animate.become(planes[0]), pace=BRISK)
    act.remove(plane)
    act.add(planes[0])
    act.move(planes[1:], spokes, names, slider, Label(act.label("position"), LEAD, "muted").move_to(
        [room.left, slider.get_y(), 0], LEFT), slider.mark("q", two.query.position),
        slider.mark("k", two.key.position), pace=BRISK)
    act.cue("dials")
    rule = VGroup(Formula("theta^(-2 i \\/ d)", 84), *(Label(act.label(key), BODY, "muted")
                                                   for key in ("theta", "own_theta")))
    rule.arrange(DOWN, buff=px(26), aligned_edge=LEFT)
    act.move(rates, rule.move_to([room.left, rates.get_y() + px(50), 0], LEFT), bar, pace=EASY)
    # One dial after another adds its share.
    act.cue("add")
    angles, terms = planes.angles(), _terms(planes, dot)
    for k, (arc, term) in enumerate(zip(angles, terms)):
        total = dot.total if k == len(planes) - 1 else sum(dot.terms[:k + 1])
        act.move(Create(arc), FadeIn(term, shift=DOWN * px(16)),
                 bar.to(float(sum(two.terms[:k + 1])), text(total)), pace=15)
    _back(act, planes, slider, bar, [*angles, *terms])


def _back(act: Act, planes: RotaryPairs, slider: Slider, bar: SumBar, stale: list) -> None:
    # k goes back alone: another distance, another score.
    rope, dot = act.story.rope, act.story.shown_dots[2]
    one, two = rope.products
    act.cue("back")
    act.move(map(FadeOut, stale), pace=QUICK)
    act.move(planes.turn(0, one.key.position - two.key.position),
             slider.mark("k", one.key.position), bar.total.to("?"), pace=30)
    act.move(map(Create, planes.angles()), pace=BRISK)
    act.cue("other")
    act.move(_terms(planes, dot), bar.to(float(rope.elsewhere.score), text(dot.total)), pace=EASY)


def _terms(planes: RotaryPairs, dot) -> list[Label]:
    """Each pair's share of the score, beside its dial."""
    return [number(text(term), FIGURE, weight="semibold").next_to(plane, DOWN, buff=px(74))
            for plane, term in zip(planes, dot.terms)]


def _largest(act: Act) -> float:
    """The furthest that the live bar has to reach."""
    rope = act.story.rope
    reached = [sum(rope.products[0].terms[:k + 1]) for k in range(len(rope.frequencies))]
    return max(map(abs, (*reached, rope.elsewhere.score)))
