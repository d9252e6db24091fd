"""What is said and written, per language: `scenes/act04_scheduler/en.yaml`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from scenes.stage.catalog import act_folder
from scenes.stage.yaml_files import WordsError, place, read_yaml

__all__ = ["BCP47", "ISO639", "LANGUAGES", "Words", "WordsError", "read_yaml", "reading_tenths",
           "silence", "unmarked"]

LANGUAGES = ("en", "zh")
BCP47 = {"en": "en", "zh": "zh-Hans"}
ISO639 = {"en": "eng", "zh": "zho"}  # as MP4 names the languages of its tracks
# Characters a second a viewer is given; subtitles may not exceed 17 and 9.
PACE = {"en": 16.5, "zh": 8.5}
PAUSE = 3  # tenths of silence after a line
_LONGEST_RUN = 36  # Latin letters without a space: a row of subtitles, in either language
_UNBROKEN = re.compile(rf"[^\s\u2e80-\uffff]{{{_LONGEST_RUN + 1},}}")
_MARK = re.compile(r"\[([a-z][a-z0-9-]*)\] ?")
_REST = re.compile(r"rest-(\d+)")  # a mark after the last word: tenths in which nothing is said


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


def silence(cues: Mapping[str, int]) -> tuple[int, dict[str, int]]:
    """Tenths of silence after a line, from its mark [rest-12]; and the other marks, the cues."""
    rests = {name: match for name in cues if (match := _REST.fullmatch(name))}
    return (sum(int(match[1]) for match in rests.values()),
            {name: place for name, place in cues.items() if name not in rests})


@cache
def _load(language: str, act: str) -> dict[str, Any]:
    path = act_folder(act) / f"{language}.yaml"
    try:
        words: dict[str, Any] = read_yaml(path)
    except FileNotFoundError:
        raise WordsError(f"scenes/{path.parent.name}/{path.name}: missing; {act} has no words in "
                         f"{language!r}") from None
    return words


@dataclass(frozen=True)
class Words:
    """The words of one act in one language. A text may hold {facts}.

    A fact that is itself a word is a mapping from language to text.
    """

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
        return self._fill(self._get("labels", key), facts, "labels", key)

    def beat(self, name: str, facts: Mapping[str, object],
             variant: str | None = None) -> tuple[str, tuple[str, ...]]:
        """Title and narration lines of a beat; `variant` picks one of its alternatives.

        Raises WordsError, naming file and line, for a text that cannot be shown or cut.
        """
        (title, title_way), (lines, lines_way) = (
            self._entry(name, key, variant) for key in ("title", "lines"))
        return (self._shown(title, facts, *title_way),
                tuple(self._shown(line, facts, *lines_way, k) for k, line in enumerate(lines)))

    def place(self, *keys: str | int) -> str:
        """File and line of what stands behind these keys."""
        return place(self._path, *keys)

    def _entry(self, name: str, key: str, variant: str | None) -> tuple[Any, tuple[str, ...]]:
        """A beat's title or lines, and the keys that lead to it."""
        entry: Any = self._get("beats", name)
        way: tuple[str, ...] = ("beats", name)
        if variant is not None:
            variants = entry.get("variants") or {}
            if variant not in variants:
                raise WordsError(f"{self.place(*way)}: beat {name} lacks the variant {variant!r}")
            if key in variants[variant]:
                entry, way = variants[variant], (*way, "variants", variant)
        if not (entry or {}).get(key):
            raise WordsError(f"{self.place(*way)}: beat {name} has no {key}")
        return entry[key], (*way, key)

    @property
    def _path(self) -> Path:
        return act_folder(self.act) / f"{self.language}.yaml"

    def _get(self, *keys: str) -> Any:
        found: Any = _load(self.language, self.act)
        for depth, key in enumerate(keys):
            if not isinstance(found, dict) or key not in found:
                within = ".".join(keys[:depth]) or "it"
                raise WordsError(f"{self.place(*keys[:depth])}: {within} lacks {key!r}")
            found = found[key]
        return found

    def _shown(self, text: Any, facts: Mapping[str, object], *way: str | int) -> str:
        """A title or a line of narration: one line that can be read and broken."""
        filled = self._fill(text, facts, *way).strip()
        if not filled:
            raise WordsError(f"{self.place(*way)}: an empty text; write one or leave the line out")
        if "\n" in filled:
            raise WordsError(f"{self.place(*way)}: {filled!r} holds a line break; titles and lines "
                             "of narration are broken by the program")
        for run in _UNBROKEN.findall(filled):
            raise WordsError(f"{self.place(*way)}: {run[:20]}… has no place to break a subtitle; "
                             f"put a space within {_LONGEST_RUN} letters")
        return filled

    def _fill(self, text: Any, facts: Mapping[str, object], *way: str | int) -> str:
        if not isinstance(text, str):  # an unquoted ": " makes YAML read a mapping
            raise WordsError(f"{self.place(*way)}: put quotes around {text!r}")
        try:
            return text.format(**{name: fact[self.language] if isinstance(fact, dict) else fact
                                  for name, fact in facts.items()})
        except (KeyError, IndexError) as error:
            raise WordsError(f"{self.place(*way)}: no fact {error} for {text!r}") from None
        except ValueError as error:
            raise WordsError(f"{self.place(*way)}: {error} in {text!r}; a brace is written twice: "
                             "{{") from None
