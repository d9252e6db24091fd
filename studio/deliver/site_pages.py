"""What the site has for who runs no script and for who shares a link: a page a beat, heads, map."""

import json
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from studio.deliver import captions
from studio.deliver.decks.talk import COURSE

__all__ = ["beat_list", "beat_pages", "head", "search_words", "site_map"]

_HEAD = Template("""<meta name="description" content="$words">
<meta property="og:title" content="$title">
<meta property="og:description" content="$words">
<meta property="og:type" content="$kind">
<meta property="og:image" content="$image">
<meta name="twitter:card" content="summary_large_image">""")
_ACT = {"en": "Act {}", "zh": "第 {} 幕"}
_WORDS = {"en": ("Play it beat by beat", "Source of the numbers: "),
          "zh": ("逐拍播放", "数字来源：")}


def head(title: str, words: str, picture: str, page: str, url: str,
         others: dict[str, str] | None = None, kind: str = "article") -> str:
    """Meta elements of a page; paths are relative to the site's folder.

    `url`: where the site will be, ending in "/"; without it no address can be named, so pictures
    stay relative and there is neither canonical address nor `others` (language tag -> page).
    """
    lines = [_HEAD.substitute(title=escape(title), words=escape(_cut(words)), kind=kind,
                              image=escape(url + picture))]
    if url:
        lines.append(f'<link rel="canonical" href="{escape(url + page)}">')
        lines += [f'<link rel="alternate" hreflang="{tag}" href="{escape(url + other)}">'
                  for tag, other in (others or {}).items()]
    return "\n".join(lines)


def _cut(text: str, most: int = 200) -> str:
    return text if len(text) <= most else text[:most - 1].rstrip() + "…"


def beat_page(variant: dict[str, Any], beat: dict[str, Any]) -> str:
    """The page of a beat, in its film's folder."""
    return f"{variant['stem']}/{beat['name']}.html"


def beat_list(variant: dict[str, Any], language: str) -> str:
    """The act's beats as links with pictures and words, which the player replaces."""
    space = "" if language == "zh" else " "
    return "\n".join(
        f'<li><a href="{escape(beat_page(variant, beat))}"><img src="{escape(beat["thumb"])}" '
        f'alt="" width="480" height="270" loading="lazy"> {escape(beat["title"][language])}</a>'
        f'<p>{escape(space.join(beat["lines"][language]))}</p></li>' for beat in variant["beats"])


def beat_pages(folder: Path, template: Template, data: dict[str, Any], url: str) -> list[str]:
    """Write a page for every beat of every film of an act; their paths in the site."""
    written = []
    for variant in data["variants"]:
        for index, beat in enumerate(variant["beats"]):
            page = beat_page(variant, beat)
            text = template.substitute(_beat_values(data, variant, index, page, url))
            (folder / page).write_text(text, encoding="utf-8")
            written.append(page)
    return written


def _beat_values(data: dict[str, Any], variant: dict[str, Any], index: int, page: str,
                 url: str) -> dict[str, str]:
    language, beats = variant["language"], variant["beats"]
    beat = beats[index]
    title = beat["title"][language]
    act = f"{_ACT[language].format(data['number'])} · {variant['title'][language]}"
    space = "" if language == "zh" else " "
    siblings = {captions.tag(other["language"]): beat_page(other, beat)
                for other in data["variants"]
                if (other["theme"], other["parameters"]) == (variant["theme"],
                                                              variant["parameters"])
                and beat["name"] in {each["name"] for each in other["beats"]}}
    ways = [f'<a rel="{rel}" href="{escape(beats[k]["name"])}.html">'
            f'{escape(beats[k]["title"][language])}</a>'
            for rel, k in (("prev", index - 1), ("next", index + 1)) if 0 <= k < len(beats)]
    anchors = "\n".join(f'<a href="{escape(a["url"])}">{escape(a["text"])}</a>'
                        for a in beat["anchors"])
    return {
        "lang": captions.tag(language), "theme": variant["theme"], "title": escape(title),
        "course": COURSE[language], "act": escape(act),
        "head": head(f"{title} · {act}", space.join(beat["lines"][language]), beat["last"], page,
                     url, siblings, "video.other"),
        "clip": escape("../" + beat["clip"]), "last": escape("../" + beat["last"]),
        "lines": "\n".join(f"<p>{escape(line)}</p>" for line in beat["lines"][language]),
        "source": escape(_WORDS[language][1] + beat["source"]), "anchors": anchors,
        "player": f"../{data['act']}.html#{variant['stem']}/{escape(beat['name'])}",
        "play": _WORDS[language][0], "ways": " · ".join(ways)}


def search_words(acts: list[dict[str, Any]]) -> str:
    """A script that holds every beat's words, for the index's search: no server is needed."""
    entries = [{
        "number": data["number"], "page": f"{data['act']}.html#{data['act']}/{beat['name']}",
        "title": beat["title"], "anchors": " ".join(a["text"] for a in beat["anchors"]),
        "text": {each: " ".join(lines) for each, lines in beat["lines"].items()},
    } for data in acts for beat in data["variants"][0]["beats"]]
    return f"window.SEARCH = {json.dumps(entries, ensure_ascii=False)};\n"


def site_map(pages: list[str], url: str) -> str:
    """A sitemap of the pages at `url`."""
    places = "\n".join(f"<url><loc>{escape(url + page)}</loc></url>" for page in pages)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n'
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
            f"{places}\n</urlset>\n")
