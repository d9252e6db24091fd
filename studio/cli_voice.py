"""Options and commands about who speaks: --voice, --voice-dir, --voice-clips, `script`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["Clips", "Folder", "Listed", "Name", "register", "voicing"]

Name = Annotated[str, typer.Option("--voice", metavar="NAME", help="who speaks: none, or a name of "
                                   "`list --voices` [default: the language's own]")]
Folder = Annotated[Path | None, typer.Option("--voice-dir", metavar="DIR", help="a person's "
                                             "recordings, one WAV a line; see `script`")]
Clips = Annotated[bool, typer.Option("--voice-clips", help="let the clips speak as well")]
Listed = Annotated[bool, typer.Option("--voices", help="the voices instead")]


def voicing(order, name: str, folder: Path | None, clips: bool, alone: bool = False):
    """What was asked for; where a film will be silent, one line says what would give it a voice.

    `alone`: a single beat is rendered, which is always silent; UsageError if it was to speak.
    """
    from studio.render.order import UsageError
    from studio.voice.choice import Voicing, silence

    asked = Voicing(name, folder, clips)
    if alone and (folder or clips or name not in ("", "none")):
        raise UsageError("--beat makes a silent clip; leave out --voice, --voice-dir and "
                         "--voice-clips")
    if not alone and (lacks := silence(order, asked)):
        print(f"render.py: note: nobody speaks in this film: {lacks}", file=sys.stderr)
    return asked


def register(app: typer.Typer, plain_errors, make_order) -> None:
    """Add `script` to `app`; the rest are render.py's own ways of doing things."""

    @app.command()
    def script(act: Annotated[str, typer.Argument(help="such as act04")],
               lang: Annotated[str, typer.Option(help="en or zh")] = "en",
               settings: Annotated[list[str] | None, typer.Option(
                   "--set", metavar="NAME=VALUE", help="a parameter of the act")] = None):
        """What to read for recordings of your own: file, seconds, words of every line."""
        with plain_errors():
            from studio.voice.lines import slots
            from studio.voice.recordings import script as lines

            order = make_order(act, "hd", None, lang, "dark", settings)
            print(lines(slots(order.planned(), lang), lang))
