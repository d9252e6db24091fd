"""What the pages of the site know of an act: plain data for JSON, from what renders left behind."""

from typing import Any

from scenes.stage import LANGUAGES
from studio.deliver.captions import Cue
from studio.deliver.meanings import meaning
from studio.deliver.rendered import Rendered

__all__ = ["FULL_COMMIT", "act_data", "parameters"]

FULL_COMMIT = "bb823b3e06983d71485a8e1f23715ebd87d98ef8"
_SOURCE = "https://github.com/GeeeekExplorer/nano-vllm/blob/{}/nanovllm/{}#L{}"


def anchor_url(anchor: str) -> str:
    """"engine/scheduler.py:25@bb823b3" -> that line of the frozen commit; ValueError for others.

    A range, "engine/scheduler.py:25-40@…", becomes #L25-L40.
    """
    place, _, commit = anchor.partition("@")
    path, _, lines = place.partition(":")
    if not commit or not FULL_COMMIT.startswith(commit):
        raise ValueError(f"{anchor}: not of the frozen commit")
    return _SOURCE.format(FULL_COMMIT, path, lines.replace("-", "-L"))


def line_starts(lines: list[str], cues: list[Cue]) -> list[int]:
    """When each line of narration begins, in tenths: subtitles are these lines, cut into pieces."""
    starts, k = [], 0
    for line in lines:
        starts.append(cues[min(k, len(cues) - 1)].start if cues else 0)
        wanted, found = len("".join(line.split())), 0
        while found < wanted and k < len(cues):
            found += len("".join("".join(cues[k].rows).split()))
            k += 1
    return starts


def parameters(variants: list[Rendered]) -> list[str]:
    """For each variant what distinguishes its parameters: "budget = 8", or "" when nothing does."""
    values = [variant.manifest["parameters"] for variant in variants]
    differing = [name for name in values[0]
                 if any(each.get(name) != values[0][name] for each in values)]
    return [", ".join(f"{name} = {_shown(each.get(name))}" for name in differing)
            for each in values]


def _shown(value: object) -> str:
    return "-".join(map(str, value)) if isinstance(value, list) else str(value)


def _beat(rendered: Rendered, beat: dict[str, Any]) -> dict[str, Any]:
    base = rendered.variant
    cues = {each: rendered.beat_cues(beat, each) for each in LANGUAGES}
    lines = beat["narration"]
    return {
        "name": beat["name"], "title": beat["title"], "lines": lines,
        "cues": {each: [(cue.start, cue.end, "\n".join(cue.rows)) for cue in cues[each]]
                 for each in LANGUAGES},
        "at": {each: line_starts(lines[each], cues[each]) for each in LANGUAGES},
        "frames": beat["frames"], "seconds": beat["seconds"], "steps": beat["steps"],
        "clip": f"{base}/{beat['clip']}", "last": f"{base}/{beat['last']}",
        "thumb": f"{base}/thumbs/{beat['name']}.webp", "source": beat["source"],
        "anchors": [{"text": a, "url": anchor_url(a)} for a in beat["anchors"]],
        "meaning": {each: meaning(beat["source"], each) for each in LANGUAGES},
    }


def _variant(rendered: Rendered, label: str) -> dict[str, Any]:
    names, base = rendered.names, rendered.variant
    return {
        "stem": base, "language": rendered.sheet["language"], "theme": rendered.sheet["theme"],
        "parameters": label, "fps": rendered.fps, "ground": rendered.manifest["ground"],
        "title": rendered.sheet["title"], "voice": rendered.voice,
        "settings": [*rendered.manifest["parameters"]],
        "files": {
            "film": f"{base}/{names.film}", "cues": f"{base}/{names.cues}",
            "vtt": {each: f"{base}/{names.subtitles(each, 'vtt')}" for each in LANGUAGES},
            "transcript": {each: f"{base}/{names.transcript(each)}" for each in LANGUAGES},
        },
        "beats": [_beat(rendered, beat) for beat in rendered.beats],
    }


def act_data(variants: list[Rendered]) -> dict[str, Any]:
    """All of one act; paths are relative to the site's folder."""
    act = variants[0].sheet["act"]
    return {"act": act, "number": act.removeprefix("act"),
            "variants": [_variant(*pair) for pair in zip(variants, parameters(variants))]}
