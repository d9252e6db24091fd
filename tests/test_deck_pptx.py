"""The PowerPoint file itself: what programs refuse, what is left over, what a lecturer chooses."""

import io
import posixpath
import re
import zipfile
from pathlib import PurePosixPath

import pytest
from PIL import Image
from rendered_house import rendered_house
from studio_house import BEATS, calls

from studio.deliver.decks.pptx import sentences
from studio.deliver.decks.talk import Choice, Talk
from studio.deliver.rendered import read
from studio.deliver.subtitles import read_vtt

pptx = pytest.importorskip("pptx", reason="needs: pip install python-pptx")
etree = pytest.importorskip("lxml.etree")

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


@pytest.fixture(scope="module")
def own_template(tmp_path_factory):
    """A lecturer's 4 : 3 file: python-pptx's own, with a slide on it."""
    path = tmp_path_factory.mktemp("own") / "my chair.pptx"
    show = pptx.Presentation()
    show.slides.add_slide(show.slide_layouts[0]).shapes.title.text = "Last year's talk"
    show.save(path)
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory, own_template):
    """The folder of Chinese, light, chosen and templated decks, and wrong calls' answers."""
    house, media = rendered_house()
    out = tmp_path_factory.mktemp("decks")
    base = ["deck", "act01", "--quality", "tiny", "--media", media, "--out", out,
            "--format", "pptx"]
    done = calls(house, [*base, "--lang", "zh"], [*base, "--theme", "light", "--no-covers"],
                 [*base, "--beats", "change,build-row"],
                 [*base, "--out", out / "own", "--template", own_template],
                 ["deck", "all", *base[2:], "--out", out / "all"],
                 [*base, "--beats", "chnage"], [*base, "--template", house / "render.py"],
                 [*base[:-1], "manim-slides", "--template", own_template],
                 ["deck", "all", *base[2:], "--beats", "change"])
    assert [code for code, _, _ in done] == [0, 0, 0, 0, 0, 2, 2, 2, 2], done
    return out, [errors for _, _, errors in done[5:]]


def parts(path):
    with zipfile.ZipFile(path) as package:
        return {name: package.read(name) for name in package.namelist()}


@pytest.mark.parametrize("name", ["act01.zh.pptx", "act01.light.pptx", "act01.2-beats.pptx",
                                  "own/act01.pptx", "all/act01.pptx"])
def test_the_file_is_valid_office_open_xml_that_powerpoint_opens_without_repair(made, name):
    audit = pytest.importorskip("openxml_audit", reason="needs: pip install openxml-audit")
    found = audit.validate_pptx(made[0] / name)
    assert not found.errors and found.is_valid, [str(error) for error in found.errors]


def test_the_validator_sees_what_powerpoint_would_repair(made, tmp_path):
    audit = pytest.importorskip("openxml_audit", reason="needs: pip install openxml-audit")
    kept = parts(made[0] / "act01.zh.pptx")
    slide = "ppt/slides/slide1.xml"
    spoilt = {slide: kept[slide].replace(b"<p:nvPr", b"<p:nvPrx").replace(b"/p:nvPr", b"/p:nvPrx"),
              "ppt/_rels/presentation.xml.rels": re.sub(
                  b"<Relationship [^>]*presProps[^>]*>", b"",
                  kept["ppt/_rels/presentation.xml.rels"])}
    for name, data in spoilt.items():
        assert data != kept[name]
        with zipfile.ZipFile(tmp_path / "spoilt.pptx", "w") as package:
            for part, whole in kept.items():
                package.writestr(part, data if part == name else whole)
        assert audit.validate_pptx(tmp_path / "spoilt.pptx").errors, name


