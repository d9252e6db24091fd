"""Drawing beats in this process, and comparing them with what manim's own renderer draws.

`python -m studio.drawing act04 --quality draft` prints the greatest difference of any frame.
"""

import sys
import tempfile

import numpy as np
import typer

from studio.render.order import Order

__all__ = ["compare", "draw", "every"]


def every(beat, start, count):
    """To want all frames."""
    return range(start, start + count)


def draw(order: Order, beats: range, take, media_dir, want=every) -> None:
    """Play `beats` of the ordered act, earlier ones fast-forwarded; see Player.play."""
    from studio.draw.player import Player

    player = Player(order, media_dir)
    player.start()
    for index in range(beats.stop):
        player.play(index, want if index in beats else None, take)


def compare(order: Order, index: int, step: int = 1) -> tuple[int, int, int]:
    """Every `step`-th distinct picture of a beat: (how many, how many differ, by how much)."""
    from studio.draw.player import stock

    ours, theirs = [], []

    def keep(beat, frame, pixels, repeat, boxes):
        ours.append((repeat, pixels.copy() if len(ours) % step == 0 else None))

    def match(beat, pixels, repeat):
        count, mine = ours[len(theirs)]
        if count != repeat:
            raise ValueError(f"{beat}: manim shows a picture {repeat} frames, the studio {count}")
        theirs.append(None if mine is None else
                      int(np.abs(mine.astype(np.int16) - pixels).max()))

    for play, take in ((draw, keep), (stock, match)):
        with tempfile.TemporaryDirectory() as media:
            play(order, range(index, index + 1), take, media)
    off = [value for value in theirs if value is not None]
    return len(off), sum(map(bool, off)), max(off)


def main(act: str, beats: str = "", quality: str = "draft", step: int = 1, lang: str = "en",
         theme: str = "dark"):
    """Compare beats as the studio draws them with what stock manim draws."""
    order = Order(act, quality, None, lang, theme)
    planned = order.planned()
    names = [name for name in beats.split(",") if name] or [beat.name for beat in planned.beats]
    worst = 0
    for name in names:
        index = order.beat_index(planned, name)
        count, other, off = compare(order, index, step)
        print(f"{name}: {count} pictures, {other} differ, by {off}/255 at most", flush=True)
        worst = max(worst, off)
    sys.exit(1 if worst > 2 else 0)


if __name__ == "__main__":
    typer.run(main)
