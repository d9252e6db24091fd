"""Subtitle files by pysubs2: SRT, WebVTT and, to be drawn into the picture, ASS."""

import html
from collections.abc import Callable, Iterable

from pysubs2 import Alignment, Color, SSAEvent, SSAFile, SSAStyle

from studio.deliver.captions import Cue

__all__ = ["ass", "read_vtt", "srt", "vtt"]

_MILLISECONDS = 100  # in a tenth of a second
_ROW_BREAK = "\\N"  # pysubs2's, whatever the format
_BACKSLASH = "\\\u2060"  # with a word joiner, so that what follows is no command to pysubs2


def _events(cues: Iterable[Cue], escape: Callable[[str], str], style: str) -> list[SSAEvent]:
    return [SSAEvent(cue.start * _MILLISECONDS, cue.end * _MILLISECONDS, _ROW_BREAK.join(
        escape(row.replace("\\", _BACKSLASH)) for row in cue.rows), style=style) for cue in cues]


def _text(cues: Iterable[Cue], format_: str, escape: Callable[[str], str]) -> str:
    file = SSAFile()
    file.events = _events(cues, escape, "Default")
    return file.to_string(format_, keep_ssa_tags=True).rstrip("\n") + "\n"


def srt(cues: Iterable[Cue]) -> str:
    """SubRip text of cues."""
    return _text(cues, "srt", lambda row: row)


def vtt(cues: Iterable[Cue]) -> str:
    """WebVTT text of cues."""
    return _text(cues, "vtt", lambda row: html.escape(row, quote=False))


def read_vtt(text: str) -> tuple[Cue, ...]:
    """The cues of a WebVTT text as `vtt` writes it."""
    # pysubs2 drops a number at the end of a cue, taking it for the next one's: here is one more
    file = SSAFile.from_string(f"{text}\n0\n", format_="vtt", keep_html_tags=True)
    return tuple(Cue(event.start // _MILLISECONDS, event.end // _MILLISECONDS,
                     tuple(row.replace(_BACKSLASH, "\\")
                           for row in html.unescape(event.text).split(_ROW_BREAK)))
                 for event in file)


def ass(cues: Iterable[Cue], font: str, size: int, ink: str, outline: str) -> str:
    """ASS text of cues at the foot of a 1920 x 1080 picture; colours as "#RRGGBB"."""
    file = SSAFile()
    file.info = {"ScriptType": "v4.00+", "PlayResX": "1920", "PlayResY": "1080",
                 "WrapStyle": "2", "YCbCr Matrix": "TV.709"}
    file.styles = {"Words": SSAStyle(
        fontname=font, fontsize=size, primarycolor=_color(ink), outlinecolor=_color(outline),
        bold=False, borderstyle=1, outline=3, shadow=0, alignment=Alignment.BOTTOM_CENTER,
        marginl=64, marginr=64, marginv=24, encoding=1)}
    file.events = _events(cues, lambda row: row.replace("{", "\\{"), "Words")
    return file.to_string("ass")


def _color(hex_color: str) -> Color:
    return Color(*(int(hex_color[k:k + 2], 16) for k in (1, 3, 5)))
