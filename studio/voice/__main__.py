"""Commands about voices.

python -m studio.voice install zh      brings the Chinese voice
python -m studio.voice install check   brings the recogniser
python -m studio.voice check act04     a recogniser reads a rendered film's English track back
python -m studio.voice pace en         how well the plan's speaking times fit the voice
python -m studio.voice say en "Q·Kᵀ / √d" out.wav   a line as the film would say it
"""

import json
import sys
import wave
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Annotated, NoReturn

import numpy as np
import typer

from scenes.stage.speech import speech_tenths
from scenes.stage.spoken import SpeechError, lexicon, spoken
from studio.voice import install as installing
from studio.voice.base import Voice, VoiceError, default_voice
from studio.voice.recogniser import Hearing, compare, listener, words_of
from studio.voice.slots import RATE, TENTH
from studio.voice.sound import fade, resample, trim
from studio.voice.track import decoded

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=__doc__)
MOST_WRONG = 0.10  # of the words, listed ones aside


@app.command()
def install(what: Annotated[str, typer.Argument(help="zh or check")]) -> None:
    """Bring an optional voice, or the recogniser."""
    if what not in installing.EXTRAS:
        _fail(f"unknown {what!r}; valid: {', '.join(installing.EXTRAS)}", 2)
    print(installing.install(what))


@app.command()
def check(variant: Annotated[str, typer.Argument(help="a rendered film, such as act04")],
          out: Annotated[Path, typer.Option(help="folder of the renders")] = Path("media")
          ) -> None:
    """Let a recogniser read a film's English track back; fails above 10 % of wrong words."""
    folder = out / variant
    try:
        sheet = json.loads((folder / f"{variant}.cues.json").read_text(encoding="utf-8"))
    except OSError:
        _fail(f"{folder}: nothing rendered there; run render.py {variant}", 1)
    if sheet["language"] != "en":
        _fail(f"{variant} is not in English; the recogniser knows no other language", 2)
    sound, listen = decoded(folder / sheet["film"]), listener()
    # what the lexicon spells for the voice is no word that a recogniser would write
    listed = {word for said in lexicon("en")["words"].values() for word in words_of(said)}
    total, wrong = 0, list[tuple[str, str]]()
    for beat in sheet["beats"]:
        start = round(beat["start_seconds"] * RATE)
        heard = listen(sound[start:start + round(beat["seconds"] * RATE)])
        found = compare(words_of(" ".join(beat["narration"]["en"])), words_of(heard), listed)
        print(f"{beat['name']:<28} {len(found.wrong):3} of {found.words:3} words", *(
            f"{said or '-'}>{other or '-'}" for said, other in found.wrong[:8]))
        total, wrong = total + found.words, [*wrong, *found.wrong]
    rate = Hearing(total, tuple(wrong)).rate
    print(f"{variant}: word error rate {rate:.1%} of {total} words, listed words aside; most often "
          + ", ".join(f"{said or '-'}>{other or '-'}" for (said, other), _ in
                      Counter(wrong).most_common(5)))
    if rate > MOST_WRONG:
        _fail(f"more than {MOST_WRONG:.0%} of the words were heard wrongly", 1)


@app.command()
def pace(language: Annotated[str, typer.Argument(help="en or zh")],
         count: Annotated[int, typer.Option(help="lines to say")] = 60) -> None:
    """Compare speaking times planned from the text with those of the voice, over all acts."""
    from studio.voice.samples import narration

    voice = _voice(language)
    lines = narration(language)
    ratios = []
    for text in lines[::max(1, len(lines) // count)]:
        said = trim(voice.speak(spoken(language, text)), voice.rate)
        ratios.append(speech_tenths(language, text) / 10 * voice.rate / len(said))
    print(f"{len(ratios)} lines by {voice.name}: planned / said, least {min(ratios):.2f}, "
          f"median {median(ratios):.2f}, most {max(ratios):.2f}")


@app.command()
def say(language: Annotated[str, typer.Argument(help="en or zh")], text: str, path: Path) -> None:
    """Say a line to a WAV file, and print the words that the voice was given."""
    words, voice = spoken(language, text), _voice(language)
    sound = fade(resample(trim(voice.speak(words), voice.rate), voice.rate))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())
    print(f"{words}\n{path}: {len(sound) / RATE:.2f} s, the plan gives "
          f"{speech_tenths(language, text) * TENTH / RATE:.1f} s")


def _voice(language: str) -> Voice:
    info = default_voice(language)
    if info is None:
        _fail(f"no voice speaks {language!r}", 2)
    return info.load()


def _fail(message: str, code: int) -> NoReturn:
    print(f"studio.voice: {message}", file=sys.stderr)
    raise typer.Exit(code)


if __name__ == "__main__":
    try:
        app()
    except (VoiceError, SpeechError, OSError) as error:
        sys.exit(f"studio.voice: {error}")
