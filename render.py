"""The command line: parse, call the studio, print. See `python render.py --help`.

Exit codes: 0 done, 1 a render or a check failed, 2 wrong usage, 130 interrupted.
"""

import sys
from pathlib import Path
from typing import Annotated, Any

try:
    import typer
    from typer.core import TyperGroup
except ModuleNotFoundError as error:
    sys.exit(f"render.py: {error.name} is missing: run ./setup.sh, then use .venv/bin/python")

from studio import commands, voice_commands
from studio.console import FAILED, folder, make_order, plain_errors, progress, run


class _Acts(TyperGroup):
    """`render.py act04` is short for `render.py act act04`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Put `act` before what is no command."""
        if args and args[0] not in self.commands:
            args = ["act", *args]
        return super().resolve_command(ctx, args)


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
Out = Annotated[Path, typer.Option(parser=folder, metavar="DIR", help="folder of the results")]
Jobs = Annotated[int, typer.Option(help="worker processes; 0: one a core", min=0)]


def _print_version(wanted: bool) -> None:
    if wanted:
        from studio.pins import own_version

        print(own_version())
        raise typer.Exit


@app.callback()
def main(version: Annotated[bool, typer.Option(
        "--version", callback=_print_version, is_eager=True, help="what this is, and stop")]
        = False) -> None:
    """Render acts: `render.py act04 [OPTIONS]`; see `render.py act --help`."""


@app.command(name="help", hidden=True)
def help_(ctx: typer.Context, command: Annotated[str, typer.Argument(
        help="a command, such as deck")] = "") -> None:
    """The same as --help, of one command or of all."""
    group: Any = ctx.parent and ctx.parent.command
    wanted = group.commands.get(command, group)
    print(wanted.get_help(typer.Context(wanted, info_name=f"render.py {command}".strip())))


@app.command(name="act")
def act(act: Annotated[str, typer.Argument(help="such as act04")], quality: Quality = "hd",
        fps: Fps = None, lang: Lang = "en", theme: Theme = "dark", settings: Settings = None,
        beat: Annotated[str, typer.Option(help="render only this beat's clip")] = "",
        still: Annotated[str, typer.Option(help="draw only the last picture of a beat; "
                                                "the words of --lang suffice")] = "",
        gif: commands.Gif = "", webm: commands.Webm = False, master: commands.Master = False,
        burn: commands.Burn = "", voice: voice_commands.Name = "",
        voice_dir: voice_commands.Folder = None, voice_clips: voice_commands.Clips = False,
        jobs: Jobs = 0, out: Out = Path("media")) -> None:
    """Render an act: film with a spoken track, clips, subtitles, cue sheet, pictures."""
    with plain_errors():
        commands.only_one(("--beat", beat), ("--still", still), (
            "--gif, --webm, --master, --burn-subtitles", gif or webm or master or burn))
        commands.start_workers(not still)
        from studio import pipeline
        from studio.render.pool import available_cores

        order = make_order(act, quality, fps, lang, theme, settings)
        workers = jobs or available_cores()
        if still:
            print(pipeline.still(order, still, out))
            return
        with progress() as report:
            others = commands.export(order, out, workers, report, gif, webm, master, burn)
        if others:
            print(*others, sep="\n")
            return
        voicing = voice_commands.voicing(order, voice, voice_dir, voice_clips, bool(beat))
        with progress() as report:
            made = (pipeline.clip(order, [beat], out, workers, report) if beat
                    else pipeline.render([order], out, workers, report, voicing)[0])
        print(made)


@app.command(name="all")
def render_all(quality: Quality = "hd", fps: Fps = None, lang: Lang = "en", theme: Theme = "dark",
               voice: voice_commands.Name = "", voice_clips: voice_commands.Clips = False,
               jobs: Jobs = 0, cluster: commands.Cluster = "",
               out: Out = Path("media")) -> None:
    """Render every act; all workers share acts and beats."""
    with plain_errors():
        commands.start_workers(not cluster)
        from studio import pipeline
        from studio.render.pool import available_cores
        from studio.tools.listing import act_names

        orders = [make_order(name, quality, fps, lang, theme) for name in act_names()]
        voicing = voice_commands.voicing(orders[0], voice, None, voice_clips)
        with progress() as report:
            made = pipeline.render(orders, out, jobs or available_cores(), report, voicing,
                                   cluster)
        print(*made, sep="\n")


@app.command()
def clean(everything: Annotated[bool, typer.Option(
        "--all", help="everything that is kept, not only what is over the bound")] = False,
        out: Out = Path("media")) -> None:
    """Remove finished beats and snapshots that are kept to render faster; results stay."""
    with plain_errors():
        from studio import pipeline
        from studio.render.store import Store

        freed = pipeline.clean(out, everything)
        print(f"{freed / 1e6:.1f} MB freed in {Store.beside(out).root}")


@app.command(name="list")
def list_acts(voices: voice_commands.Listed = False) -> None:
    """Acts with their beats, lengths, parameters and ranges; or the voices."""
    with plain_errors():
        from studio.tools.listing import listing
        from studio.voice import choice

        print(choice.voices() if voices else listing())


@app.command()
def verify(act: str, lang: Lang = "en", theme: Theme = "dark", settings: Settings = None,
           out: Out = Path("media")) -> None:
    """Check what a render left behind: all that differs from plan, manifest, traces, sources."""
    with plain_errors():
        from studio.deliver.verify import verify

        order = make_order(act, language=lang, theme=theme, settings=settings)
        found = verify(order, out)
        print(*found.held, sep="\n")
        print(*[f"render.py: {fault}" for fault in found.faults], sep="\n", file=sys.stderr,
              end="\n" if found.faults else "")
        raise typer.Exit(FAILED if found.faults else 0)


@app.command()
def watch(act: Annotated[str, typer.Argument(help="such as act04")],
          beat: Annotated[str, typer.Option(help="what to show first [default: the first]")] = "",
          lang: Lang = "en", theme: Theme = "dark", settings: Settings = None,
          quality: Annotated[str, typer.Option(help="size of still and film")] = "draft",
          port: Annotated[int, typer.Option(help="0: any free one", min=0, max=65535)] = 8004,
          out: Out = Path("media")) -> None:
    """While you write: a page with a beat's still and film, drawn again when a file is saved."""
    with plain_errors():
        from studio.watch.child import Choice
        from studio.watch.command import serve

        order = make_order(act, quality, None, lang, theme, settings)
        serve(Choice(act, beat, lang, theme, quality, order.settings), out, port,
              lambda address: print(f"{address}  (Ctrl-C ends it)", flush=True))


@app.command()
def doctor(out: Out = Path("media")) -> None:
    """What this machine lacks, and the line that mends it."""
    with plain_errors():
        from studio.tools.doctor import doctor

        lines, is_incomplete = doctor(out)
        print(*lines, sep="\n")
        raise typer.Exit(FAILED if is_incomplete else 0)


commands.register(app)
voice_commands.register(app)

if __name__ == "__main__":
    run(app)
