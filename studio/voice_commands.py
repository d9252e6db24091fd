"""Options and commands about who speaks: --voice, --voice-dir, --voice-clips, `script`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studio.console import folder, make_order, plain_errors

if TYPE_CHECKING:
    from studio.render.order import Order
    from studio.voice.choice import Voicing

__all__ = ["Clips", "Folder", "Listed", "Name", "register", "voicing"]

Name = Annotated[str, typer.Option("--voice", metavar="NAME", help="who speaks: none, or a name of "
                                   "`list --voices` [default: the language's own]")]
Folder = Annotated[Path | None, typer.Option(
    "--voice-dir", parser=folder, metavar="DIR",
    help="a person's recordings, one WAV a line; see `script`")]
Clips = Annotated[bool, typer.Option("--voice-clips", help="let the clips speak as well")]
Listed = Annotated[bool, typer.Option("--voices", help="the voices instead")]


def voicing(order: "Order", name: str, folder: Path | None, clips: bool,
            is_alone: bool = False) -> "Voicing":
    """What was asked for; where a film will be silent, one line says what would give it a voice.

    `is_alone`: a single beat is rendered, which is always silent; UsageError if it was to speak.
    """
    from studio.errors import UsageError
    from studio.voice.choice import Voicing, silence

    wanted = Voicing(name, folder, clips)
    if is_alone and (folder or clips or name not in ("", "none")):
        raise UsageError("--beat makes a silent clip; leave out --voice, --voice-dir and "
                         "--voice-clips")
    if not is_alone and (reason := silence(order, wanted)):
        print(f"render.py: note: nobody speaks in this film: {reason}", file=sys.stderr)
    return wanted


def script(act: Annotated[str, typer.Argument(help="such as act04")],
           lang: Annotated[str, typer.Option(help="en or zh")] = "en",
           settings: Annotated[list[str] | None, typer.Option(
               "--set", metavar="NAME=VALUE", help="a parameter of the act")] = None) -> None:
    """What to read for recordings of your own: file, seconds, words of every line."""
    with plain_errors():
        from studio.voice.recordings import script as lines_to_read
        from studio.voice.slots import slots

        plan = make_order(act, language=lang, settings=settings).planned()
        print(lines_to_read(slots(plan), lang))


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(script)
