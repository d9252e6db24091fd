"""Slide decks, opened by the programs they are for."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest
from PIL import Image
from rendered_house import rendered_house
from studio_house import BEATS, calls

from studio.deliver.decks.deck import warnings
from studio.deliver.decks.talk import Talk
from studio.deliver.npm import npm_package
from studio.deliver.rendered import Rendered, read
from studio.errors import RenderError
from studio.pipeline import up_to_date
from studio.render.order import Order

R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """(folder of the Chinese PowerPoint and manim-slides decks, the render behind them)."""
    pytest.importorskip("pptx", reason="needs: pip install python-pptx")
    house, media = rendered_house()
    out = tmp_path_factory.mktemp("a 'talk' 演示")
    base = ["deck", "act01", "--quality", "tiny", "--lang", "zh", "--media", media, "--out", out]
    done = calls(house, [*base, "--format", "pptx"], [*base, "--format", "manim-slides"])
    assert [code for code, _, _ in done] == [0, 0], done
    return out, read(media / "act01.zh")


def test_pptx_holds_one_clip_a_slide_with_poster_notes_and_words(made):
    from pptx import Presentation

    out, rendered = made
    show = Presentation(str(out / "act01.zh.pptx"))
    assert show.slide_width * 9 == show.slide_height * 16
    assert len(show.slides) == len(BEATS)
    for slide, beat in zip(show.slides, rendered.beats):
        movie, = [s for s in slide.shapes if s.shape_type == 16]  # MSO_SHAPE_TYPE.MEDIA
        assert (movie.left, movie.top, movie.width, movie.height) == (
            0, 0, show.slide_width, show.slide_height)
        parts = {r.reltype.rsplit("/", 1)[1]: r.target_part for r in slide.part.rels.values()}
        assert parts["video"].content_type == "video/mp4"
        assert parts["video"].blob == (rendered.folder / beat["clip"]).read_bytes()
        poster = next(movie._element.iter("{*}blip")).get(f"{R}embed")
        assert slide.part.related_part(poster).blob == (
            rendered.folder / beat["first"]).read_bytes()
        assert slide.shapes.title.text == beat["title"]["zh"]
        assert all(line in slide.notes_slide.notes_text_frame.text
                   for line in beat["narration"]["zh"])
        about = movie._element.nvPicPr.cNvPr.get("descr")
        assert beat["title"]["zh"] in about and beat["narration"]["zh"][0] in about


def test_pptx_plays_each_clip_on_entering_its_slide(made):
    from pptx import Presentation

    out, rendered = made
    for slide, beat in zip(Presentation(str(out / "act01.zh.pptx")).slides, rendered.beats):
        cover, = [s for s in slide.shapes if s.shape_type == 13]
        assert [child.tag for child in slide._element] == [
            f"{P}cSld", f"{P}clrMapOvr", f"{P}timing"]  # the schema's order, and one timing only
        timing = slide._element[-1]
        begin, = [c for c in timing.iter(f"{P}cond") if c.get("evt") == "onBegin"]
        main = timing.find(f".//{P}cTn[@nodeType='mainSeq']")
        assert begin.find(f"{P}tn").get("val") == main.get("id")
        call = main.find(f".//{P}cTn[@presetClass='mediacall']")
        assert call.get("nodeType") == "afterEffect"  # not clickEffect
        assert call.find(f".//{P}cmd").get("cmd") == "playFrom(0.0)"
        played = call.find(f".//{P}cBhvr/{P}cTn")
        assert int(played.get("dur")) == round(beat["seconds"] * 1000)
        movie, = [s for s in slide.shapes if s.shape_type == 16]
        assert {t.get("spid") for t in timing.iter(f"{P}spTgt")} == {
            str(movie.shape_id), str(cover.shape_id)}
        ids = [node.get("id") for node in timing.iter(f"{P}cTn")]
        assert len(ids) == len(set(ids))


def test_libreoffice_prints_the_last_pictures(made, tmp_path):
    """What a PDF of the slides shows is what the slide's title says, not the beat before."""
    pdfium = pytest.importorskip("pypdfium2", reason="needs: pip install pypdfium2")
    if shutil.which("soffice") is None:
        pytest.skip("needs: apt-get install libreoffice-impress")
    out, rendered = made
    done = subprocess.run(
        ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless",
         "--convert-to", "pdf", "--outdir", str(tmp_path), str(out / "act01.zh.pptx")],
        capture_output=True, text=True, timeout=120)
    assert (tmp_path / "act01.zh.pdf").is_file(), done.stderr
    pages = pdfium.PdfDocument(tmp_path / "act01.zh.pdf")
    assert len(pages) == len(BEATS)
    for page, beat in zip(pages, rendered.beats):
        with Image.open(rendered.folder / beat["last"]) as last:
            scale = last.width / page.get_width()
            seen = page.render(scale=scale).to_pil().convert("RGB").resize(last.size, Image.BOX)
            assert np.abs(np.asarray(seen, float) - np.asarray(last, float)).mean() < 6


