"""Beats as the studio draws them, compared with what manim's own renderer draws.

`python -m studio.drawing act04 --quality draft` prints the greatest difference of any frame.
"""

import tempfile

import numpy as np
import typer

from studio.console import FAILED, make_order, plain_errors
from studio.draw.beats import draw
from studio.draw.renderer import ChangedBoxes
from studio.render.order import Order

__all__ = ["compare", "draw"]

MOST = 2  # of 255: the difference that passes


def compare(order: Order, index: int, step: int = 1) -> tuple[int, int, int]:
    """Every `step`-th distinct picture of a beat: (how many, how many differ, by how much)."""
    from studio.draw.stock import draw_stock

    ours: list[tuple[int, np.ndarray | None]] = []
    differences: list[int | None] = []  # None: not compared

    def keep(beat: str, frame: int, pixels: np.ndarray, repeat: int, boxes: ChangedBoxes) -> None:
        ours.append((repeat, pixels.copy() if len(ours) % step == 0 else None))

    def match(beat: str, pixels: np.ndarray, repeat: int) -> None:
        count, picture = ours[len(differences)]
        if count != repeat:
            raise ValueError(f"{beat}: manim shows a picture {repeat} frames, the studio {count}")
        differences.append(None if picture is None else
                           int(np.abs(picture.astype(np.int16) - pixels).max()))

    beats = range(index, index + 1)
    with tempfile.TemporaryDirectory() as media:
        draw(order, beats, keep, media)
    with tempfile.TemporaryDirectory() as media:
        draw_stock(order, beats, match, media)
    compared = [value for value in differences if value is not None]
    return len(compared), sum(map(bool, compared)), max(compared)


def main(act: str, beats: str = "", quality: str = "draft", step: int = 1, lang: str = "en",
         theme: str = "dark") -> None:
    """Compare beats as the studio draws them with what stock manim draws."""
    with plain_errors():
        order = make_order(act, quality, None, lang, theme)
        plan = order.planned()
        names = [name for name in beats.split(",") if name] or [b.name for b in plan.beats]
        worst = 0
        for index in [order.beat_index(plan, name) for name in names]:
            count, differing, most = compare(order, index, step)
            print(f"{plan.beats[index].name}: {count} pictures, {differing} differ, "
                  f"by {most}/255 at most", flush=True)
            worst = max(worst, most)
        raise typer.Exit(FAILED if worst > MOST else 0)


if __name__ == "__main__":
    typer.run(main)
