"""The PDF handout: pictures, words in both languages, anchors, numbered pages, fonts inside."""

import io
import re

import numpy as np
import pytest
from PIL import Image
from rendered_house import rendered_house
from studio_house import BEATS, calls

from studio.deliver import fonts
from studio.deliver.decks.talk import COURSE
from studio.deliver.meanings import meaning
from studio.deliver.rendered import read
from studio.deliver.site_data import anchor_url

pytest.importorskip("fpdf", reason="needs: pip install fpdf2")
pdfium = pytest.importorskip("pypdfium2", reason="needs: pip install pypdfium2")


@pytest.fixture(scope="module", params=["en", "zh"])
def handout(request, tmp_path_factory):
    """(its pages, the render behind it, its language)."""
    house, media = rendered_house()
    out = tmp_path_factory.mktemp("handout")
    done, = calls(house, ["deck", "act01", "--quality", "tiny", "--lang", request.param,
                          "--format", "pdf", "--media", media, "--out", out])
    assert done[0] == 0 and done[1].count("\n") == 1 and not done[2], done  # its path alone
    variant = "act01" if request.param == "en" else "act01.zh"
    file = pdfium.PdfDocument(out / f"{variant}.handout.pdf")
    return file, read(media / variant), request.param


def words(page):
    """The text of a page, without the breaks that lines have."""
    return "".join(page.get_textpage().get_text_range().split()).replace("\u200b", "")


def test_every_beat_has_its_page_with_words_in_both_languages(handout):
    file, rendered, own = handout
    assert len(file) == len(BEATS)
    for number, (page, beat) in enumerate(zip(file, rendered.beats), 1):
        found = words(page)
        for language in ("en", "zh"):
            for text in (beat["title"][language], *beat["narration"][language]):
                assert "".join(text.split()) in found
        foot = re.sub(r"\s", "", f"{COURSE[own]}·{rendered.sheet['title'][own]}{number}")
        assert foot in found
        assert all(anchor in found for anchor in beat["anchors"])
        told = meaning(beat["source"], own)
        assert told and "".join(told.split()) in found


def test_every_page_shows_the_beats_last_picture_and_leads_to_the_source(handout):
    file, rendered, _ = handout
    for page, beat in zip(file, rendered.beats):
        picture, = [each for each in page.get_objects() if each.type == 3]  # an image
        shown = picture.get_bitmap().to_pil().convert("RGB")
        with Image.open(rendered.folder / beat["last"]) as last:
            wanted = np.asarray(last.convert("RGB"), int)
        assert np.abs(np.asarray(shown, int) - wanted).max() <= 1
    data = file.get_metadata_dict()
    assert data["Title"] == rendered.sheet["title"][handout[2]]
    names = [beat["title"][handout[2]] for beat in rendered.beats]
    assert [mark.get_title() for mark in file.get_toc()][1:] == names
    raw = io.BytesIO()
    file.save(raw)
    for anchor in rendered.beats[1]["anchors"]:
        assert anchor_url(anchor).encode() in raw.getvalue()


def test_the_chinese_face_becomes_one_that_a_pdf_takes():
    from fontTools.ttLib import TTFont

    cubic = fonts.subset("cjk", "谁先运行", wght=400)
    assert "glyf" not in TTFont(io.BytesIO(cubic))
    quadratic = TTFont(io.BytesIO(fonts.truetype(cubic)))
    assert "glyf" in quadratic and not {"CFF ", "CFF2"} & set(quadratic.keys())
    before, after = TTFont(io.BytesIO(cubic)).getGlyphSet(), quadratic.getGlyphSet()
    from fontTools.pens.areaPen import AreaPen
    for name in quadratic.getGlyphOrder():
        areas = []
        for glyphs in (before, after):
            pen = AreaPen(glyphs)
            glyphs[name].draw(pen)
            areas.append(abs(pen.value))
        assert areas[1] == pytest.approx(areas[0], rel=0.01, abs=100)


def test_a_packed_face_has_the_same_letters():
    from fontTools.ttLib import TTFont

    plain = fonts.subset("mono", "abc→")
    packed = TTFont(io.BytesIO(fonts.woff2(plain)))
    assert packed.flavor == "woff2" and set(packed.getBestCmap()) == set(map(ord, "abc→"))
    assert len(fonts.woff2(plain)) < len(plain)
