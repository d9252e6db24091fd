"""Commands and options that turn clips into other things: `deck`, `site`, --gif and its like."""

import sys
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["Burn", "Gif", "Master", "Webm", "export", "register"]

MEDIA = Path("media")
Gif = Annotated[str, typer.Option(metavar="BEAT", help="only a looping GIF of this beat")]
Webm = Annotated[bool, typer.Option("--webm", help="only the film as WebM (VP9)")]
Master = Annotated[bool, typer.Option("--master", help="only a ProRes 422 HQ master")]
Burn = Annotated[str, typer.Option("--burn-subtitles", metavar="LANG",
                                   help="only the film with subtitles drawn in, en or zh")]
_Media = Annotated[Path | None, typer.Option(
    help="folder of the renders, if not that of --out nor media/")]


def export(order, out, jobs, report, gif="", webm=False, master=False, burn="") -> list[Path]:
    """Make the outputs asked for; their paths, none when none was asked for."""
    if not (gif or webm or master or burn):
        return []
    from studio.deliver import exports

    made = []
    made += [exports.gif(order, gif, out, jobs, report)] if gif else []
    made += [exports.burned(order, burn, out, jobs, report)] if burn else []
    made += [exports.webm(order, out, jobs, report)] if webm else []
    made += [exports.master(order, out, report)] if master else []
    return made


def register(app: typer.Typer, plain_errors, progress, make_order) -> None:
    """Add the commands to `app`; the rest are render.py's own ways of doing things."""

    @app.command()
    def deck(act: Annotated[str, typer.Argument(help="such as act04")],
             format: Annotated[str, typer.Option(help="pptx, reveal or manim-slides")],
             quality: Annotated[str, typer.Option(help="size of the clips")] = "deck",
             lang: Annotated[str, typer.Option(help="of film, notes and titles: en, zh")] = "en",
             theme: Annotated[str, typer.Option(help="dark or light")] = "dark",
             settings: Annotated[list[str] | None, typer.Option(
                 "--set", metavar="NAME=VALUE", help="a parameter of the act")] = None,
             jobs: Annotated[int, typer.Option(help="0: one a core", min=0)] = 0,
             out: Annotated[Path, typer.Option(help="folder of the deck")] = MEDIA,
             media: _Media = None):
        """Slides, one clip each: PowerPoint, reveal.js, manim-slides. Renders what is missing."""
        with plain_errors():
            from studio.deliver.deck import deck as write
            from studio.deliver.rendered import media_folder
            from studio.render import film

            order = make_order(act, quality, None, lang, theme, settings)
            with progress() as report:
                made, notes = write(order, format, out, media_folder(out, media, MEDIA),
                                    jobs or film.cores(), report)
            for note in notes:
                print(f"render.py: warning: {note}", file=sys.stderr)
            print(made)

    @app.command()
    def site(out: Annotated[Path | None, typer.Option(
                 help="folder of the site [default: media/site]")] = None, media: _Media = None):
        """A gallery of everything rendered, with a player that goes beat by beat."""
        with plain_errors():
            from studio.deliver.rendered import media_folder
            from studio.deliver.site import build_site

            source = media_folder(out or MEDIA, media, MEDIA)
            print(build_site(source, source / "site" if out in (None, source) else out))
