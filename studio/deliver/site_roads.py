"""Three more ways into the films: by figure, chapter and lab of what the course comes from."""

from html import escape
from pathlib import Path
from string import Template
from typing import Any

from scenes.stage.yaml_files import read_yaml

__all__ = ["road_entries", "roads"]

_SECTION = Template("""  <details class="roads"><summary><span lang="en">$en</span>\
<span lang="zh-Hans">$zh</span></summary>
  <ul>
$entries
  </ul></details>""")
_NAMES = {"figures": ("By figure of the source notes", "按原讲义的插图查找"),
          "chapters": ("By chapter of the source notes", "按原讲义的章节查找"),
          "labs": ("By parameter", "按可调参数查找")}
_PLANNED = ('<span class="number"><span lang="en">Act {0:02}, planned</span>'
            '<span lang="zh-Hans">第 {0:02} 幕，计划中</span></span>')


def road_entries() -> dict[str, list[dict[str, Any]]]:
    """Figures and chapters: for each its key, words in both languages, and its `beats`
    ("act04/the-loop") or the number of the `act` in which it is planned.
    """
    entries: dict[str, list[dict[str, Any]]] = read_yaml(Path(__file__).parent / "roads.yaml")
    return entries


def roads(acts: list[dict[str, Any]], labs: dict[str, str]) -> str:
    """The sections of the index. `labs`: act -> the page on which its workload can be changed."""
    titles = {f"{data['act']}/{beat['name']}": beat["title"] for data in acts
              for beat in data["variants"][0]["beats"]}
    lists = {kind: [_entry(entry, titles) for entry in entries]
             for kind, entries in road_entries().items()}
    lists["labs"] = [_lab(data, labs.get(data["act"], "")) for data in acts
                     if data["variants"][0]["settings"]]
    return "\n".join(_SECTION.substitute(en=_NAMES[kind][0], zh=_NAMES[kind][1],
                                         entries="\n".join(entries))
                     for kind, entries in lists.items() if entries)


def _entry(entry: dict[str, Any], titles: dict[str, dict[str, str]]) -> str:
    """A figure or chapter, and the beats that show it; those that are not rendered are left out."""
    links = [_link(f"{name.partition('/')[0]}.html#{name}", **titles[name])
             for name in entry.get("beats", ()) if name in titles]
    if "act" in entry:
        links.append(_PLANNED.format(entry["act"]))
    return (f"    <li><b>{escape(entry['key'])}</b> {_both(entry['en'], entry['zh'])}"
            f"<br>{' · '.join(links)}</li>")


def _lab(data: dict[str, Any], page: str) -> str:
    """An act's parameters, which are its lab, and how to change them."""
    title, names = data["variants"][0]["title"], ", ".join(data["variants"][0]["settings"])
    link = (_link(page, "Change the parameters in the browser", "在网页里改参数") + " · "
            if page else "")
    return (f"    <li><b>{escape(data['number'])}</b> {_both(title['en'], title['zh'])}<br>{link}"
            f"<code>render.py {escape(data['act'])} --set</code> {escape(names)}</li>")


def _link(page: str, en: str, zh: str) -> str:
    return f'<a href="{escape(page)}">{_both(en, zh)}</a>'


def _both(en: str, zh: str) -> str:
    return f'<span lang="en">{escape(en)}</span><span lang="zh-Hans">{escape(zh)}</span>'
