"""What was asked for: act, size, rate, language, theme, parameters. Plain picklable data."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scenes.stage import LANGUAGES, Plan, act_names, load_act, parse, plan
from scenes.stage.params import nearest, shown
from studio.errors import RenderError, UsageError
from traces import TraceError

__all__ = ["QUALITIES", "THEMES", "Order", "require_known"]

# name -> width, height, frames a second; "tiny" is for tests
QUALITIES = {
    "draft": (854, 480, 30), "deck": (1280, 720, 30),
    "hd": (1920, 1080, 60), "uhd": (3840, 2160, 60), "tiny": (256, 144, 30),
}
RATES = (30, 60)
THEMES = ("dark", "light")
_SHORT_LIST = 4  # names, beyond which an error names only the nearest


def require_known(kind: str, name: Any, known: Iterable[Any]) -> None:
    """Raise UsageError, naming valid ones, unless `name` is among the known."""
    known = list(known)
    if name not in known:
        names = [str(item) for item in known if item != "tiny"]
        valid = nearest(str(name), names) if len(names) > _SHORT_LIST else ", ".join(names)
        raise UsageError(f"unknown {kind} {name!r}; valid: {valid}")


@dataclass(frozen=True)
class Order:
    """One variant of one act at one size. `settings` are ("name", "text") pairs, sorted.

    Without `all_languages`, other languages than its own may lack words: enough for a still.
    """

    act: str
    quality: str = "hd"
    rate: int | None = None
    language: str = "en"
    theme: str = "dark"
    settings: tuple[tuple[str, str], ...] = ()
    all_languages: bool = True

    def __post_init__(self) -> None:
        require_known("act", self.act, act_names())
        require_known("quality", self.quality, QUALITIES)
        require_known("language", self.language, LANGUAGES)
        require_known("theme", self.theme, THEMES)
        if self.rate is not None:
            require_known("rate", self.rate, RATES)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return QUALITIES[self.quality][:2]

    @property
    def fps(self) -> int:
        """Frames a second."""
        return self.rate or QUALITIES[self.quality][2]

    def planned(self) -> Plan:
        """The act's plan under these settings; raises ParamError for a wrong one, RenderError for
        a trace that is not the recorded one."""
        lecture = load_act(self.act)
        try:
            return plan(lecture, parse(lecture.params, dict(self.settings)),
                        language=self.language, all_languages=self.all_languages)
        except TraceError as error:
            raise RenderError(str(error)) from error

    def beat_index(self, planned: Plan, name: str) -> int:
        """Where a beat stands in the plan; raises UsageError for an unknown one."""
        names = [beat.name for beat in planned.beats]
        require_known(f"beat of {self.act}", name, names)
        return names.index(name)

    def variant(self, planned: Plan) -> str:
        """Name of the folder and its files: "act04", "act04.zh", "act04.light.budget-8"."""
        parts = [self.act]
        parts += [self.language] if self.language != "en" else []
        parts += [self.theme] if self.theme != "dark" else []
        parts += [f"{name}-{shown(value)}".replace(",", "-")
                  for name, value in sorted(planned.changed.items())]
        return ".".join(parts)
