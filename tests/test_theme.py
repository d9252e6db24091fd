"""Colours are told apart: by eyes of all kinds, in both themes."""

from itertools import combinations, product

import numpy as np
import pytest

from scenes.kit.base.theme import REQUESTS, THEMES, request_roles

TENSORS_AND_SIGNS = ("q", "k", "v", "focus", "stop")
_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                 [0.0193339, 0.1191920, 0.9503041]])  # linear sRGB to XYZ, D65
# Machado, Oliveira, Fernandes (2009), severity 1, on linear sRGB
_DEUTERANOPE = np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                         [-0.011820, 0.042940, 0.968881]])


def linear(color):
    """Linear sRGB, 0..1, of "#RRGGBB"."""
    value = np.array([int(color[i:i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def seen(color, deuteranope=False):
    """CIELAB of a colour as it is seen."""
    rgb = linear(color)
    rgb = np.clip(_DEUTERANOPE @ rgb, 0, 1) if deuteranope else rgb
    t = _XYZ @ rgb / _XYZ.sum(axis=1)
    x, y, z = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def delta_e(one, other):
    """CIEDE2000 of two CIELAB colours (Sharma, Wu, Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    grow = 1.5 - 0.5 * np.sqrt(chroma**7 / (chroma**7 + 25**7))
    c1, c2 = np.hypot(a1 * grow, b1), np.hypot(a2 * grow, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a * grow)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    light, c = (l1 + l2) / 2, (c1 + c2) / 2

    def cosine(times, less):
        return np.cos(np.radians(times * hue - less))

    t = 1 - 0.17 * cosine(1, 30) + 0.24 * cosine(2, 0) + 0.32 * cosine(3, -6) - 0.2 * cosine(4, 63)
    d_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    d_chroma = (c2 - c1) / (1 + 0.045 * c)
    d_hue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * c * t)
    blue = np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2)))
    rotation = -2 * np.sqrt(c**7 / (c**7 + 25**7)) * np.sin(blue)
    return float(np.sqrt(d_light**2 + d_chroma**2 + d_hue**2 + rotation * d_chroma * d_hue))


@pytest.mark.parametrize("one, other, wanted", [  # from Sharma's published pairs
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
    ((50, 2.4900, -0.0010), (50, -2.4900, 0.0011), 7.2195),
    ((50, 2.5, 0), (61, -5, 29), 22.8977),
    ((50, 2.5, 0), (58, 24, 15), 19.4535),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082)])
def test_the_measure_is_ciede2000(one, other, wanted):
    assert delta_e(one, other) == pytest.approx(wanted, abs=1e-4)


def apart(theme, one, other, deuteranope=False):
    return delta_e(*(seen(getattr(theme, role), deuteranope) for role in (one, other)))


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_request_is_no_tensor_and_no_sign(theme):
    for request, other in product(REQUESTS, TENSORS_AND_SIGNS):
        assert apart(theme, request, other) >= 20, (request, other)
        assert apart(theme, request, other, deuteranope=True) >= 9.5, (request, other)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_two_requests_are_told_apart(theme):
    """By hue; for a deuteranope by their letter as well, so that a smaller distance will do."""
    for one, other in combinations(REQUESTS, 2):
        assert apart(theme, one, other) >= 20, (one, other)
        assert apart(theme, one, other, deuteranope=True) >= 7.5, (one, other)


def contrast(one, other):
    """The contrast ratio of WCAG 2.2."""
    low, high = sorted(float(linear(color) @ _XYZ[1]) for color in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_requests_letter_is_legible_in_its_hue(theme):
    for role in REQUESTS:
        assert contrast(getattr(theme, role), theme.ground) >= 4.5, role


def test_the_sixth_request_takes_the_first_hue():
    assert list(request_roles("ABCDEF").values()) == [*REQUESTS, REQUESTS[0]]
