"""The gallery: a static folder with an index, a page an act, and a player that goes by beats."""

import json
from html import escape
from itertools import groupby
from pathlib import Path
from string import Template
from typing import Any

from PIL import Image

from scenes.stage.lecture import Lecture
from studio.deliver.rendered import Rendered, find, link
from studio.deliver.site_assets import template, write_assets
from studio.deliver.site_data import act_data
from studio.deliver.site_lab import (
    LAB_ASSETS,
    lab_list,
    lab_of,
    lab_page,
    lab_values,
    write_lab,
    write_roles,
)
from studio.deliver.site_pages import beat_list, beat_pages, head, search_words, site_map
from studio.deliver.site_roads import roads
from studio.errors import RenderError
from studio.render.files import publish
from studio.render.own import require_own, write_list
from studio.render.scratch import scratch_folder

__all__ = ["build_site"]

ASSETS = ("site.css", "narrow.css", "words.js", "page.js", "screen.js", "player.js", "copy.js",
          "share.js", "input.js", "index.js", "presenter.js", "icon.svg")
MARKER = "site.json"  # a folder with this file was made here and may be replaced
_THUMBNAIL = 480, 270

_CARD = Template("""<li id="$act"><a href="$act.html">
  <img src="$picture" data-pictures="$pictures" alt="" width="480" height="270" loading="lazy">
  <p class="number"><span lang="en">Act $number</span><span lang="zh-Hans">第 $number 幕</span></p>
  <h2><span lang="en">$en</span><span lang="zh-Hans">$zh</span></h2>
  <p class="facts"><span lang="en">$time · $beats beats · film in $english$spoken$extra</span>
    <span lang="zh-Hans">$time · $beats 拍 · 影片：$chinese$said$extra</span></p></a></li>""")
_NAMES = {"en": ("English", "英文"), "zh": ("Chinese", "中文")}


def build_site(media: Path, out: Path, url: str = "") -> Path:
    """Make the site of everything rendered into `media`; the path of its index.html.

    `url`: where it will be; with it pages name their own address and there is a sitemap.
    Raises RenderError when there is nothing rendered, UsageError when `out` holds other things.
    """
    found = find(media)
    if not found:
        raise RenderError(f"{media}: nothing rendered there yet; run render.py act04")
    require_own(out)
    with scratch_folder(out.parent) as scratch:
        folder = scratch / "site"
        folder.mkdir()
        acts = [list(group) for _, group in groupby(found, lambda item: item.sheet["act"])]
        for variant in found:
            _copy(variant, folder / variant.variant)
        _pages(folder, [act_data(variants) for variants in acts], url and url.rstrip("/") + "/")
        write_list(folder, MARKER)
        publish(folder, out)
    return out / "index.html"


def _copy(rendered: Rendered, folder: Path) -> None:
    """A variant's files, its clips with the film's sound, and small pictures of its beats."""
    if rendered.voice:
        rendered.speaking(folder)
    for name in rendered.manifest["files"]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if not (folder / name).exists():
            link(rendered.folder / name, folder / name)
    (folder / "thumbs").mkdir()
    for beat in rendered.beats:
        with Image.open(folder / beat["last"]) as picture:
            small = picture.convert("RGB").resize(_THUMBNAIL, Image.Resampling.LANCZOS)
            small.save(folder / "thumbs" / f"{beat['name']}.webp", quality=86, method=6)


def _pages(folder: Path, acts: list[dict[str, Any]], url: str) -> None:
    """Every page of the site, each act's leading to the next one's, and what they need."""
    pages = ["index.html"]
    labs = {data["act"]: lab_of(data["act"]) for data in acts}
    for data, after in zip(acts, [*acts[1:], None]):
        data["next"] = after and {"page": f"{after['act']}.html",
                                  "title": after["variants"][0]["title"]}
        _act_page(folder, data, url, labs[data["act"]])
        pages += [f"{data['act']}.html",
                  *beat_pages(folder, template("beat.html"), data, url)]
        if lab := labs[data["act"]]:
            pages.append(write_lab(folder, lab, data["variants"][0]["beats"][-1]["last"], url))
    _index(folder, acts, url, list(filter(None, labs.values())))
    (folder / "presenter.html").write_text(template("presenter.html").template, encoding="utf-8")
    assets = write_assets(folder, (*ASSETS, *(LAB_ASSETS if any(labs.values()) else ())))
    (assets / "search.js").write_text(search_words(acts), encoding="utf-8")
    for lab in filter(None, labs.values()):
        write_roles(assets, lab)
    if url:
        (folder / "sitemap.xml").write_text(site_map(pages, url), encoding="utf-8")


