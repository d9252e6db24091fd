"""The picture's geometry: pixels at 1080p, and the regions that a layout is made of. Pure data.

Kit and stage share this file and nothing else. The frame is 8 manim units high and 14 2/9 wide,
its middle at the origin, y upwards; sizes given in px are pixels of a 1920 x 1080 picture.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

__all__ = ["CAPTION_BAND", "FRAME", "FRAME_HEIGHT", "FRAME_WIDTH", "MARGIN", "STAGE", "Region",
           "px"]

FRAME_HEIGHT = 8.0  # manim units
FRAME_WIDTH = FRAME_HEIGHT * 16 / 9
PIXELS = 1080
MARGIN = 64  # px
CAPTION_BAND = 0.14  # the lowest share of the frame, kept empty for captions

Point = tuple[float, float, float]
_CENTER = (0, 0, 0)


def px(pixels: float) -> float:
    """Pixels at 1080p in manim units."""
    return pixels * FRAME_HEIGHT / PIXELS


@dataclass(frozen=True)
class Region:
    """A rectangle of the picture, in manim units. Gaps, insets and shifts are given in px."""

    left: float
    right: float
    top: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def center(self) -> Point:
        return ((self.left + self.right) / 2, (self.top + self.bottom) / 2, 0.0)

    def at(self, x: float = 0, y: float = 0, side: Iterable[float] = _CENTER) -> Point:
        """The middle of a side, a corner or the centre (`side` as manim's LEFT, UP + LEFT, ...),

        shifted by x px to the right and y px upwards.
        """
        middle, here = self.center, [int(s > 0) - int(s < 0) for s in side]
        return ((middle[0], self.right, self.left)[here[0]] + px(x),
                (middle[1], self.top, self.bottom)[here[1]] + px(y), 0.0)

    def columns(self, *shares: float, gap: float = 48) -> tuple["Region", ...]:
        """Regions side by side, as wide as their shares: columns(2, 1), columns(1, 1, 1)."""
        cuts = _cuts(self.left, self.width, shares, px(gap))
        return tuple(Region(start, end, self.top, self.bottom) for start, end in cuts)

    def rows(self, *shares: float, gap: float = 48) -> tuple["Region", ...]:
        """Regions from above to below, as high as their shares."""
        cuts = _cuts(-self.top, self.height, shares, px(gap))
        return tuple(Region(self.left, self.right, -start, -end) for start, end in cuts)

    def inset(self, left: float = 0, top: float = 0, right: float = 0,
              bottom: float = 0) -> "Region":
        """What is left within margins, in px."""
        return Region(self.left + px(left), self.right - px(right), self.top - px(top),
                      self.bottom + px(bottom))

    def place(self, mobject: Any, side: Iterable[float] = _CENTER, x: float = 0, y: float = 0,
              fill: float = 0) -> Any:
        """Put a mobject's side on this region's side, shifted by px; the mobject.

        `fill`: first scale it to this share of the free width or height, whichever binds.
        """
        if fill:
            mobject.scale(fill * min(self.width / mobject.width, self.height / mobject.height))
        return mobject.move_to(self.at(x, y, side), side)


def _cuts(start: float, length: float, shares: Sequence[float],
          gap: float) -> list[tuple[float, float]]:
    """Start and end of pieces of `length`, with gaps between them."""
    unit = (length - gap * (len(shares) - 1)) / sum(shares)
    starts = [start, *(start + unit * total + gap * (k + 1)
                       for k, total in enumerate(accumulate(shares)))]
    return [(a, a + unit * share) for a, share in zip(starts, shares)]


# The whole picture, its middle at the origin.
FRAME = Region(-FRAME_WIDTH / 2, FRAME_WIDTH / 2, FRAME_HEIGHT / 2, -FRAME_HEIGHT / 2)
# The free area between header and caption band.
STAGE = Region(px(MARGIN) - FRAME_WIDTH / 2, FRAME_WIDTH / 2 - px(MARGIN),
               FRAME_HEIGHT / 2 - px(180), FRAME_HEIGHT * (CAPTION_BAND - 0.5) + px(8))
