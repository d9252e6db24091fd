"""Golden stills: one of each kit piece, one of every beat; `pytest --update-golden` redraws.

A failure writes golden-report.html beside the run: wanted, drawn and their difference.
"""

import base64
import io
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from manim import Camera, tempconfig
from pieces import PIECES
from PIL import Image

from scenes import kit
from scenes.kit.base.theme import THEMES, use
from scenes.stage import act_names, load_act
from studio.render.order import Order
from studio.sheet import stills

GOLDEN = Path(__file__).parent / "golden"
SIZE = (320, 180)
LEVEL, SHARE = 24, 0.002  # a pixel differs by more than LEVEL; at most this share may


def drawn(mobject, theme="dark"):
    """RGB [180, 320, 3] of a mobject on the theme's ground."""
    with tempconfig({"pixel_width": SIZE[0], "pixel_height": SIZE[1]}):
        camera = Camera(background_color=THEMES[theme].ground)
        share = min(12 / mobject.width, 6.5 / mobject.height, 4)
        camera.capture_mobjects([mobject.scale(share).center()])
        return camera.pixel_array[..., :3].copy()


def _inline(pixels):
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return f'<img src="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}">'


def compare(name, pixels, request):
    """Fail when `pixels` differ from the golden still; write the side-by-side page."""
    path = GOLDEN / f"{name}.png"
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(path, optimize=True)
    assert path.exists(), f"no golden still {path.name}: run pytest --update-golden and look at it"
    wanted = np.asarray(Image.open(path).convert("RGB"))
    apart = np.abs(wanted.astype(int) - pixels).max(axis=2)
    share = (apart > LEVEL).mean()
    if share > SHARE:
        difference = np.repeat((np.minimum(apart * 4, 255)).astype("uint8")[..., None], 3, axis=2)
        row = " ".join(_inline(p) for p in (wanted, pixels, difference))
        page = request.config.rootpath / "build" / "golden-report.html"
        page.parent.mkdir(exist_ok=True)
        with page.open("a", encoding="utf-8") as file:
            file.write(f"<h3>{name}: {share:.2%} of the pixels differ</h3>{row}\n")
    assert share <= SHARE, f"{name}: {share:.2%} of the pixels differ, see build/golden-report.html"


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("name", PIECES)
def test_a_kit_piece_looks_as_it_did(name, theme, request):
    use(theme)
    try:
        compare(f"{name}-{theme}", drawn(PIECES[name](), theme), request)
    finally:
        use("dark")


BEATS = [(name, beat) for name in act_names() for beat in load_act(name).beats]


@cache
def last_pictures(name):
    """Beat -> RGB [180, 320, 3] of its last picture, the act played once."""
    order = Order(name, "draft", None, "en", "dark", ())
    wanted = {beat.name: [beat.frames(order.fps) - 1] for beat in order.planned().beats}
    return {beat: np.asarray(Image.fromarray(frame).convert("RGB").resize(SIZE, Image.LANCZOS))
            for (beat, _), frame in stills(order, wanted).items()}


@pytest.mark.parametrize("name, beat", BEATS)
def test_every_beat_ends_as_it_did(name, beat, request):
    compare(f"{name}/{beat}", last_pictures(name)[beat], request)


def test_no_golden_still_is_left_over():
    """A renamed beat or piece takes its still along."""
    wanted = {f"{name}/{beat}" for name, beat in BEATS} | {
        f"{piece}-{theme}" for piece in PIECES for theme in THEMES}
    there = {path.relative_to(GOLDEN).with_suffix("").as_posix() for path in GOLDEN.rglob("*.png")}
    assert there == wanted


def test_the_comparison_sees_one_changed_cell(request):
    use("dark")
    changed = drawn(kit.TokenStrip(8, "cccccskk" + "cks.", "v", 90, 10))
    with pytest.raises(AssertionError, match="pixels differ"):
        compare("token-strip-dark", changed, _Without(request))


class _Without:
    """A request whose options never update the golden stills, with a scratch root."""

    def __init__(self, request):
        self.config = self
        self.rootpath = Path(request.getfixturevalue("tmp_path"))

    def getoption(self, _):
        return False
