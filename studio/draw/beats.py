"""Drawing beats in this process: for tools, tests and the ProRes master."""

from os import PathLike

from studio.draw.renderer import OnPicture, SelectFrames
from studio.render.order import Order

__all__ = ["all_frames", "draw"]


def all_frames(beat: str, start: int, count: int) -> range:
    """Select every frame."""
    return range(start, start + count)


def draw(order: Order, beats: range, on_picture: OnPicture, media_dir: str | PathLike[str],
         select: SelectFrames = all_frames) -> None:
    """Play `beats` of the ordered act, earlier ones fast-forwarded; see Player.play."""
    from studio.draw.player import Player

    player = Player(order, media_dir)
    player.start()
    for index in range(beats.stop):
        player.play(index, select if index in beats else None, on_picture)
