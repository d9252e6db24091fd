"""From a line as it is written to the words that a voice says: `scenes/lexicon/<language>.yaml`.

Every character is accounted for: it is a letter, a stop, or something the lexicon or a rule here
puts into words. What nobody says is an error, never silence.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from scenes.stage.numerals import NUMERALS
from scenes.stage.yaml_files import read_yaml

__all__ = ["SpeechError", "lexicon", "spoken"]

ROOT = Path(__file__).parent.parent / "lexicon"
NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
NAME = r"[A-Za-z_][A-Za-z0-9_]*"
STOPS = frozenset(".,;:?!，。；：？！、")
QUOTES = frozenset("\"“”‘’「」『』《》")
_STOP, _HAN = ".;:?!。；：？！、", "\u4e00-\u9fff，。；：？！、"
BRACKETS = frozenset("()（）[]—–")
# the pieces that remain when lexicon and forms are done
TOKEN = re.compile(rf"(?P<number>{NUMBER})|(?P<word>[A-Za-z]+(?:['’][a-z]+)?)|"
                   r"(?P<han>[\u4e00-\u9fff]+)|(?P<space>\s+)|(?P<other>.)", re.S)
# a digit before one of these counts things, so that two of them are 两, not 二
MEASURES = "个步次块场幕层行列对头条种倍位半遍组张根份"


class SpeechError(ValueError):
    """A line holds a character that neither the lexicon nor a rule says."""


@cache
def lexicon(language: str) -> dict[str, Any]:
    """The lexicon of a language, its words after those of the language it borrows from."""
    own: dict[str, Any] = read_yaml(ROOT / f"{language}.yaml")
    if "borrows" in own:
        own["words"] = {**lexicon(own["borrows"])["words"], **own["words"]}
    return own


def spoken(language: str, text: str) -> str:
    """The words of `text` with their stops, numbers and signs in words: what a voice is given.

    Raises SpeechError naming the character that nothing says.
    """
    return _Reader.of(language).read(text)


class _Reader:
    """The rules of one language."""

    @classmethod
    @cache
    def of(cls, language: str) -> "_Reader":
        return cls(language)

    def __init__(self, language: str) -> None:
        rules = lexicon(language)
        self.numeral = NUMERALS[language]
        self.counts = language == "zh"
        self.words: dict[str, str] = rules["words"]
        self.signs: dict[str, str] = rules["signs"]
        self.units: dict[str, Any] = rules["units"]
        self.forms: dict[str, str] = rules["forms"]
        self._whole = _alternatives(self.words)
        self._rules = self._make_rules()

    def read(self, text: str) -> str:
        text = " ".join(text.split())
        text = self._whole.sub(lambda m: self._word(m.group()), text)
        for pattern, say in self._rules:
            text = pattern.sub(say, text)
        said = "".join(self._token(match, text) for match in TOKEN.finditer(text))
        return _tidy(said)

    def _make_rules(self) -> list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]]:
        """Forms, in the order in which they are looked for."""
        form, units = self.forms, "|".join(map(re.escape, sorted(self.units, key=len)[::-1]))

        def filled(name: str) -> Callable[[re.Match[str]], str]:
            return lambda m: form[name].format(*(g for g in m.groups() if g is not None))

        rules: list[tuple[str, Callable[[re.Match[str]], str]]] = [
            (r"([\w/]*\w/\w+\.\w+|\w+\.(?:py|yaml|json|jsonl|toml|md)\b)(?::(\d+))?", self._file),
            (r"\[([^\[\]]+)\]", lambda m: form["axes"].join(re.split(r"\s*,\s*", m.group(1)))),
            (rf"\(({NUMBER}),\s*({NUMBER})\)", filled("pair")),
            (rf"({NAME}|{NUMBER})\^(?:\(([^()]*)\)|(\w+))", filled("power")),
            (rf"({NAME}|{NUMBER})²", filled("square")),
            (rf"({NAME}|{NUMBER})³", filled("cube")),
            (rf"({NAME})ᵀ", filled("transposed")),
            (rf"\b({NAME})\(\)", lambda m: m.group(1)),
            (rf"\b({NAME}(?: \w+)?)\(([^()]*)\)", filled("of")),
            (rf"(?<![\d.,])((?:{NUMBER})(?:\s?[–-]\s?(?:{NUMBER}))?)\s?%", filled("percent")),
            (rf"({NUMBER})\s?({units})(?![A-Za-z/])", self._unit),
            (rf"({NUMBER})\s?–\s?({NUMBER})", filled("range")),
            (rf"({NUMBER}) : (?={NUMBER})", lambda m: form["ratio"].format(m.group(1), "")),
            (r"(?:(?<=[\s(])|^)[−-](?=\S)", lambda m: form["minus"].format("")),
            (r"(?<=[A-Za-z])\.(?=[A-Za-z])", lambda m: form["dot"]),
        ]
        return [(re.compile(pattern, re.ASCII), say) for pattern, say in rules]

    def _file(self, match: re.Match[str]) -> str:
        path, line = match.groups()
        path = path.replace("/", self.forms["slash"]).replace(".", self.forms["dot"])
        return self.forms["line"].format(path, line) if line else path

    def _unit(self, match: re.Match[str]) -> str:
        number, unit = match.groups()
        name = self.units[unit]
        if isinstance(name, list):
            name = name[number != "1"]
        return f"{number} {name}"

    def _word(self, word: str) -> str:
        return self.words.get(word) or self.words[word[0].lower() + word[1:]]

    def _token(self, match: re.Match[str], text: str) -> str:
        kind, piece = str(match.lastgroup), match.group()
        if kind == "number":
            after = text[match.end():].lstrip()[:1]
            if self.counts and piece == "2" and after and after in MEASURES:
                before = text[:match.start()].rstrip()[-1:]
                return "二" if before == "第" else "两"
            return f" {self.numeral(piece)} "
        if kind == "word":
            return f" {self.words.get(piece, piece)} "  # also a part of a name, such as num_seqs
        if kind in ("han", "space"):
            return piece
        return self._sign(piece, text, match.start())

    def _sign(self, sign: str, text: str, at: int) -> str:
        if sign in STOPS or sign in QUOTES:
            return sign
        if sign in self.signs:
            return f" {self.signs[sign]} "
        if sign in BRACKETS:
            return self.forms["aside"]
        if sign == "_" or (sign == "-" and f" {text}"[at].isalnum()):  # inside a name, or after
            return " "
        raise SpeechError(f"nothing says {sign!r} (U+{ord(sign):04X}) in {text!r}")


def _alternatives(words: dict[str, str]) -> re.Pattern[str]:
    """Any of the words, the longest first, not inside another; a first letter may be a capital."""
    def one(word: str) -> str:
        first = word[0]
        head = f"[{first}{first.upper()}]" if first.islower() and first.isascii() else ""
        body = head + re.escape(word[1:]) if head else re.escape(word)
        return ((r"(?<![A-Za-z0-9_])" if word[0].isalnum() else "") + body
                + (r"(?![A-Za-z0-9_])" if word[-1].isalnum() else ""))

    return re.compile("|".join(one(word) for word in sorted(words, key=len, reverse=True)))


def _tidy(text: str) -> str:
    """One space between words, none before a stop or inside quotes; an aside's comma gives way."""
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"(?<=[“‘「『《]) | (?=[”’」』》])", "", text)
    text = re.sub(rf"[\s,，]*[,，][\s,，]*(?=[{_STOP}])|(?<=[{_STOP}])[\s,，]*[,，]", "", text)
    text = re.sub(rf" +(?=[{_STOP},，])|(?<=[,，])[\s,，]*(?=[,，])", "", text)
    return re.sub(rf"(?<=[{_HAN}]) | (?=[{_HAN}])", "", text).strip(" ,，")
