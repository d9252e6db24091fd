"""Beats drawn by manim's own renderer, to compare with."""

from collections.abc import Callable
from os import PathLike
from typing import Any

import numpy as np
from manim import CairoRenderer
from manim.mobject.svg.svg_mobject import SVG_HASH_TO_MOB_MAP

from studio.draw.player import configure_manim, new_act
from studio.draw.renderer import SectionWriter
from studio.render.order import Order

__all__ = ["draw_stock"]


class _FrameForwarder(SectionWriter):
    """A file writer that hands frames on instead."""

    on_picture: Callable[[str, np.ndarray, int], None]

    def write_frame(self, frame: np.ndarray, repeat: int = 1) -> None:
        self.on_picture(self.sections[-1].name, frame, repeat)

    def is_already_cached(self, _: Any) -> bool:
        return False

    def finish(self, *_: Any, **__: Any) -> None:
        pass

    add_partial_movie_file = begin_animation = end_animation = finish


def draw_stock(order: Order, beats: range, on_picture: Callable[[str, np.ndarray, int], None],
               media_dir: str | PathLike[str]) -> None:
    """Let manim draw beats; `on_picture(beat, RGBA [h, w, 4], frames shown)`."""
    configure_manim(order, media_dir)
    SVG_HASH_TO_MOB_MAP.clear()  # a second act in a process would get other pictures of formulas
    writer = type("Writer", (_FrameForwarder,), {"on_picture": staticmethod(on_picture)})
    new_act(order, CairoRenderer(file_writer_class=writer), beats=beats).render()
