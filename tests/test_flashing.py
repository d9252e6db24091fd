"""Nothing flashes more than three times a second (WCAG 2.2, 2.3.1), measured on drawn frames."""

import numpy as np
import pytest

from scenes.stage import act_names
from studio.drawing import draw
from studio.render.order import Order

RATE, STRIDE, BLOCK = 30, 3, 16  # every third frame: up to five flashes a second are seen
DEPTH = 0.1  # a flash is a pair of opposing changes of relative luminance, at least this deep


def luminances(pixels):
    """Mean relative luminance of blocks of 16 x 16 pixels; RGBA [h, w, 4] -> [h/16, w/16]."""
    rgb = pixels[..., :3] / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    value = linear @ np.array([0.2126, 0.7152, 0.0722])
    rows, columns = (side // BLOCK for side in value.shape)
    blocks = value[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK)
    return blocks.mean(axis=(1, 3))


def most_flashes(series):
    """The most flashes in any second at any block; `series` is [(seconds, luminances)]."""
    turns, extreme, rising, worst = [], series[0][1].copy(), np.zeros(series[0][1].shape), 0
    for second, now in series[1:]:
        step = now - extreme
        changed = np.abs(step) >= DEPTH
        turned = changed & (np.sign(step) != rising)
        extreme = np.where(changed | (np.sign(step) == rising), now, extreme)
        rising = np.where(changed, np.sign(step), rising)
        turns = [(t, m) for t, m in turns if t > second - 1] + [(second, turned)]
        worst = max(worst, int(np.sum([m for _, m in turns], axis=0).max()) // 2)
    return worst


@pytest.mark.parametrize("name", act_names())
def test_no_act_flashes(name, tmp_path):
    order, series = Order(name, "tiny"), []
    planned = order.planned()

    def want(beat, start, count):
        return [f for f in range(start, start + count) if f % STRIDE == 0]

    def take(beat, frame, pixels, *_):
        at = planned.beat(beat).start_frame(RATE) + frame
        series.append((at / RATE, luminances(pixels)))

    draw(order, range(len(planned.beats)), take, tmp_path, want)
    assert len(series) > 100
    assert most_flashes(series) <= 3


def test_a_flashing_picture_is_seen():
    dark, light = np.zeros((2, 2)), np.full((2, 2), 0.5)
    five_a_second = [(k / 10, light if k % 2 else dark) for k in range(30)]
    one_a_second = [(k / 10, light if k // 5 % 2 else dark) for k in range(30)]
    assert most_flashes(five_a_second) > 3 >= most_flashes(one_a_second)
