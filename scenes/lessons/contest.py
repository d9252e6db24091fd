"""Act 03's races, told: a race that the favourite wins, one that it loses, and how often."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .rounding import shown, text
from .sampling import Race, Races, races
from .shares import chance, column, rounded

__all__ = ["Contest", "Figures", "arrival", "lumped", "race_arrivals", "race_figures", "rain"]


class Figures(NamedTuple):
    """A runner in one race, as written: distance / speed ≈ arrival."""

    distance: str
    speed: str
    arrival: str


def arrival(time: float) -> str:
    """An arrival time, to three figures or whole seconds: so that a check of it holds."""
    if time >= 10_000:
        return "> 9999"
    return text(shown(time, 2 if time < 10 else 1 if time < 100 else 0))


def lumped(probabilities: np.ndarray, first: int) -> np.ndarray:
    """The `first` probabilities of a row [V] and the rest as one: [first + 1].

    In a race the rest may run as one: the first arrival among them is again exponential, with
    their total as its rate.
    """
    p = probabilities[:first]
    return np.append(p, max(1 - p.sum(), 0))


def race_arrivals(field: np.ndarray, race: Race) -> list[float]:
    """Times [n + 1] worked from distances and speeds as shown, so that a viewer can redo them;

    the exact ones where a speed is shown as 0 or rounding would change the winner.
    """
    pairs = [(shown(e, 3), p, t) for e, p, t in zip(race.exponentials, rounded(field), race.times)]
    times = [float(e / p) if e and p else float(t) for e, p, t in pairs]
    return times if times.index(min(times)) == race.winner else list(map(float, race.times))


def race_figures(field: np.ndarray, race: Race) -> list[Figures]:
    """Each runner's [n + 1]."""
    distances = (chance(float(e)) for e in race.exponentials)
    return list(map(Figures, distances, column(field), map(arrival, race_arrivals(field, race))))


def rain(field: np.ndarray, race: Race, seed: int, until: float) -> list[tuple[float, int]]:
    """Drops (time, lane) up to `until`, in order: in each lane they fall at rate p for ever.

    A lane's first drop is its arrival in `race`; each further gap is again exponential, over p.
    """
    draw = np.random.default_rng(seed)
    drops = []
    for lane, (p, arrival) in enumerate(zip(field, race.times)):
        time = arrival
        while p and time <= until:
            drops.append((float(time), lane))
            time += draw.exponential() / p
    return sorted(drops)


@dataclass(frozen=True, eq=False)
class Contest:
    """`count` races over `field`: probabilities [n + 1], falling, the last of which is the rest."""

    field: np.ndarray
    seed: int
    count: int = 10_000

    @cached_property
    def speeds(self) -> list[str]:
        """The field as shown."""
        return column(self.field)

    @cached_property
    def races(self) -> Races:
        return races(self.field, self.count, self.seed)

    def _race(self, index: int) -> Race:
        return races(self.field, index + 1, self.seed, index + 1).opening[index]

    @cached_property
    def favourite_index(self) -> int:
        """The first race that the most probable token wins."""
        return int(np.flatnonzero(self.races.winners == 0)[0])

    @cached_property
    def _upset_index(self) -> int | None:
        """The first race that another token wins, or else the rest; None if there is none."""
        winners = self.races.winners
        named = np.flatnonzero((winners > 0) & (winners < len(self.field) - 1))
        found = named if len(named) else np.flatnonzero(winners)
        return int(found[0]) if len(found) else None

    @cached_property
    def favourite(self) -> Race:
        return self._race(self.favourite_index)

    @cached_property
    def second_index(self) -> int:
        """The race shown second: the upset, or the one after the first if there is none."""
        return self.favourite_index + 1 if self._upset_index is None else self._upset_index

    @cached_property
    def second(self) -> Race:
        return self._race(self.second_index)

    @property
    def outcome(self) -> str:
        """Who wins the second race: a "named" token, one of the "others", or "never" another."""
        if self._upset_index is None:
            return "never"
        return "named" if self.second.winner < len(self.field) - 1 else "others"

    @cached_property
    def limit(self) -> float:
        """The longest distance drawn: both winners arrive within it, and up to 3 the favourite

        of the race that it loses.
        """
        ends = [float(r.exponentials[r.winner]) for r in (self.favourite, self.second)]
        ends.append(min(float(self.second.exponentials[0]), 3.0))
        return max(2.6, *(1.05 * end for end in ends))

    def shares(self) -> list[tuple[int, np.ndarray]]:
        """(races, wins / races [n + 1]) after 10, 100, ... races, and after all of them."""
        after = [10**k for k in range(1, 9) if 10**k < self.count] + [self.count]
        return [(races, np.bincount(self.races.winners[:races], minlength=len(self.field)) / races)
                for races in after]
