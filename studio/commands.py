"""Commands and options that make decks, pages and single outputs: `deck`, `site`, `lab`, --gif …"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studio.console import folder, make_order, plain_errors, progress, warn

if TYPE_CHECKING:
    from studio.deliver.decks.talk import Choice
    from studio.render.order import Order
    from studio.render.pool import Report

__all__ = ["Burn", "Cluster", "Gif", "Master", "Webm", "export", "only_one", "register",
           "start_workers"]

MEDIA = Path("media")
Gif = Annotated[str, typer.Option(metavar="BEAT", help="only a looping GIF of this beat")]
Webm = Annotated[bool, typer.Option("--webm", help="only the film as WebM (VP9)")]
Master = Annotated[bool, typer.Option("--master", help="only a ProRes 422 HQ master")]
Burn = Annotated[str, typer.Option("--burn-subtitles", metavar="LANG",
                                   help="only the film with subtitles drawn in, en or zh")]
Cluster = Annotated[str, typer.Option(metavar="ADDRESS", help="of a Dask scheduler, whose workers "
                                      "draw: tcp://host:8786")]
_Media = Annotated[Path | None, typer.Option(
    parser=folder, metavar="DIR", help="folder of the renders, if not that of --out nor media/")]


def only_one(*given: tuple[str, object]) -> None:
    """Raise UsageError where more than one of these options, (name, value), is given."""
    from studio.errors import UsageError

    names = [name for name, value in given if value]
    if len(names) > 1:
        raise UsageError(f"give only one of {' and '.join(names)}")


def start_workers(wanted: bool = True) -> None:
    """Let the process start from which workers are forked, unless nothing needs it."""
    if wanted:
        from studio.render.forkserver import start_server

        start_server()


def export(order: "Order", out: Path, jobs: int, report: "Report", gif: str = "",
           webm: bool = False, master: bool = False, burn: str = "") -> list[Path]:
    """Make the outputs asked for; their paths, none when none was asked for."""
    if not (gif or webm or master or burn):
        return []
    from studio import pipeline

    made = []
    made += [pipeline.gif(order, gif, out, jobs, report)] if gif else []
    made += [pipeline.burned(order, burn, out, jobs, report)] if burn else []
    made += [pipeline.webm(order, out, jobs, report)] if webm else []
    made += [pipeline.master(order, out, report)] if master else []
    return made


def deck(act: Annotated[str, typer.Argument(help="such as act04, or all")],
         kind: Annotated[str, typer.Option(
             "--format", help="pptx, reveal, manim-slides, or pdf: a handout")],
         quality: Annotated[str, typer.Option(help="size of the clips")] = "deck",
         lang: Annotated[str, typer.Option(help="of film, notes and titles: en, zh")] = "en",
         theme: Annotated[str, typer.Option(help="dark or light")] = "dark",
         settings: Annotated[list[str] | None, typer.Option(
             "--set", metavar="NAME=VALUE", help="a parameter of the act")] = None,
         beats: Annotated[str, typer.Option(
             metavar="A,B,C", help="only these beats, in this order")] = "",
         template: Annotated[Path | None, typer.Option(
             metavar="FILE", help="your own .pptx, whose layouts the clips stand on")] = None,
         covers: Annotated[bool, typer.Option(
             help="pptx: in print and in the sorter a last picture stands for each clip")] = True,
         voice: Annotated[bool, typer.Option("--voice", help="clips with the film's sound")]
         = False,
         jobs: Annotated[int, typer.Option(help="0: one a core", min=0)] = 0,
         out: Annotated[Path, typer.Option(parser=folder, metavar="DIR",
                                            help="folder of the deck")] = MEDIA,
         media: _Media = None) -> None:
    """Slides, one clip each: PowerPoint, reveal.js, manim-slides; or a handout as PDF.

    Renders what is missing.
    """
    with plain_errors():
        from studio import pipeline
        from studio.deliver.decks.talk import Choice
        from studio.deliver.rendered import media_folder
        from studio.render.pool import available_cores

        choice = Choice(tuple(filter(None, beats.split(","))), template, covers)
        orders = _deck_orders(act, quality, lang, theme, settings, kind, choice)
        with progress() as report:
            made, warnings = pipeline.deck(orders, kind, out, media_folder(out, media, MEDIA),
                                           jobs or available_cores(), report, voice, choice)
        for warning in warnings:
            warn(warning)
        print(made)


def _deck_orders(act: str, quality: str, lang: str, theme: str, settings: list[str] | None,
                 kind: str, choice: "Choice") -> "list[Order]":
    """One order an act; UsageError for choices that do not go together."""
    from studio.errors import UsageError
    from studio.tools.listing import act_names

    if choice.template and kind != "pptx":
        raise UsageError("--template goes with --format pptx")
    if act != "all":
        return [make_order(act, quality, None, lang, theme, settings)]
    if choice.beats or settings:
        raise UsageError("--beats and --set belong to one act: deck act04 …")
    return [make_order(name, quality, None, lang, theme) for name in act_names()]


def site(out: Annotated[Path | None, typer.Option(
             parser=folder, metavar="DIR", help="folder of the site [default: media/site]")] = None,
         url: Annotated[str, typer.Option(
             help="where it will be, https://…/: for shared links' pictures and a sitemap")] = "",
         media: _Media = None) -> None:
    """A gallery of everything rendered, with a player that goes beat by beat."""
    with plain_errors():
        from studio.deliver.rendered import media_folder
        from studio.deliver.site import build_site
        from studio.errors import UsageError

        if url and not url.startswith(("https://", "http://")):
            raise UsageError(f"--url {url}: expected https://…")
        source = media_folder(out or MEDIA, media, MEDIA)
        target = source / "site" if out is None or out == source else out
        print(build_site(source, target, url))


def lab(act: Annotated[str, typer.Argument(help="such as act04")],
        out: Annotated[Path | None, typer.Option(
            parser=folder, metavar="DIR", help="folder of the page [default: media/lab]")] = None,
        ) -> None:
    """An act's lab: a page in which its workload can be changed. Nothing need be rendered."""
    with plain_errors():
        from studio.deliver.site_lab import build_lab

        print(build_lab(act, out or MEDIA / "lab"))


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(deck)
    app.command()(site)
    app.command()(lab)
