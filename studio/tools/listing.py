"""What there is to render: acts, beats, lengths, parameters."""

import contextlib
import os
from dataclasses import fields

from scenes.stage import act_names, load_act, parse, plan
from scenes.stage.params import describe, shown
from studio.render.keys import listing_key
from studio.render.sources import ROOT

__all__ = ["act_names", "listing"]


def _clock(tenths: int) -> str:
    return f"{tenths // 600}:{tenths % 600 / 10:04.1f}"


def _describe_act(name: str) -> list[str]:
    lecture = load_act(name)
    planned = plan(lecture, parse(lecture.params, {}))
    lines = [f"{name}  {planned.title['en']}  ({_clock(planned.tenths)})"]
    lines += [f"  {beat.name:<28} {_clock(beat.start):>8} {beat.tenths / 10:6.1f} s  "
              f"{beat.title['en']}" for beat in planned.beats]
    lines += [f"  --set {field.name}={shown(field.default)}: {describe(field)}"
              + (f"; {field.metadata['bounds'].help}" if field.metadata["bounds"].help else "")
              for field in fields(lecture.params)]
    return lines


def _cached(name: str) -> str:
    """An act's text, from the last time if nothing it depends on changed since."""
    path = ROOT / "media" / ".studio" / "lists" / f"{name}-{listing_key(name)}.txt"
    with contextlib.suppress(OSError):
        return path.read_text(encoding="utf-8")
    text = "\n".join(_describe_act(name))
    with contextlib.suppress(OSError):  # a folder that cannot be written only costs time
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.glob(f"{name}-*.txt"):
            old.unlink()
        new = path.with_suffix(f".{os.getpid()}")
        new.write_text(text, encoding="utf-8")
        os.replace(new, path)
    return text


def listing() -> str:
    """Text of `render.py list`."""
    return "\n\n".join(map(_cached, act_names()))
