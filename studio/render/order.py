"""What was asked for: act, size, rate, language, theme, parameters. Plain picklable data."""

from dataclasses import dataclass

from scenes.stage import (
    LANGUAGES,
    ParamError,
    Plan,
    UnknownActError,
    WordsError,
    act_names,
    load_act,
    parse,
    plan,
)
from scenes.stage.params import nearest, shown

__all__ = ["QUALITIES", "THEMES", "Order", "ParamError", "UnknownActError", "UsageError",
           "WordsError"]

# name -> width, height, frames a second; "tiny" is for tests
QUALITIES = {
    "draft": (854, 480, 30), "deck": (1280, 720, 30),
    "hd": (1920, 1080, 60), "uhd": (3840, 2160, 60), "tiny": (256, 144, 30),
}
RATES = (30, 60)
THEMES = ("dark", "light")


class UsageError(ValueError):
    """A wrong name or value on the command line; the message names the valid ones."""


def choose(kind: str, name, known) -> None:
    if name not in known:
        names = [str(item) for item in known if item != "tiny"]
        valid = nearest(str(name), names) if len(names) > 4 else ", ".join(names)
        raise UsageError(f"unknown {kind} {name!r}; valid: {valid}")


@dataclass(frozen=True)
class Order:
    """One variant of one act at one size. `settings` are ("name", "text") pairs, sorted."""

    act: str
    quality: str = "hd"
    rate: int | None = None
    language: str = "en"
    theme: str = "dark"
    settings: tuple[tuple[str, str], ...] = ()

    def __post_init__(self):
        choose("act", self.act, act_names())
        choose("quality", self.quality, QUALITIES)
        choose("language", self.language, LANGUAGES)
        choose("theme", self.theme, THEMES)
        if self.rate is not None:
            choose("rate", self.rate, RATES)

    @property
    def size(self) -> tuple[int, int]:
        return QUALITIES[self.quality][:2]

    @property
    def fps(self) -> int:
        return self.rate or QUALITIES[self.quality][2]

    def planned(self) -> Plan:
        """The act's plan under these settings; raises ParamError for a wrong one."""
        act = load_act(self.act)
        return plan(act, parse(act.Params, dict(self.settings)))

    def beat_index(self, planned: Plan, name: str) -> int:
        names = [beat.name for beat in planned.beats]
        choose(f"beat of {self.act}", name, names)
        return names.index(name)

    def variant(self, planned: Plan) -> str:
        """Name of the folder and its files: "act04", "act04.zh", "act04.light.budget-8"."""
        parts = [self.act]
        parts += [self.language] if self.language != "en" else []
        parts += [self.theme] if self.theme != "dark" else []
        parts += [f"{name}-{shown(value)}".replace(",", "-")
                  for name, value in sorted(planned.changed.items())]
        return ".".join(parts)