def _act_page(folder: Path, data: dict[str, Any], url: str, lab: Lecture | None) -> None:
    first, after = data["variants"][0], data["next"]
    title = first["title"]["en"]
    last = first["beats"][-1]
    page = template("act.html").substitute(
        title=escape(title), number=data["number"], film=escape(first["files"]["film"]),
        lang="en", themes=_themes([data]), picture=escape(first["beats"][0]["last"]),
        head=head(f"{title} · Visible inference", " ".join(
            beat["title"]["en"] for beat in first["beats"]), last["last"],
            f"{data['act']}.html", url),
        beat_title=escape(first["beats"][0]["title"]["en"]),
        beat_lines="".join(f"<p>{escape(line)}</p>" for line in first["beats"][0]["lines"]["en"]),
        beats=beat_list(first, "en"), onward=after["page"] if after else "index.html",
        onward_hidden="" if after else "hidden",
        onward_title=escape(after["title"]["en"]) if after else "",
        **lab_values(lab),
        # "<" could end the script element early
        data=json.dumps(data, ensure_ascii=False).replace("<", "\\u003c"))
    (folder / f"{data['act']}.html").write_text(page, encoding="utf-8")


def _themes(acts: list[dict[str, Any]]) -> str:
    """The themes that there are films in, the first film's first."""
    return " ".join(dict.fromkeys(v["theme"] for data in acts for v in data["variants"]))


def _index(folder: Path, acts: list[dict[str, Any]], url: str, labs: list[Lecture]) -> None:
    beat = acts[0]["variants"][0]["beats"][-1]
    words = "How a small inference engine serves large language models: recorded, checked, drawn."
    page = template("index.html").substitute(
        cards="\n".join(map(_card, acts)), themes=_themes(acts), labs=lab_list(labs),
        roads=roads(acts, {lab.name: lab_page(lab) for lab in labs}),
        head=head("Visible inference", words, beat["last"], "index.html", url, kind="website"))
    (folder / "index.html").write_text(page, encoding="utf-8")


def _card(data: dict[str, Any]) -> str:
    variants = data["variants"]
    first, beats = variants[0], variants[0]["beats"]
    seconds = round(sum(beat["seconds"] for beat in beats))
    languages = list(dict.fromkeys(variant["language"] for variant in variants))
    labels = list(dict.fromkeys(v["parameters"] for v in variants if v["parameters"]))
    return _CARD.substitute(
        act=data["act"], number=data["number"], picture=beats[len(beats) // 2]["thumb"],
        pictures=escape(json.dumps([
            {"language": v["language"], "theme": v["theme"],
             "src": v["beats"][len(v["beats"]) // 2]["thumb"]} for v in variants])),
        time=f"{seconds // 60}:{seconds % 60:02}", beats=len(beats),
        en=escape(first["title"]["en"]), zh=escape(first["title"]["zh"]),
        english=", ".join(_NAMES[each][0] for each in languages),
        chinese="、".join(_NAMES[each][1] for each in languages),
        **_told(data), extra=escape(" · " + _joined_labels(labels)) if labels else "")


def _told(data: dict[str, Any]) -> dict[str, str]:
    """That a machine speaks in films of the act, for the card, in both languages."""
    machine = any((variant["voice"] or {}).get("machine") for variant in data["variants"])
    return {"spoken": " · spoken by a machine" if machine else "",
            "said": " · 由机器朗读" if machine else ""}


def _joined_labels(labels: list[str]) -> str:
    """["budget = 6", "budget = 8"] -> "budget = 6 | 8"."""
    name, sign, _ = labels[0].partition(" = ")
    same = all(label.startswith(name + sign) and "," not in label for label in labels)
    rest = [label.removeprefix(name + sign) if same else label for label in labels[1:]]
    return " | ".join([labels[0], *rest])
