"""What is said and written, per language: `scenes/words/<language>/<act>.yaml`."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

__all__ = ["BCP47", "LANGUAGES", "Words", "WordsError", "reading_tenths"]

ROOT = Path(__file__).parent.parent / "words"
LANGUAGES = tuple(sorted(p.name for p in ROOT.iterdir() if p.is_dir()))
BCP47 = {"en": "en", "zh": "zh-Hans"}
# Characters a second a viewer is given; subtitles may not exceed 17 and 9.
PACE = {"en": 16.5, "zh": 8.5}
PAUSE = 3  # tenths of silence after a line


class WordsError(ValueError):
    """A words file lacks a key, or a text names a fact that the act does not give."""


def reading_tenths(language: str, text: str) -> int:
    """Time to read or say a line, in tenths of a second, the pause after it included."""
    return -int(-len(text) / PACE[language] * 10 // 1) + PAUSE


def read_yaml(path: Path):
    """A YAML file; in C where PyYAML was built with it, which is ten times as fast."""
    return yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader",
                                                               yaml.SafeLoader))


@cache
def _load(language: str, act: str) -> dict:
    path = ROOT / language / f"{act}.yaml"
    try:
        return read_yaml(path)
    except FileNotFoundError:
        raise WordsError(f"{act} has no words in {language!r}: {path.name} is missing") from None
    except yaml.YAMLError as error:
        raise WordsError(f"{language}/{act}.yaml: {error}") from error


@dataclass(frozen=True)
class Words:
    """The words of one act in one language. A text may hold {facts}."""

    language: str
    act: str

    @property
    def title(self) -> str:
        return _load(self.language, self.act)["title"]

    @property
    def leaves_out(self) -> str:
        """One line on what the act does not show."""
        return _load(self.language, self.act)["leaves_out"]

    def label(self, key: str, **facts) -> str:
        """A label of the picture, filled with facts."""
        return self._fill(self._get("labels", key), facts)

    def beat(self, name: str, facts, variant: str | None = None) -> tuple[str, tuple[str, ...]]:
        """Title and narration lines of a beat; `variant` picks one of its alternatives."""
        entry = self._get("beats", name)
        if variant is not None:
            entry = {**entry, **entry["variants"][variant]}
        lines = tuple(self._fill(line, facts) for line in entry["lines"])
        return self._fill(entry["title"], facts), lines

    def _get(self, section: str, key: str):
        try:
            return _load(self.language, self.act)[section][key]
        except KeyError:
            raise WordsError(f"{self.language}/{self.act}.yaml: {section} lacks {key!r}") from None

    def _fill(self, text: str, facts) -> str:
        if not isinstance(text, str):  # an unquoted ": " makes YAML read a mapping
            raise WordsError(f"{self.language}/{self.act}.yaml: put quotes around {text!r}")
        try:
            return text.format(**facts)
        except (KeyError, IndexError) as error:
            where = f"{self.language}/{self.act}.yaml"
            raise WordsError(f"{where}: no fact {error} for {text!r}") from None
