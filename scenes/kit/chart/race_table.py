"""A race and its figures: how fast each runner is, how far it has to go, when it arrives."""

from collections.abc import Sequence

from manim import LEFT, RIGHT, UP, Animation, FadeOut, VGroup

from scenes.geometry import px
from scenes.kit.base.text import BODY, NOTE, Label
from scenes.kit.chart.column import Column
from scenes.kit.chart.race import Race
from scenes.kit.engine.readout import Readout
from scenes.kit.tensor.grid import ring

__all__ = ["RaceTable"]

_ARRIVALS = 1276  # px from the start to the end of the arrivals


class RaceTable(VGroup):
    """Names and speeds before the lanes, distances at their ends, arrivals at the right.

    `headings`: of speed, distance and arrival; `title` can change (`title.to`), `note` stands
    under the last speed ("" for none). There at first: lanes, speeds with their heading, title and
    note; the rest comes and goes by the methods, which return what is to be brought. The origin
    is the start of the first lane. Parts: `race`, `speeds`, `distances`, `arrivals`, `won`.
    """

    def __init__(self, names: Sequence[str], speeds: Sequence[str], limit: float,
                 headings: tuple[str, str, str], title: str, note: str,
                 roles: Sequence[str], pitch: float = 58) -> None:
        self.race = Race(names, [0] * len(names), limit, roles, length=860, pitch=pitch)
        self.race.stand((0, 0, 0)).names.shift(LEFT * px(200))
        speed, self._distance, self._arrival = (Label(text, NOTE) for text in headings)
        self.speeds = Column(self.race, speeds, -76, 28, head=speed)
        self.title = Readout(title, 30, "focus").move_to((-px(500), px(60), 0), LEFT)
        super().__init__(self.race, self.speeds, self.title)
        if note:
            self.add(self.speeds.flush(Label(note, NOTE), len(names) - 1, -44))
        self._results: list[VGroup] = []

    def distance_heading(self) -> Label:
        self.add(self._distance.move_to(self.race.at(0) + UP * px(60), LEFT))
        return self._distance

    def arrival_heading(self) -> Label:
        self.add(Column(self.race, [], _ARRIVALS).flush(self._arrival, above=60))
        return self._arrival

    def _result(self, mobject: VGroup) -> VGroup:
        self._results.append(mobject)
        return mobject

    def measure(self, figures: Sequence[tuple[str, str, str]]) -> VGroup:
        """The distances; `figures`: (distance, speed, arrival) of each runner, as written."""
        self.distances = self._result(self.race.measure([row[0] for row in figures]))
        return self.distances

    def arrive(self, figures: Sequence[tuple[str, str, str]]) -> VGroup:
        """The arrivals; `figures` as those of `measure`."""
        arrivals = Column(self.race, [row[2] for row in figures], _ARRIVALS)
        self.arrivals = self._result(arrivals.figures)
        return self.arrivals

    def win(self, lane: int, word: str) -> VGroup:
        """A ring around an arrival, and a word beside its distance."""
        label = Label(word, BODY, "focus", "semibold")
        label.next_to(self.distances[lane], RIGHT, buff=px(30))
        self.won = self._result(VGroup(ring(self.arrivals[lane], buff=10), label))
        self.add(*self._results)  # now that all of them have come: who carries the table on
        return self.won

    def clear(self) -> list[Animation]:
        """Animations: distances, arrivals and the winner go."""
        gone, self._results = self._results, []
        self.remove(*gone)
        return [FadeOut(mobject) for mobject in gone]
