"""The viewer's own answer: in which steps it gets a token, and whose prompts made it wait."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from traces import Step
from traces.contrast import SimulatedStep

__all__ = ["YOURS", "Answer", "answer_of", "takers"]

YOURS = "B"


class Answer(NamedTuple):
    """`given`: for each step, from 0, whether it yields a token of yours.

    `causes`: step in which yours pauses -> whose prompts went first; empty where nobody's did, or
    where it also waited for a seat.
    """

    given: tuple[bool, ...]
    causes: dict[int, tuple[str, ...]]

    @property
    def names(self) -> list[str]:
        """Whose prompts went first, in the order in which they did."""
        return [*dict.fromkeys(name for names in self.causes.values() for name in names)]


def answer_of(steps: Sequence[Step]) -> Answer:
    given = tuple(YOURS in step.produced for step in steps)
    causes = {step.index: tuple(step.names) for step in steps
              if step.phase == "prefill" and YOURS in step.stalled}
    gaps = "".join("x" if each else "." for each in given).strip(".").count(".")
    return Answer(given, causes if gaps == len(causes) else {})


def takers(step: SimulatedStep, name: str, prompts: Mapping[str, int]) -> list[str]:
    """Whose decodes take the places in a mixed step that a prompt lacks; [] where others do."""
    decodes = [other for other, start, _ in step.parts if start >= prompts[other]]
    for other, start, count in step.parts:
        if other == name and 0 < prompts[name] - start - count <= len(decodes):
            return decodes
    return []
