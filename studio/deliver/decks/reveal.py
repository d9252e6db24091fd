"""A reveal.js deck: one <section> a clip, in a folder that opens from disk."""

import shutil
from html import escape
from pathlib import Path
from typing import Any

import av

from scenes.stage import LANGUAGES
from studio.deliver import captions, subtitles
from studio.deliver.npm import npm_package
from studio.deliver.rendered import Rendered, data_url

__all__ = ["name", "require", "write"]

REVEAL = "reveal.js", "6.0.2"
_PARTS = ("dist/reset.css", "dist/reveal.css", "dist/reveal.js", "dist/plugin/notes.js", "LICENSE")

_PAGE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="reveal/reset.css">
<link rel="stylesheet" href="reveal/reveal.css">
<style>
  body {{ background: {ground}; }}
  .reveal video {{ width: 100%; height: 100%; margin: 0; max-width: none; max-height: none; }}
  .reveal h2 {{ position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%); }}
  ::cue {{ background: transparent; font: 500 4.6vh Inter, "Noto Sans CJK SC", sans-serif; }}
</style>
</head>
<body>
<div class="reveal"><div class="slides">
{sections}
</div></div>
<script src="reveal/reveal.js"></script>
<script src="reveal/notes.js"></script>
<script>
  Reveal.initialize({{ width: {width}, height: {height}, margin: 0, center: false, hash: true,
    transition: "none", plugins: [RevealNotes] }});
  let shown = "";  // language of the captions; C goes from none to the next one
  const languages = {languages};
  const caption = () => document.querySelectorAll("video").forEach(video => {{
    for (const track of video.textTracks)
      track.mode = track.language === shown ? "showing" : "disabled";
  }});
  Reveal.addKeyBinding({{ keyCode: 67, key: "C", description: "Captions" }}, () => {{
    shown = ["", ...languages][(languages.indexOf(shown) + 2) % (languages.length + 1)];
    caption();
  }});
</script>
</body>
</html>
"""
_SECTION = """<section data-background-color="{ground}" id="{name}">
<h2>{title}</h2>
<video {muted}playsinline data-autoplay preload="metadata" data-src="{clip}" poster="{first}"
  aria-label="{title}">
{tracks}
</video>
<aside class="notes">{notes}</aside>
</section>"""
_LABELS = {"en": "English", "zh": "中文"}


def require() -> None:
    """Raise RenderError when reveal.js cannot be had."""
    npm_package(*REVEAL)


def name(rendered: Rendered) -> str:
    """Name of the folder."""
    return f"{rendered.variant}-reveal"


def write(rendered: Rendered, language: str, folder: Path) -> None:
    """`index.html`, `clips/` and `reveal/`. Captions are data URLs: from a page on disk a
    browser loads no subtitle file."""
    (folder / "clips").mkdir(parents=True)
    (folder / "reveal").mkdir()
    package = npm_package(*REVEAL)
    for part in _PARTS:
        shutil.copyfile(package / part, folder / "reveal" / Path(part).name)
    for beat in rendered.beats:
        for file in (beat["clip"], beat["first"]):
            shutil.copyfile(rendered.folder / file, folder / file)
    width, height = rendered.sheet["size"]
    page = _PAGE.format(
        lang=captions.tag(language), title=escape(rendered.sheet["title"][language]),
        ground=rendered.manifest["ground"], width=width, height=height,
        languages=[captions.tag(each) for each in LANGUAGES],
        sections="\n".join(_section(rendered, beat, language) for beat in rendered.beats))
    (folder / "index.html").write_text(page, encoding="utf-8")


def _section(rendered: Rendered, beat: dict[str, Any], language: str) -> str:
    tracks = []
    for each in LANGUAGES:
        text = subtitles.vtt(rendered.beat_cues(beat, each))
        source = data_url("text/vtt", text.encode())
        tracks.append(f'<track kind="captions" srclang="{captions.tag(each)}" '
                      f'label="{_LABELS.get(each, each)}" src="{source}">')
    with av.open(f"file:{rendered.folder / beat['clip']}") as clip:
        muted = "" if clip.streams.audio else "muted "  # what is silent may start by itself
    return _SECTION.format(
        muted=muted,
        ground=rendered.manifest["ground"], name=beat["name"],
        title=escape(beat["title"][language]), clip=escape(beat["clip"]),
        first=escape(beat["first"]), tracks="\n".join(tracks),
        notes=escape(rendered.speaker_notes(beat, language)).replace("\n", "<br>"))