@pytest.mark.parametrize("name", ["act01.zh.pptx", "act01.light.pptx"])
def test_nothing_is_left_over_from_a_template_and_nothing_contradicts_itself(made, name):
    found = parts(made[0] / name)
    assert not [part for part in found if "printerSettings" in part]
    texts = {part: data.decode() for part, data in found.items()
             if part.endswith((".xml", ".rels"))}
    for part, text in texts.items():
        assert not re.search(r"python-pptx|2013|\b4:3\b|screen4x3|Calibri", text), part
    show = etree.fromstring(found["ppt/presentation.xml"])
    size = show.find(f"{P}sldSz")
    assert dict(size.attrib) == {"cx": "12192000", "cy": "6858000"}
    assert show.find(f"{P}notesMasterIdLst/{P}notesMasterId") is not None
    order = [child.tag.split("}")[1] for child in show]
    assert order == ["sldMasterIdLst", "notesMasterIdLst", "sldIdLst", "sldSz", "notesSz",
                     "defaultTextStyle", "extLst"]  # the schema's
    for part in texts:
        if part.startswith("ppt/slideLayouts/slideLayout"):
            for box in etree.fromstring(found[part]).iter("{*}xfrm"):
                assert int(box.find("{*}off").get("x")) + int(box.find("{*}ext").get("cx")) <= (
                    12_192_000)


def test_every_relation_leads_to_a_part_and_every_part_says_its_kind(made):
    found = parts(made[0] / "act01.zh.pptx")
    kinds = etree.fromstring(found["[Content_Types].xml"])
    known = {node.get("Extension", "").lower() for node in kinds} | {
        node.get("PartName") for node in kinds}
    for name, data in found.items():
        assert name.rsplit(".", 1)[1].lower() in known or f"/{name}" in known, name
        if not name.endswith(".xml") or name.startswith("["):
            continue
        path = PurePosixPath(name)
        listed = found.get(f"{path.parent}/_rels/{path.name}.rels", b"<a/>")
        targets = {node.get("Id"): node.get("Target") for node in etree.fromstring(listed)}
        used = {value for node in etree.fromstring(data).iter() if isinstance(node.tag, str)
                for key, value in node.attrib.items() if key.startswith(R) and value}
        assert used <= set(targets), name
        for target in targets.values():
            assert posixpath.normpath(posixpath.join("/", str(path.parent), target))[1:] in found


def test_the_deck_says_its_language_its_act_and_its_numbers(made):
    show = pptx.Presentation(made[0] / "act01.zh.pptx")
    rendered = read(rendered_house()[1] / "act01.zh")
    about = show.core_properties
    assert (about.title, about.author, about.language) == (
        rendered.sheet["title"]["zh"], "看得见的推理", "zh-CN")
    assert "act01" in about.subject and rendered.manifest["engine"] in about.subject
    for slide in show.slides:
        runs = [*slide._element.iter("{*}rPr"), *slide.notes_slide._element.iter("{*}rPr")]
        assert runs and {run.get("lang") for run in runs} == {"zh-CN"}
        assert [field.get("type") for field in slide._element.iter("{*}fld")] == ["slidenum"]
        assert slide.shapes[-1].name == "Slide number"  # over the film, not under it
        for text in [node.get("descr") or "" for node in slide._element.iter("{*}cNvPr")]:
            assert not re.search(r"[.?!。？！][.。]", text)


def test_alternative_texts_are_sentences():
    assert sentences(["Who runs next?", "A line", "An end."], "en") == (
        "Who runs next? A line. An end.")
    assert sentences(["谁先运行？", "一行"], "zh") == "谁先运行？一行。"


@pytest.mark.parametrize("name, theme", [("act01.zh.pptx", "dark"), ("act01.light.pptx", "light")])
def test_a_slide_of_the_lecturers_own_has_the_films_colours(made, name, theme, tmp_path):
    show = pptx.Presentation(made[0] / name)
    slide = show.slides.add_slide(show.slide_layouts.get_by_name("Title and text"))
    slide.shapes.title.text = "Mine"
    theme_part = parts(made[0] / name)["ppt/theme/theme1.xml"].decode()
    master = show.slide_master._element
    ground = master.find(f"{P}clrMap").get("bg1")
    colour = re.search(rf'<a:{ground}><a:srgbClr val="(\w+)"', theme_part).group(1)
    assert colour == {"dark": "10151C", "light": "FFFFFF"}[theme]
    assert f"#{colour}" == read(rendered_house()[1] / name[:-5]).manifest["ground"]