def test_manim_slides_json_is_ascii_and_points_at_the_clips(made):
    out, rendered = made
    folder = out / "act01.zh-slides"
    text = (folder / "slides/act01.zh.json").read_bytes()
    assert max(text) < 128
    config = json.loads(text)
    assert config["background_color"] == rendered.manifest["ground"]
    assert [slide["file"] for slide in config["slides"]] == [b["clip"] for b in rendered.beats]
    for slide, beat in zip(config["slides"], rendered.beats):
        assert slide["rev_file"] == slide["file"] and (folder / slide["file"]).is_file()
        assert beat["narration"]["zh"][0] in slide["notes"]


def test_manim_slides_itself_converts_the_deck(made, tmp_path):
    program = os.environ.get("MANIM_SLIDES") or shutil.which("manim-slides")
    if program is None:
        pytest.skip("needs manim-slides: pip install it in a venv and set MANIM_SLIDES to it")
    out, rendered = made
    folder = shutil.copytree(out / "act01.zh-slides", tmp_path / "deck")
    done = subprocess.run([program, "convert", "act01.zh", "deck.html"], cwd=folder,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    page = (folder / "deck.html").read_text(encoding="utf-8")
    assert page.count("data-background-video=") == len(BEATS)
    assert rendered.beats[1]["narration"]["zh"][0] in page
    copied = {sha256(path.read_bytes()).digest() for path in folder.glob("deck_assets/*.mp4")}
    assert copied == {sha256((rendered.folder / b["clip"]).read_bytes()).digest()
                      for b in rendered.beats}


def test_another_quality_is_rendered_beside_and_replaces_nothing(tmp_path, monkeypatch):
    _, media = rendered_house()
    asked = []
    monkeypatch.setattr("studio.pipeline.render",
                        lambda orders, out, *_: asked.append(out) or [media / "act01"])
    monkeypatch.setattr(Order, "planned", lambda self: None)
    monkeypatch.setattr(Order, "variant", lambda self, planned: self.act)
    up_to_date(Order("act01", "tiny"), media, 1, None)
    up_to_date(Order("act01", "deck"), media, 1, None)
    up_to_date(Order("act01", "deck"), tmp_path, 1, None)
    assert asked == [media, media / "deck", tmp_path]


def test_a_lecturer_is_warned_of_many_clips_and_of_large_ones(tmp_path):
    _, media = rendered_house()
    rendered = read(media / "act01")
    assert warnings(Talk((rendered,), "en")) == []
    (tmp_path / "clip.mp4").touch()
    os.truncate(tmp_path / "clip.mp4", 8 << 20)
    many = replace(rendered, folder=tmp_path, sheet={"beats": [{"clip": "clip.mp4"}] * 26})
    clips, size = warnings(Talk((many,), "en"))
    assert clips.startswith("26 clips: above 25") and size.startswith("208 MB of clips, above 200")
    few = Rendered(tmp_path, rendered.manifest, {"beats": [{"clip": "clip.mp4"}] * 25})
    assert warnings(Talk((few,), "en")) == []


def test_what_is_missing_is_one_line(monkeypatch, tmp_path):
    from studio.deliver.decks import pptx

    monkeypatch.setitem(sys.modules, "pptx", None)
    with pytest.raises(RenderError, match="pip install 'python-pptx"):
        pptx.require()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RenderError, match="npm, which is missing"):
        npm_package("reveal.js", "6.0.2", tmp_path)


def test_an_unknown_format_names_the_known_ones():
    house, media = rendered_house()
    done, = calls(house, ["deck", "act01", "--format", "ppt", "--media", media])
    assert done == (2, "", "render.py: unknown format 'ppt'; "
                           "valid: pptx, reveal, manim-slides, pdf\n")
