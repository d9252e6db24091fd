"""Act 03's races, as plain data: who runs, who wins first, and how often each one wins."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np

from scenes.lessons.rounding import shown, significant, text
from scenes.lessons.sampling import Race, Races, races

__all__ = ["LANES", "RACES", "Contest", "arrival", "chance", "figures", "gap", "percent", "runners",
           "running", "spread"]

LANES = 7  # tokens with a lane of their own; all others race as one
RACES = 10_000
OPENED = (10, 100, 1_000, RACES)  # after how many races the shares are shown


def chance(p: float, digits: int = 3) -> str:
    """A probability; one that would be shown as 0 says that it is not."""
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if 0 < p < least / 2 else text(shown(p, digits))


def arrival(time: float) -> str:
    """An arrival time: two decimals, or two figures where only its size matters."""
    if time >= 10_000:
        return "> 9999"
    return significant(time, 2) if time >= 10 else text(shown(time))


def percent(ratio: float) -> str:
    """A ratio as a count for each 100."""
    return significant(100 * ratio, 3) if ratio >= 1e-4 else "<0.01"


def runners(probabilities: np.ndarray) -> np.ndarray:
    """Probabilities [LANES + 1] of the runners from those of all tokens [V], falling.

    The last runner is the rest as one: the first arrival among them is again exponential, with
    their total as its rate.
    """
    p = probabilities[:LANES]
    return np.append(p, max(1 - p.sum(), 0))


def gap(shares: np.ndarray, field: np.ndarray) -> tuple[str, int]:
    """The largest difference from p, both as shown with four digits, and whose it is."""
    gaps = [abs(shown(a, 4) - b) for a, b in zip(shares, rounded(field))]
    return text(max(gaps)), gaps.index(max(gaps))


def running(row: list[float]) -> tuple[list[str], list[str]]:
    """Probabilities [n] as shown, the last one the rest, and their running sums."""
    return figures(row), [text(shown(x, 4)) for x in np.cumsum(row)]


def rounded(row: list[float]) -> list[Decimal]:
    """Four digits each: the steps between the true running sums, rounded.

    So a column adds up to what is shown beside it, each figure is less than a unit from the
    truth, and a token has the same one whether 7 or 10 tokens stand before the rest.
    """
    sums = [shown(x, 4) for x in np.cumsum(row)]
    return [after - before for before, after in zip([Decimal(0), *sums], sums)]


def figures(row: list[float]) -> list[str]:
    """As rounded; what is not 0 does not look like 0."""
    return [text(d) if d or not p else "<0.0001" for p, d in zip(row, rounded(row))]


def spread(field: np.ndarray, draws: int) -> list[str]:
    """How far chance alone moves a share of `draws` draws: the binomial's standard deviation."""
    return [text(shown(float(np.sqrt(p * (1 - p) / draws)), 4)) for p in field]


@dataclass(frozen=True, eq=False)
class Contest:
    """RACES races over `field` [LANES + 1]."""

    field: np.ndarray
    seed: int

    @cached_property
    def speeds(self) -> list[str]:
        """The field as shown."""
        return figures(self.field)

    def arrivals(self, race: Race) -> list[float]:
        """Times [LANES + 1] worked from distances and speeds as shown, so that a viewer can redo
        them; the exact ones where a speed is shown as 0 or rounding would change the winner."""
        pairs = zip(race.exponentials, rounded(self.field), race.times)
        times = [float(shown(e, 3) / p) if p else float(t) for e, p, t in pairs]
        return times if times.index(min(times)) == race.winner else list(map(float, race.times))

    @cached_property
    def races(self) -> Races:
        return races(self.field, RACES, self.seed)

    def race(self, index: int) -> Race:
        return races(self.field, index + 1, self.seed, index + 1).opening[index]

    @cached_property
    def favourite_index(self) -> int:
        """The first race that the most probable token wins."""
        return int(np.flatnonzero(self.races.winners == 0)[0])

    @cached_property
    def upset_index(self) -> int | None:
        """The first race that another token of its own lane wins, or the rest; None if none."""
        winners = self.races.winners
        named = np.flatnonzero((winners > 0) & (winners < LANES))
        found = named if len(named) else np.flatnonzero(winners)
        return int(found[0]) if len(found) else None

    @cached_property
    def favourite(self) -> Race:
        return self.race(self.favourite_index)

    @cached_property
    def second_index(self) -> int:
        """The race shown second: the upset, or the one after the first if there is none."""
        return self.favourite_index + 1 if self.upset_index is None else self.upset_index

    @cached_property
    def second(self) -> Race:
        return self.race(self.second_index)

    @cached_property
    def limit(self) -> float:
        """The longest distance drawn: both winners arrive within it."""
        ends = (float(r.exponentials[r.winner]) for r in (self.favourite, self.second))
        return max(2.6, *(1.05 * end for end in ends))

    @cached_property
    def shares(self) -> tuple:
        """(races, wins / races [LANES + 1]) after so many races."""
        return tuple((n, np.bincount(self.races.winners[:n], minlength=LANES + 1) / n)
                     for n in OPENED)

    @property
    def outcome(self) -> str:
        """Who wins the second race: a "named" token, one of the "others", or "never" another."""
        if self.upset_index is None:
            return "never"
        return "named" if self.second.winner < LANES else "others"
