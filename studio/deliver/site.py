"""The gallery: a static folder with an index, a page an act, and a player that goes by beats."""

import json
import shutil
from html import escape
from itertools import groupby
from pathlib import Path
from string import Template
from typing import Any

from PIL import Image

from studio.deliver import fonts
from studio.deliver.rendered import Rendered, find, link
from studio.deliver.site_data import act_data
from studio.errors import RenderError
from studio.render.files import publish
from studio.render.own import require_own, write_list
from studio.render.scratch import scratch_folder

__all__ = ["build_site"]

TEMPLATES = Path(__file__).parent / "templates"
ASSETS = ("site.css", "words.js", "screen.js", "player.js", "input.js")
MARKER = "site.json"  # a folder with this file was made here and may be replaced
_THUMBNAIL = 480, 270
_LATIN = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x180)])) + "–—‘’“”…−×·→←≤≥"

_CARD = Template("""<li id="$act"><a href="$act.html">
  <img src="$picture" alt="" width="480" height="270" loading="lazy">
  <p class="number"><span lang="en">Act $number</span><span lang="zh-Hans">第 $number 幕</span></p>
  <h2><span lang="en">$en</span><span lang="zh-Hans">$zh</span></h2>
  <p class="facts"><span lang="en">$time · $beats beats · film in $english$spoken$extra</span>
    <span lang="zh-Hans">$time · $beats 拍 · 影片：$chinese$said$extra</span></p></a></li>""")
_NAMES = {"en": ("English", "英文"), "zh": ("Chinese", "中文")}


def build_site(media: Path, out: Path) -> Path:
    """Make the site of everything rendered into `media`; the path of its index.html.

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
        for variants in acts:
            for variant in variants:
                _copy(variant, folder / variant.variant)
            _page(folder, variants)
        _index(folder, acts)
        _assets(folder)
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


def _template(name: str) -> Template:
    return Template((TEMPLATES / name).read_text(encoding="utf-8"))


def _page(folder: Path, variants: list[Rendered]) -> None:
    data = act_data(variants)
    first = data["variants"][0]
    page = _template("act.html").substitute(
        title=escape(first["title"]["en"]), film=escape(first["files"]["film"]),
        # "<" could end the script element early
        data=json.dumps(data, ensure_ascii=False).replace("<", "\\u003c"))
    (folder / f"{data['act']}.html").write_text(page, encoding="utf-8")


def _index(folder: Path, acts: list[list[Rendered]]) -> None:
    cards = [_card(act_data(variants)) for variants in acts]
    page = _template("index.html").substitute(cards="\n".join(cards))
    (folder / "index.html").write_text(page, encoding="utf-8")


def _card(data: dict[str, Any]) -> str:
    variants = data["variants"]
    first, beats = variants[0], variants[0]["beats"]
    seconds = round(sum(beat["seconds"] for beat in beats))
    languages = list(dict.fromkeys(variant["language"] for variant in variants))
    labels = list(dict.fromkeys(v["parameters"] for v in variants if v["parameters"]))
    return _CARD.substitute(
        act=data["act"], number=data["number"], picture=beats[len(beats) // 2]["thumb"],
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


def _assets(folder: Path) -> None:
    target = folder / "assets"
    target.mkdir()
    for name in ASSETS:
        shutil.copyfile(TEMPLATES / name, target / name)
    pages = [path.read_text(encoding="utf-8") for path in
             [*folder.glob("*.html"), *(target / name for name in ASSETS)]]
    chinese = "".join(sorted({char for page in pages for char in page if ord(char) > 0x2E7F}))
    (target / "sans.ttf").write_bytes(fonts.subset("sans", _LATIN, opsz=14))
    (target / "mono.ttf").write_bytes(fonts.subset("mono", _LATIN))
    (target / "cjk.otf").write_bytes(fonts.subset("cjk", chinese))
