"""The gallery's files: whole, self-contained, and never over somebody else's."""

import json

import pytest
from rendered_house import VARIANTS, built_site, rendered_house
from studio_house import calls

from studio.deliver.captions import Cue
from studio.deliver.meanings import meaning
from studio.deliver.site_data import FULL_COMMIT, anchor_url, line_starts


def test_nothing_comes_from_elsewhere_and_nothing_is_missing():
    site = built_site()
    pages = list(site.glob("*.html"))
    assert {page.name for page in pages} == {"index.html", "act01.html", "presenter.html"}
    text = (site / "act01.html").read_text(encoding="utf-8")
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    assert data["variants"][0]["stem"] == "act01"
    assert {v["stem"]: v["parameters"] for v in data["variants"]} == {
        stem: "count = 3" if "count" in stem else "count = 4" for stem in VARIANTS}
    for variant in data["variants"]:
        files = variant["files"]
        named = [files["film"], files["cues"], *files["vtt"].values(),
                 *files["transcript"].values()]
        named += [beat[key] for beat in variant["beats"] for key in ("clip", "last", "thumb")]
        assert not [name for name in named if not (site / name).is_file()]
        assert (site / files["film"]).read_bytes() == (
            rendered_house()[1] / variant["stem"] / f"{variant['stem']}.mp4").read_bytes()
    links = {a["url"] for v in data["variants"] for b in v["beats"] for a in b["anchors"]}
    assert links == {f"https://github.com/GeeeekExplorer/nano-vllm/blob/{FULL_COMMIT}/nanovllm/"
                     f"engine/scheduler.py#L{line}" for line in (25, 30)}


def test_anchor_urls_and_line_starts():
    assert anchor_url("layers/attention.py:65-70@bb823b3").endswith(
        f"/blob/{FULL_COMMIT}/nanovllm/layers/attention.py#L65-L70")
    with pytest.raises(ValueError, match="frozen commit"):
        anchor_url("engine/scheduler.py:25@1234567")
    cues = [Cue(0, 20, ("One two",)), Cue(20, 40, ("three", "four.")), Cue(45, 60, ("Five.",))]
    assert line_starts(["One two three four.", "Five."], cues) == [0, 45]


def test_with_an_address_pages_can_be_shared_and_found(tmp_path):
    house, media = rendered_house()
    out, url = tmp_path / "site", "https://example.org/course"
    done, wrong = calls(house, ["site", "--media", media, "--out", out, "--url", url],
                        ["site", "--media", media, "--out", tmp_path / "b", "--url", "here"])
    assert done[0] == 0, done
    assert (wrong[0], wrong[2]) == (2, "render.py: --url here: expected https://…\n")
    page = (out / "act01/change.html").read_text(encoding="utf-8")
    assert f'<link rel="canonical" href="{url}/act01/change.html">' in page
    assert f'hreflang="zh-Hans" href="{url}/act01.zh/change.html"' in page
    picture = page.split('property="og:image" content="')[1].split('"')[0]
    assert picture == f"{url}/act01/clips/act01-change.last.png"
    assert (out / picture.removeprefix(url + "/")).is_file()
    mapped = (out / "sitemap.xml").read_text(encoding="utf-8")
    listed = [part.split("</loc>")[0] for part in mapped.split("<loc>")[1:]]
    pages = [path.relative_to(out).as_posix() for path in out.rglob("*.html")]
    assert sorted(listed) == sorted(f"{url}/{name}" for name in pages if name != "presenter.html")


def test_a_folder_of_other_files_is_left_alone_and_an_empty_house_says_so(tmp_path):
    house, media = rendered_house()
    (tmp_path / "mine.txt").write_text("precious")
    taken, empty = calls(house, ["site", "--media", media, "--out", tmp_path],
                         ["site", "--media", tmp_path, "--out", tmp_path / "site"])
    assert (taken[0], "mine.txt was not made here" in taken[2]) == (2, True)
    assert (empty[0], "nothing rendered there yet" in empty[2]) == (1, True)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_every_badge_of_the_films_has_a_meaning_in_both_languages():
    for badge in ("REAL TRACE", "HAND-COMPUTED", "SCALED-DOWN", "SIMULATED"):
        english, chinese = (meaning(f"{badge} · a-trace", each) for each in ("en", "zh"))
        assert english.endswith(".") and chinese.endswith("。")
        assert meaning(badge, "en") == english
    assert meaning("", "en") == ""
