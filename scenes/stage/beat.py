"""A beat: a named, whole number of tenths of a second."""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Mark", "Source", "beat", "beats_of"]

COMMIT = "bb823b3"


@dataclass(frozen=True)
class Source:
    """Where a beat's numbers come from: the text of the badge.

    `kind` is REAL TRACE, HAND-COMPUTED, SCALED-DOWN or SIMULATED; `trace` an id, or "".
    """

    kind: str
    trace: str = ""
    weights: str = ""

    def __str__(self) -> str:
        return " · ".join(part for part in (self.kind, self.trace, self.weights) if part)


@dataclass(frozen=True)
class Mark:
    """What `@beat` says of a method. Callables take the act's story."""

    least: tuple[int, ...] | Callable  # tenths that each narration line needs for its movements
    anchors: tuple[str, ...]
    source: Source | Callable | None
    steps: tuple[int, ...] | Callable  # the engine's steps shown
    header: bool
    keep: bool
    variant: Callable | None


def beat(*least, anchors=(), source=None, steps=(), header=True, keep=False,
         variant=None):
    """Mark a method of an Act as a beat, named after the method (`first_cut` -> "first-cut").

    `least`: one number of tenths per narration line, the time its movements need; or one
    callable from the story to such a tuple. The line lasts at least as long as reading it takes
    in the slowest language. `header=False` for a title card. `keep=True`: the picture
    of the beat before stays; otherwise it fades out as the header turns.
    """
    times = least[0] if len(least) == 1 and callable(least[0]) else tuple(least)
    anchors = (anchors,) if isinstance(anchors, str) else tuple(anchors)

    def mark(method):
        method.beat = Mark(times, anchors, source, steps, header, keep, variant)
        return method

    return mark


def beats_of(act) -> dict[str, Mark]:
    """Beat name -> Mark, in the order of definition, those of a base class first."""
    return {
        name.replace("_", "-"): method.beat
        for cls in reversed(act.__mro__)
        for name, method in vars(cls).items()
        if hasattr(method, "beat")
    }
