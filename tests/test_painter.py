"""The painter says where a picture changed, and nothing where it did not."""

from types import SimpleNamespace

import numpy as np

from studio.draw.painter import Painter
from studio.draw.paths import cairo_path_data
from studio.draw.shapes import Outline, Paint, Shape

CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)], float)
POINTS = np.concatenate([[a, a, b, b] for a, b in zip(CORNERS, CORNERS[1:])])


def test_a_change_too_small_to_be_seen_is_no_change():
    square = SimpleNamespace(alpha=0.5)
    outline = Outline(cairo_path_data(POINTS, 1e-6), (-1.0, 1.0, -1.0, 1.0))

    def shape(thing, look, old):
        made = Shape(outline, None, Paint([[1, 1, 1, thing.alpha]]), None, 0, 0)
        return made, made.box(16, 128, 96)

    painter = Painter(128, 96, (8, 6), (0, 0, 0, 255), lambda thing: (b"", thing.alpha), shape)
    assert painter.paint([square]) == [(0, 0, 128, 96)]
    square.alpha += 1e-6
    assert painter.paint([square]) == []
    square.alpha = 0.8
    (x0, y0, x1, y1), = painter.paint([square])
    assert x0 <= 48 and y0 <= 32 and x1 >= 80 and y1 >= 64
    assert 200 <= painter.pixels[48, 64, 0] <= 208
