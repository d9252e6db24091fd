"""Does the picture move while it is said? `python -m studio.pacing act04 --lang zh`.

For every beat: the longest stretch in which somebody speaks and nothing moves, how far movements
start from the words they hang on, and how much of the stage the settled picture fills.
"""

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import typer

from scenes.stage import ParamError
from scenes.stage.act import Span
from scenes.stage.plan import GRID, PlannedBeat
from scenes.stage.speech import speaking_seconds
from studio.errors import UsageError
from studio.render.order import Order

__all__ = ["FILLED", "LATE", "STILL", "Pace", "measure", "pace_of"]

STILL, LATE, FILLED = 3.0, 0.5, 0.85  # seconds, seconds, share of the free width or height
_TOP, _BOTTOM, _MARGIN = 180 / 1080, 0.86, 64 / 1920  # the stage, as shares of the picture


@dataclass(frozen=True)
class Pace:
    """One beat. Seconds, but for `filled`, the larger share of the stage's width or height."""

    beat: str
    seconds: float
    moving: float
    still: float
    late: float
    cue: str  # the one that `late` was measured at
    filled: float

    def judged(self) -> tuple[tuple[str, bool], ...]:
        """Longest stillness, lateness and filling as text, each with whether it is too much."""
        return ((f"{self.still:.1f}", self.still > STILL), (f"{self.late:.1f}", self.late > LATE),
                (f"{self.filled:.0%}", self.filled < FILLED))

    def told(self) -> list[tuple[str, str, bool]]:
        """The same for a reader, (what, value, too much), with how much of the time moves."""
        still, late, filled = self.judged()
        return [("moving", f"{self.moving / self.seconds:.0%}", False),
                ("longest stillness while spoken", f"{still[0]} s", still[1]),
                ("furthest from its words" + (f", [{self.cue}]" if self.cue else ""),
                 f"{late[0]} s", late[1]),
                ("of the stage filled", *filled)]


def _spoken(beat: PlannedBeat, language: str) -> list[tuple[int, int]]:
    """(start, end) of each line's speech, in frames at 30 a second from the beat's start."""
    return [(3 * (line.start - beat.start),
             3 * (line.start - beat.start) + round(
                 GRID * speaking_seconds(language, line.text[language])))
            for line in beat.lines]


def longest_still(spans: list[Span], spoken: list[tuple[int, int]]) -> int:
    """Frames of the longest stretch without movement; what lies after the last word is left out."""
    longest = run = 0
    end = spoken[-1][1]
    for span in spans:
        run = 0 if span.moving else run + max(0, min(span.start + span.frames, end) - span.start)
        longest = max(longest, run)
    return longest


def _filled(pixels: np.ndarray) -> float:
    """The larger of the shares of the stage's width and height that ink spans; RGB [h, w, 3]."""
    height, width = pixels.shape[:2]
    stage = pixels[int(_TOP * height):int(_BOTTOM * height),
                   int(_MARGIN * width):int((1 - _MARGIN) * width)].astype(int)
    ink = np.abs(stage - pixels[0, 0]).max(axis=2) > 24
    if not ink.any():
        return 0.0
    spans = (np.flatnonzero(ink.any(axis=axis)) for axis in (0, 1))
    return max(int(found[-1] - found[0] + 1) / int(size)
               for found, size in zip(spans, ink.shape[::-1]))


def _only(wanted: int, _: str, start: int, count: int) -> list[int]:
    return [wanted] if start <= wanted < start + count else []


def pace_of(beat: PlannedBeat, language: str, spans: list[Span], last: np.ndarray) -> Pace:
    """The pace of a beat that was played: its spans, and its last picture, RGB [h, w, 3]."""
    late, cue = max(((abs(span.start - 3 * beat.cues[span.cue].tenths), span.cue)
                     for span in spans if span.cue), default=(0, ""))
    still = longest_still(spans, _spoken(beat, language))
    return Pace(beat.name, beat.tenths / 10,
                sum(span.frames for span in spans if span.moving) / GRID,
                still / GRID, late / GRID, cue, _filled(last))


def measure(order: Order) -> Iterator[Pace]:
    """Play an act, drawing each beat's last picture alone."""
    from studio.draw.player import Player

    planned = order.planned()
    with tempfile.TemporaryDirectory() as media:
        player = Player(order, media)
        player.start()
        for index, beat in enumerate(planned.beats):
            drawn: list[np.ndarray] = []
            player.play(index, partial(_only, beat.frames(order.fps) - 1),
                        lambda *picture, drawn=drawn: drawn.append(
                            picture[2][..., :3].copy()))
            yield pace_of(beat, order.language, player.act.spans, drawn[-1])


def main(act: str, lang: str = "en", theme: str = "dark") -> None:
    """Print the pace of every beat; "!" marks what is beyond design.md's limits."""
    try:
        order = Order(act, "tiny", None, lang, theme, all_languages=False)
    except (UsageError, ParamError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise typer.Exit(2) from None
    print(f"{'beat':28}{'length':>8}{'moving':>8}{'still':>9}{'late':>8}{'filled':>9}  cue")
    for pace in measure(order):
        (still, slow), (late, off), (filled, bare) = pace.judged()
        print(f"{pace.beat:28}{pace.seconds:7.1f}s{pace.moving / pace.seconds:8.0%}"
              f"{still + ' !'[slow]:>9}{late + ' !'[off]:>8}{filled + ' !'[bare]:>9}  {pace.cue}")


if __name__ == "__main__":
    typer.run(main)
