"""Contact sheets for authors: `python -m studio.sheet act04 --points 0.15,0.5,1.0`."""

import sys
import tempfile
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from PIL import Image, ImageDraw

from studio.render.order import Order, UsageError

COLUMN, LABEL = 640, 22


def pick(planned, fps: int, points) -> dict[str, list[int]]:
    """Beat name -> frames at the given fractions of the beat, counted from its start."""
    return {beat.name: sorted({min(beat.frames(fps) - 1, int(point * beat.frames(fps)))
                               for point in points}) for beat in planned.beats}


def stills(order: Order, wanted: dict[str, list[int]]) -> dict[tuple[str, int], np.ndarray]:
    """Draw only the wanted frames, in this process: (beat, frame) -> RGBA."""
    from studio.drawing import draw

    planned, taken = order.planned(), {}
    last = max(order.beat_index(planned, name) for name in wanted)

    def want(beat, start, count):
        return [f for f in wanted.get(beat, ()) if start <= f < start + count]

    def take(beat, frame, pixels, repeat, boxes):
        for f in wanted[beat]:
            if frame <= f and (repeat > 1 or f == frame):
                taken[beat, f] = pixels.copy()

    with tempfile.TemporaryDirectory() as media:
        draw(order, range(last + 1), take, media, want)
    return taken


def paste(pictures, columns: int) -> Image.Image:
    """Pictures [(label, RGBA)] on one sheet, row by row."""
    images = [(label, Image.fromarray(p).convert("RGB")) for label, p in pictures]
    height = COLUMN * images[0][1].height // images[0][1].width
    rows = -(-len(images) // columns)
    sheet = Image.new("RGB", (COLUMN * columns, (height + LABEL) * rows), "#777777")
    pen = ImageDraw.Draw(sheet)
    for k, (label, image) in enumerate(images):
        x, y = COLUMN * (k % columns), (height + LABEL) * (k // columns)
        pen.text((x + 6, y + 5), label, fill="#ffffff")
        sheet.paste(image.resize((COLUMN, height), Image.LANCZOS), (x, y + LABEL))
    return sheet


def main(act: str, beats: str = "", lang: str = "en", theme: str = "dark",
         points: str = "0.15,0.5,1.0", quality: str = "draft", out: Path = Path("sheet.png"),
         set_: Annotated[list[str] | None, typer.Option("--set")] = None):
    """Draw frames at fractions of each beat on one labelled sheet, without encoding."""
    settings = tuple(sorted(tuple(item.split("=", 1)) for item in set_ or []))
    try:
        order = Order(act, quality, None, lang, theme, settings)
        planned = order.planned()
        names = [n for n in beats.split(",") if n] or [b.name for b in planned.beats]
        for name in names:
            order.beat_index(planned, name)
    except (UsageError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise typer.Exit(2) from None
    fractions = [float(p) for p in points.split(",")]
    wanted = {n: f for n, f in pick(planned, order.fps, fractions).items() if n in names}
    taken = stills(order, wanted)
    pictures = [(f"{name}  frame {f}/{planned.beat(name).frames(order.fps)}", taken[name, f])
                for name in names for f in wanted[name]]
    paste(pictures, len(fractions)).save(out)
    print(out)


if __name__ == "__main__":
    typer.run(main)
