"""The command line: parse, call the studio, print. See `python render.py --help`.

Exit codes: 0 done, 1 a render or a check failed, 2 wrong usage, 130 interrupted.
"""

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup

from studio import cli_decks, cli_voice


class _Acts(TyperGroup):
    """`render.py act04` is short for `render.py act act04`."""

    def resolve_command(self, context, arguments):
        if arguments and arguments[0] not in self.commands:
            arguments = ["act", *arguments]
        return super().resolve_command(context, arguments)


app = typer.Typer(cls=_Acts, add_completion=False, pretty_exceptions_enable=False,
                  no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]},
                  help="Render acts: `render.py act04 [OPTIONS]`; see `render.py act --help`.")

Quality = Annotated[str, typer.Option(help="draft 854x480@30, deck 1280x720@30, "
                                           "hd 1920x1080@60, uhd 3840x2160@60")]
Fps = Annotated[int | None, typer.Option(help="30 or 60 frames a second")]
Lang = Annotated[str, typer.Option(help="en or zh")]
Theme = Annotated[str, typer.Option(help="dark or light")]
Settings = Annotated[list[str] | None, typer.Option(
    "--set", metavar="NAME=VALUE", help="a parameter of the act; may be repeated")]
Out = Annotated[Path, typer.Option(help="folder of the results")]
Jobs = Annotated[int, typer.Option(help="worker processes; 0: one a core", min=0)]


@contextmanager
def _plain_errors():
    """Turn what a user can cause into one line and an exit code."""
    from studio.render.film import RenderError
    from studio.render.order import ParamError, UnknownActError, UsageError, WordsError
    from studio.stream.mp4 import StreamError
    from studio.voice.base import SpeechError, VoiceError

    try:
        yield
    except (ParamError, UnknownActError, UsageError) as error:
        _fail(error, 2)
    except (RenderError, StreamError, WordsError, VoiceError, SpeechError) as error:
        _fail(error, 1)
    except typer.Exit:
        raise
    except KeyboardInterrupt:
        _fail("interrupted; finished beats are kept, run again to resume", 130)
    except Exception as error:  # a fault in an act or here; a developer asks for the traceback
        if "STUDIO_TRACEBACK" in os.environ:
            raise
        from studio.render.worker import explain
        _fail(f"{explain(error)} [STUDIO_TRACEBACK=1 shows more]", 1)


def _fail(message, code):
    print(f"render.py: {message}", file=sys.stderr)
    raise typer.Exit(code) from None


def _order(act, quality, fps, lang, theme, settings):
    from studio.render.order import Order, UsageError

    pairs = {}
    for item in settings or []:
        name, sign, value = item.partition("=")
        if not sign:
            raise UsageError(f"--set {item}: expected name=value")
        pairs[name] = value
    return Order(act, quality, fps, lang, theme, tuple(sorted(pairs.items())))


@contextmanager
def _progress():
    """A bar with the time left; yields report(done, total, note)."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.completed}/{task.total} frames"),
               TextColumn("{task.fields[rate]}"), TimeRemainingColumn(compact=True),
               TextColumn("{task.fields[note]}"))
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True,
                  disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None, note="", rate="")

        def report(done, total, note):
            speed = bar.tasks[0].speed
            fields = {"note": note} if note else {}
            bar.update(task, completed=done, total=total,
                       rate=f"{speed:.0f} fps" if speed else "", **fields)

        yield report


@app.command(name="act")
def act(act: Annotated[str, typer.Argument(help="such as act04")], quality: Quality = "hd",
        fps: Fps = None, lang: Lang = "en", theme: Theme = "dark", settings: Settings = None,
        beat: Annotated[str, typer.Option(help="render only this beat's clip")] = "",
        still: Annotated[str, typer.Option(help="draw only the last picture of a beat")] = "",
        gif: cli_decks.Gif = "", webm: cli_decks.Webm = False, master: cli_decks.Master = False,
        burn: cli_decks.Burn = "", voice: cli_voice.Name = "", voice_dir: cli_voice.Folder = None,
        voice_clips: cli_voice.Clips = False, jobs: Jobs = 0, out: Out = Path("media")):
    """Render an act: film, clips, subtitles, cue sheet, pictures, a spoken track."""
    from studio.render.server import warm

    if not still:
        warm()
    with _plain_errors():
        from studio.render import film

        order = _order(act, quality, fps, lang, theme, settings)
        jobs = jobs or film.cores()
        if still:
            print(film.still(order, still, out))
            return
        with _progress() as report:
            others = cli_decks.export(order, out, jobs, report, gif, webm, master, burn)
        if others:
            print(*others, sep="\n")
            return
        voicing = cli_voice.voicing(order, voice, voice_dir, voice_clips, alone=bool(beat))
        with _progress() as report:
            made = (film.clip(order, [beat], out, jobs, report) if beat
                    else film.render([order], out, jobs, report, voicing)[0])
        print(made)


@app.command(name="all")
def render_all(quality: Quality = "hd", fps: Fps = None, lang: Lang = "en", theme: Theme = "dark",
               voice: cli_voice.Name = "", voice_clips: cli_voice.Clips = False, jobs: Jobs = 0,
               out: Out = Path("media")):
    """Render every act; all workers share acts and beats."""
    from studio.render.server import warm

    warm()
    with _plain_errors():
        from studio.listing import act_names
        from studio.render import film

        orders = [_order(name, quality, fps, lang, theme, None) for name in act_names()]
        voicing = cli_voice.voicing(orders[0], voice, None, voice_clips)
        with _progress() as report:
            made = film.render(orders, out, jobs or film.cores(), report, voicing)
        print(*made, sep="\n")


@app.command()
def clean(everything: Annotated[bool, typer.Option(
        "--all", help="everything that is kept, not only what is over the bound")] = False,
        out: Out = Path("media")):
    """Remove finished beats and states that are kept to render faster; results stay."""
    with _plain_errors():
        from studio.render import film

        print(f"{film.clean(out, everything) / 1e6:.1f} MB freed in {film.store_of(out).root}")


@app.command(name="list")
def list_acts(voices: cli_voice.Listed = False):
    """Acts with their beats, lengths, parameters and ranges; or the voices."""
    with _plain_errors():
        from studio.listing import listing
        from studio.voice.choice import voices as known

        print(known() if voices else listing())


@app.command()
def verify(act: str, lang: Lang = "en", theme: Theme = "dark", settings: Settings = None,
           out: Out = Path("media")):
    """Check what a render left behind against the plan."""
    with _plain_errors():
        from studio.deliver.verify import verify

        for line in verify(_order(act, "hd", None, lang, theme, settings), out):
            print(line)


@app.command()
def doctor(out: Out = Path("media")):
    """What this machine lacks, and the line that mends it."""
    from studio.doctor import doctor

    lines, lacking = doctor(out)
    print("\n".join(lines))
    raise typer.Exit(1 if lacking else 0)


cli_decks.register(app, _plain_errors, _progress, _order)
cli_voice.register(app, _plain_errors, _order)

if __name__ == "__main__":
    app()
