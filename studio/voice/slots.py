"""The lines of a film and their places in its sound."""

from collections.abc import Iterator
from dataclasses import dataclass

from scenes.stage import Plan

__all__ = ["RATE", "TENTH", "Slot", "slots"]

RATE = 48000  # samples a second of every track
TENTH = RATE // 10  # samples
GAP = TENTH // 2  # samples of silence, at least, before the next line


@dataclass(frozen=True)
class Slot:
    """A line of narration and its place: `start` and `tenths` in tenths from the film's start."""

    beat: str
    number: int  # within the beat, from 1
    text: str
    start: int
    tenths: int

    @property
    def name(self) -> str:
        """Of a recording of this line."""
        return f"{self.beat}.{self.number}"

    @property
    def room(self) -> int:
        """Samples that the line's sound may have."""
        return self.tenths * TENTH - GAP


def slots(plan: Plan) -> Iterator[Slot]:
    """All lines of a film in its language, in order."""
    for beat in plan.beats:
        for number, line in enumerate(beat.lines, 1):
            yield Slot(beat.name, number, line.text[plan.language], line.start, line.tenths)
