"""Commands about voices.

python -m studio.voice install zh      brings the Chinese voice
python -m studio.voice install check   brings the recogniser
python -m studio.voice check act04     a recogniser reads an act's English track back
python -m studio.voice pace en         how well the plan's speaking times fit the voice
python -m studio.voice say en "Q·Kᵀ / √d" out.wav   a line as the film would say it
"""

import sys
import wave
from pathlib import Path
from statistics import median
from typing import Annotated, NoReturn

import numpy as np
import typer

from scenes.stage import ParamError, UnknownActError, WordsError, act_names
from scenes.stage.speech import speech_tenths
from scenes.stage.spoken import SpeechError, spoken
from studio.console import FAILED, WRONG_USAGE, make_order
from studio.errors import StudioError, UsageError
from studio.render.store import Store
from studio.voice import install as installing
from studio.voice.base import Voice, default_voice
from studio.voice.choice import AUTO, silence, speaker
from studio.voice.recogniser import Hearing, hear, listener
from studio.voice.slots import RATE, TENTH
from studio.voice.sound import fade, resample, trim
from studio.voice.track import decoded

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=__doc__)
MOST_WRONG = 0.10  # of the words


@app.command()
def install(what: Annotated[str, typer.Argument(help="zh or check")]) -> None:
    """Bring an optional voice, or the recogniser."""
    if what not in installing.EXTRAS:
        _fail(f"unknown {what!r}; valid: {', '.join(installing.EXTRAS)}", 2)
    print(installing.install(what))


@app.command()
def check(acts: Annotated[list[str] | None, typer.Argument(
              metavar="[ACT]...", help="such as act04; all acts where none is named")] = None,
          settings: Annotated[list[str] | None, typer.Option(
              "--set", metavar="NAME=VALUE", help="a parameter of the act")] = None,
          out: Annotated[Path, typer.Option(help="folder of the renders: lines are kept there")]
          = Path("media")) -> None:
    """Let a recogniser read acts' English tracks back; fails above 10 % of wrong words."""
    listen, failed = listener(), []
    for name in acts or act_names():
        order = make_order(name, settings=settings)
        plan = order.planned()
        speaks = speaker(order, AUTO, Store.beside(out).voice)
        if speaks is None:
            _fail(silence(order, AUTO), 1)
        heard = hear(plan, decoded(speaks.track(plan)), listen)
        for found in heard:
            print(f"{found.name:<28} {len(found.wrong):3} of {found.words:3} words",
                  *(f"{said or '-'}>{other or '-'}" for said, other in found.wrong[:8]))
        whole = Hearing(name, sum(found.words for found in heard),
                        tuple(change for found in heard for change in found.wrong))
        print(f"{name}: word error rate {whole.rate:.1%} of {whole.words} words")
        failed += [name] if whole.rate > MOST_WRONG else []
    if failed:
        _fail(f"more than {MOST_WRONG:.0%} of the words were heard wrongly: {', '.join(failed)}", 1)


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
    raise SystemExit(code)


if __name__ == "__main__":
    try:
        app()
    except (UsageError, UnknownActError, ParamError) as error:
        _fail(str(error), WRONG_USAGE)
    except (StudioError, SpeechError, WordsError, OSError) as error:
        _fail(str(error), FAILED)
