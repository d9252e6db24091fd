"""What is said and written, per language: `scenes/act04_scheduler/en.yaml`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from scenes.stage.catalog import act_folder

__all__ = ["BCP47", "ISO639", "LANGUAGES", "Words", "WordsError", "read_yaml", "reading_tenths",
           "unmarked"]

LANGUAGES = ("en", "zh")
BCP47 = {"en": "en", "zh": "zh-Hans"}
ISO639 = {"en": "eng", "zh": "zho"}  # as MP4 names the languages of its tracks
# Characters a second a viewer is given; subtitles may not exceed 17 and 9.
PACE = {"en": 16.5, "zh": 8.5}
PAUSE = 3  # tenths of silence after a line
_MARK = re.compile(r"\[([a-z][a-z0-9-]*)\] ?")


class WordsError(ValueError):
    """A words file lacks a key, or a text names a fact that the act does not give."""


def reading_tenths(language: str, text: str) -> int:
    """Time to read or say a line, in tenths of a second, the pause after it included."""
    return int(-int(-len(text) / PACE[language] * 10 // 1)) + PAUSE


def unmarked(text: str) -> tuple[str, dict[str, int]]:
    """A line without its cues, and each cue's place in it, in characters.

    "computes the prompt, [many] many tokens" -> ("computes the prompt, many tokens", {"many": 21})
    """
    parts = _MARK.split(text)
    plain, cues = parts[0], {}
    for name, rest in zip(parts[1::2], parts[2::2]):
        if name in cues:
            raise WordsError(f"the cue [{name}] stands twice in {text!r}")
        cues[name] = len(plain)
        plain += rest
    return plain.rstrip(), cues


def read_yaml(path: Path) -> Any:
    """A YAML file; in C where PyYAML was built with it, which is ten times as fast."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text(encoding="utf-8"), loader)


@cache
def _load(language: str, act: str) -> dict[str, Any]:
    path = act_folder(act) / f"{language}.yaml"
    try:
        words: dict[str, Any] = read_yaml(path)
    except FileNotFoundError:
        raise WordsError(f"{act} has no words in {language!r}: {path.parent.name}/{path.name} "
                         "is missing") from None
    except yaml.YAMLError as error:
        raise WordsError(f"{path.parent.name}/{path.name}: {error}") from error
    return words


@dataclass(frozen=True)
class Words:
    """The words of one act in one language. A text may hold {facts}."""

    language: str
    act: str

    @property
    def title(self) -> str:
        return str(self._get("title"))

    @property
    def leaves_out(self) -> str:
        """One line on what the act does not show."""
        return str(self._get("leaves_out"))

    def label(self, key: str, **facts: object) -> str:
        """A label of the picture, filled with facts."""
        return self._fill(self._get("labels", key), facts)

    def beat(self, name: str, facts: Mapping[str, object],
             variant: str | None = None) -> tuple[str, tuple[str, ...]]:
        """Title and narration lines of a beat; `variant` picks one of its alternatives."""
        entry = self._get("beats", name)
        if variant is not None:
            entry = {**entry, **self._get("beats", name, "variants", variant)}
        if missing := [key for key in ("title", "lines") if key not in entry]:
            raise WordsError(f"{self._where}: beats.{name} lacks {missing[0]!r}")
        lines = tuple(self._fill(line, facts) for line in entry["lines"])
        return self._fill(entry["title"], facts), lines

    @property
    def _where(self) -> str:
        return f"{act_folder(self.act).name}/{self.language}.yaml"

    def _get(self, *keys: str) -> Any:
        found: Any = _load(self.language, self.act)
        for depth, key in enumerate(keys):
            if not isinstance(found, dict) or key not in found:
                within = ".".join(keys[:depth]) or "it"
                raise WordsError(f"{self._where}: {within} lacks {key!r}")
            found = found[key]
        return found

    def _fill(self, text: Any, facts: Mapping[str, object]) -> str:
        if not isinstance(text, str):  # an unquoted ": " makes YAML read a mapping
            raise WordsError(f"{self._where}: put quotes around {text!r}")
        try:
            return text.format(**facts)
        except (KeyError, IndexError) as error:
            raise WordsError(f"{self._where}: no fact {error} for {text!r}") from None
