"""The command line: parse, call the studio, print. See `python render.py --help`."""

import sys
from pathlib import Path
from typing import Annotated

import typer


def main(act: str, quality: str = "hd", fps: int | None = None, lang: str = "en",
         theme: str = "dark", still: str = "", out: Path = Path("media"),
         set_: Annotated[list[str] | None, typer.Option("--set")] = None):
    """Render an act (so far: one still)."""
    from PIL import Image

    from studio.order import Order
    from studio.sheet import stills

    settings = tuple(sorted(tuple(item.split("=", 1)) for item in set_ or []))
    try:
        order = Order(act, quality, fps, lang, theme, settings)
        planned = order.planned()
        order.beat_index(planned, still)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        raise typer.Exit(2) from None
    last = planned.beat(still).frames(order.fps) - 1
    path = out / f"{order.variant(planned)}-{still}.png"
    out.mkdir(parents=True, exist_ok=True)
    Image.fromarray(stills(order, {still: [last]})[still, last]).convert("RGB").save(path)
    print(path)


if __name__ == "__main__":
    typer.run(main)