def test_both_languages_captions_are_in_the_clip(made):
    rendered = read(rendered_house()[1] / "act01.zh")
    for slide, beat in zip(pptx.Presentation(made[0] / "act01.zh.pptx").slides, rendered.beats):
        tracks = list(slide._element.iter("{*}track"))
        assert [track.get("lang") for track in tracks] == ["en-US", "zh-CN"]
        for track, language in zip(tracks, ("en", "zh")):
            part = slide.part.related_part(track.get(f"{R}embed"))
            assert part.content_type == "text/vtt"
            assert list(read_vtt(part.blob.decode())) == rendered.beat_cues(beat, language)


def test_a_last_picture_stands_for_the_clip_only_while_nothing_plays(made):
    rendered = read(rendered_house()[1] / "act01.zh")
    for slide, beat in zip(pptx.Presentation(made[0] / "act01.zh.pptx").slides, rendered.beats):
        cover, = [shape for shape in slide.shapes if shape.shape_type == 13]  # PICTURE
        assert cover.image.blob == (rendered.folder / beat["last"]).read_bytes()
        hidden, = [node for node in slide._element.iter(f"{P}cTn")
                   if node.get("nodeType") == "interactiveSeq"]
        assert {t.get("spid") for t in hidden.iter(f"{P}spTgt")} == {str(cover.shape_id)}
        assert hidden.find(f".//{P}cTn[@presetClass='entr']") is not None
    for slide in pptx.Presentation(made[0] / "act01.light.pptx").slides:
        assert not [shape for shape in slide.shapes if shape.shape_type == 13]


def test_chosen_beats_come_in_the_order_asked_for(made):
    show = pptx.Presentation(made[0] / "act01.2-beats.pptx")
    titles = {beat["name"]: beat["title"]["en"]
              for beat in read(rendered_house()[1] / "act01").beats}
    assert [slide.shapes.title.text for slide in show.slides] == [
        titles["change"], titles["build-row"]]


def test_a_lecturers_own_template_keeps_its_look_and_loses_its_slides(made, own_template):
    show = pptx.Presentation(made[0] / "own/act01.pptx")
    assert (show.slide_width, show.slide_height) == (9_144_000, 6_858_000)
    assert len(show.slides) == len(BEATS)
    assert "Last year" not in str(parts(made[0] / "own/act01.pptx").get("ppt/slides/slide1.xml"))
    for slide in show.slides:
        assert slide.slide_layout.name == "Title Only"
        movie, = [shape for shape in slide.shapes if shape.shape_type == 16]
        title = slide.shapes.title
        assert movie.width * 9 == pytest.approx(movie.height * 16, rel=1e-4)
        assert title.top + title.height <= movie.top
        assert movie.left >= 0 and movie.top + movie.height <= show.slide_height
        assert movie.left + movie.width <= show.slide_width


def test_one_deck_of_several_acts_is_folded_by_act(tmp_path):
    from studio.deliver.decks import pptx as deck

    _, media = rendered_house()
    acts = [read(media / name) for name in ("act01", "act01.count-3")]
    acts[1].sheet["title"] = {"en": "Another act", "zh": "另一幕"}
    talk = Talk.of(acts, "en", Choice())
    assert talk.name == "course"
    deck.write(talk, tmp_path / "course.pptx")
    show = pptx.Presentation(tmp_path / "course.pptx")
    assert show.core_properties.title == "Visible inference"
    sections = list(show.part._element.iter("{*}section"))
    assert [section.get("name") for section in sections] == ["A probe of the studio", "Another act"]
    listed = [int(node.get("id")) for section in sections for node in section.iter("{*}sldId")]
    assert listed == [slide.slide_id for slide in show.slides] and len(listed) == 2 * len(BEATS)
    first = show.slides[0].part.related_part(
        next(show.slides[0]._element.iter("{*}blip")).get(f"{R}embed"))
    assert Image.open(io.BytesIO(first.blob)).size == (256, 144)


def test_wrong_choices_are_one_line_each(made):
    beat, template, kind, course = made[1]
    assert "unknown beat of act01 'chnage'" in beat and "no PowerPoint file" in template
    assert "--format pptx" in kind and "belong to one act" in course
    assert all(errors.count("\n") == 1 for errors in made[1])
    assert (made[0] / "all/act01.pptx").is_file()  # a house of one act
