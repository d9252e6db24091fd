"""Every settled picture of every act: inside the safe frame, legible, nothing on top of text."""

import numpy as np
import pytest
from manim import ManimColor, VMobject
from rehearsal import rehearse

from scenes.geometry import CAPTION_BAND, MARGIN, px
from scenes.kit.base.text import Label, is_chinese
from scenes.kit.base.theme import current
from scenes.stage import LANGUAGES, act_names

CAP = 0.727
COMBINATIONS = [(lang, theme) for lang in LANGUAGES for theme in ("dark", "light")]


def shapes(act):
    """Visible leaf mobjects, in drawing order."""
    family = [m for top in act.mobjects for m in top.get_family() if len(m.points)]
    seen = [m for m in family if isinstance(m, VMobject) and opacity(m) > 0.3]
    return sorted(dict.fromkeys(seen), key=lambda m: m.z_index)


def opacity(mobject):
    fill, stroke = mobject.get_fill_opacity(), mobject.get_stroke_opacity()
    return max(fill, stroke if mobject.get_stroke_width() > 0 else 0)


def box(mobject):
    """(left, bottom, right, top) of what is inked, in manim units."""
    points = mobject.ink_points if isinstance(mobject, Label) else mobject.points
    return (*points[:, :2].min(axis=0), *points[:, :2].max(axis=0))


def luminance(color):
    rgb = np.array(ManimColor(color).to_rgb())
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


def contrast(one, other):
    """The contrast ratio of WCAG 2.2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def em_pixels(label):
    """The em height at which a label is drawn now, in pixels at 1080p."""
    return (label.points[7, 1] - label.points[0, 1]) / CAP / px(1)


def behind(label, drawn, boxes):
    """The colour under the middle of a label."""
    x, y = np.mean(label.ink_points[:, :2], axis=0)
    under = (boxes[:, 0] <= x) & (x <= boxes[:, 2]) & (boxes[:, 1] <= y) & (y <= boxes[:, 3])
    for k in reversed(np.flatnonzero(under[: drawn.index(label)])):
        if not isinstance(drawn[k], Label) and drawn[k].get_fill_opacity() > 0.9:
            return drawn[k].get_fill_color()
    return current().ground


def faults(act):
    """Sentences about what is wrong in the present picture."""
    drawn = shapes(act)
    if not drawn:
        return
    boxes = np.array([box(m) for m in drawn])
    small_print = {m for top in act.frame.shown for m in top.get_family()}
    edge_x, floor = 64 / 9 - px(MARGIN) + px(3), 8 * (CAPTION_BAND - 0.5)
    for mobject, (left, bottom, right, top) in zip(drawn, boxes):
        name = getattr(mobject, "text", type(mobject).__name__)
        if left < -edge_x or right > edge_x or top > 4 - px(40):
            yield f"{name!r} leaves the safe frame"
        if bottom < floor:
            yield f"{name!r} reaches into the caption band"
    labels = [m for m in drawn if isinstance(m, Label) and m.get_fill_opacity() > 0.6]
    for label in labels:
        least = 22 if label in small_print else 28 if is_chinese(label.text) else 26
        if em_pixels(label) < least - 0.1:
            yield f"{label.text!r} is set at {em_pixels(label):.1f} px, least is {least}"
        ratio = contrast(label.get_fill_color(), behind(label, drawn, boxes))
        if ratio < 4.5:
            yield f"{label.text!r} has a contrast of {ratio:.2f}"
    yield from overlaps(labels)


def overlaps(labels, hidden=lambda below, above: False):
    """Pairs of labels whose letters share more than two pixels each way, hidden ones aside."""
    boxes = np.array([box(label) for label in labels]).reshape(-1, 4)
    common = (np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
              - np.maximum(boxes[:, None, :2], boxes[None, :, :2]))
    for a, b in zip(*np.nonzero(np.triu((common > px(2)).all(axis=2), 1))):
        if not hidden(labels[a], labels[b]):
            yield f"{labels[a].text!r} overlaps {labels[b].text!r}"


@pytest.mark.parametrize("language, theme", COMBINATIONS)
@pytest.mark.parametrize("name", act_names())
def test_every_settled_picture_is_clean(name, language, theme):
    found = {}

    def look(act):
        for fault in faults(act):
            found.setdefault(f"{act.beat.name}: {fault}")

    rehearse(name, language=language, theme=theme, look=look)
    assert not found, "\n".join(found)


def test_the_checks_see_faults():
    """A picture with one fault of each kind is told apart from a clean one."""

    class Picture:
        def __init__(self, *mobjects):
            self.mobjects, self.frame = list(mobjects), type("F", (), {"shown": []})

    clean = Label("clean")
    assert list(faults(Picture(clean))) == []
    wrong = {
        "leaves the safe frame": Label("far").shift([7, 0, 0]),
        "caption band": Label("low").shift([0, -3.5, 0]),
        "is set at": Label("small", 20),
        "contrast": Label("pale", role="line").shift([0, 2, 0]),
        "overlaps": Label("clean"),
    }
    for words, label in wrong.items():
        assert any(words in fault for fault in faults(Picture(clean, label))), words
