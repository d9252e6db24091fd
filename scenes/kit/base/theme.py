"""Two themes by role: an act names a role ("focus"), never a colour."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from manim import ManimColor

__all__ = ["DARK", "LIGHT", "REQUESTS", "THEMES", "Theme", "current", "mix", "paint",
           "request_roles", "use"]

REQUESTS = ("ra", "rb", "rc", "rd", "re")  # five hues; a request is also told by its letter


@dataclass(frozen=True)
class Theme:
    """Hex colours of one theme, by role; hues after Okabe and Ito (2008)."""

    name: str
    ground: str
    ink: str
    muted: str
    line: str  # decoration only: below 3 : 1
    panel: str
    q: str
    k: str
    v: str
    focus: str  # edges, rings and words of what to look at
    glow: str  # a fill under what to look at
    d: str  # a fourth matrix, such as attention weights
    e: str  # a fifth
    stop: str  # thrown away, stalled, wasted
    ra: str  # five requests: cyan, pink, violet, lime, sand
    rb: str
    rc: str
    rd: str
    re: str

    @property
    def roles(self) -> tuple[str, ...]:
        return tuple(f.name for f in fields(self) if f.name != "name")


DARK = Theme("dark", "#10151C", "#E8EDF2", "#8E8D9B", "#2A3440", "#18202A",
             "#56B4E9", "#E69F00", "#009E73", "#F0E442", "#343622", "#CC79A7", "#B39DDB", "#F0715A",
             "#4FEBE8", "#FF97CA", "#B25CFE", "#78E070", "#FCCBB4")
LIGHT = Theme("light", "#FFFFFF", "#17202B", "#62626E", "#C9D2DB", "#F4F6F8",
              "#0072B2", "#A85B00", "#007A59", "#17202B", "#FFF3A3", "#9A3F75", "#5E46A8",
              "#C54850", "#12545C", "#885E8C", "#4318D0", "#5A5A10", "#5C0A10")
THEMES = {theme.name: theme for theme in (DARK, LIGHT)}
_current = DARK


def use(name: str) -> Theme:
    """Make a theme current for everything built from now on (one act, one process)."""
    global _current  # noqa: PLW0603
    _current = THEMES[name]
    return _current


def current() -> Theme:
    return _current


def paint(role: str) -> ManimColor:
    """The colour of a role in the current theme; AttributeError for an unknown role."""
    return ManimColor(getattr(_current, role))


def mix(role: str, share: float, base: str = "ground") -> ManimColor:
    """`role` laid over `base` with opacity `share`, as an opaque colour: no see-through fills."""
    return paint(base).interpolate(paint(role), share)


def request_roles(names: Iterable[str]) -> dict[str, str]:
    """Request name -> role, in the order of arrival; a sixth request takes the first hue again."""
    return {name: REQUESTS[k % len(REQUESTS)] for k, name in enumerate(names)}
