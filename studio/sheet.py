"""Contact sheets for authors: `python -m studio.sheet act04 --points 0.15,0.5,1.0`."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from PIL import Image, ImageDraw

from scenes.stage import Plan
from studio.console import make_order, plain_errors
from studio.draw.renderer import ChangedBoxes
from studio.errors import UsageError
from studio.render.order import Order

__all__ = ["contact_sheet", "frames_at", "stills"]

COLUMN, LABEL = 640, 22  # width of a picture, height of the text above it


def frames_at(plan: Plan, fps: int, points: Sequence[float]) -> dict[str, list[int]]:
    """Beat name -> frames at the given fractions of the beat, counted from its start."""
    return {beat.name: sorted({min(beat.frames(fps) - 1, int(point * beat.frames(fps)))
                               for point in points}) for beat in plan.beats}


def stills(order: Order, wanted: Mapping[str, Sequence[int]]) -> dict[tuple[str, int], np.ndarray]:
    """Draw only the wanted frames, in this process: (beat, frame) -> RGBA."""
    from studio.draw.beats import draw

    plan = order.planned()
    found: dict[tuple[str, int], np.ndarray] = {}
    last = max(order.beat_index(plan, name) for name in wanted)

    def select(beat: str, start: int, count: int) -> list[int]:
        return [frame for frame in wanted.get(beat, ()) if start <= frame < start + count]

    def take(beat: str, frame: int, pixels: np.ndarray, repeat: int, boxes: ChangedBoxes) -> None:
        for each in wanted[beat]:
            if frame <= each and (repeat > 1 or each == frame):
                found[beat, each] = pixels.copy()

    with tempfile.TemporaryDirectory() as media:
        draw(order, range(last + 1), take, media, select)
    return found


def contact_sheet(pictures: Sequence[tuple[str, np.ndarray]], columns: int) -> Image.Image:
    """Pictures [(label, RGBA)] on one sheet, row by row."""
    images = [(label, Image.fromarray(pixels).convert("RGB")) for label, pixels in pictures]
    height = COLUMN * images[0][1].height // images[0][1].width
    rows = -(-len(images) // columns)
    sheet = Image.new("RGB", (COLUMN * columns, (height + LABEL) * rows), "#777777")
    pen = ImageDraw.Draw(sheet)
    for k, (label, image) in enumerate(images):
        x, y = COLUMN * (k % columns), (height + LABEL) * (k // columns)
        pen.text((x + 6, y + 5), label, fill="#ffffff")
        sheet.paste(image.resize((COLUMN, height), Image.Resampling.LANCZOS), (x, y + LABEL))
    return sheet


def _fractions(text: str) -> list[float]:
    try:
        return [float(point) for point in text.split(",")]
    except ValueError:
        raise UsageError(f"--points {text}: expected numbers such as 0.15,0.5,1.0") from None


def main(act: str, beats: str = "", lang: str = "en", theme: str = "dark",
         points: str = "0.15,0.5,1.0", quality: str = "draft", out: Path = Path("sheet.png"),
         settings: Annotated[list[str] | None, typer.Option("--set")] = None) -> None:
    """Draw frames at fractions of each beat on one labelled sheet, without encoding."""
    with plain_errors():
        order = replace(make_order(act, quality, None, lang, theme, settings),
                        all_languages=False)
        plan, fractions = order.planned(), _fractions(points)
        names = [name for name in beats.split(",") if name] or [b.name for b in plan.beats]
        for name in names:
            order.beat_index(plan, name)
        frames = frames_at(plan, order.fps, fractions)
        drawn = stills(order, {name: frames[name] for name in names})
        pictures = [(f"{name}  frame {frame}/{plan.beat(name).frames(order.fps)}",
                     drawn[name, frame]) for name in names for frame in frames[name]]
        contact_sheet(pictures, len(fractions)).save(out)
        print(out)


if __name__ == "__main__":
    typer.run(main)
