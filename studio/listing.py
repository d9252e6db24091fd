"""What there is to render: acts, beats, lengths, parameters."""

import contextlib
import os
from dataclasses import fields

from scenes.stage import act_names, load_act, parse, plan
from scenes.stage.params import describe, shown
from studio.render.keys import ROOT, listing_key

__all__ = ["act_names", "listing"]


def _time(tenths: int) -> str:
    return f"{tenths // 600}:{tenths % 600 / 10:04.1f}"


def _act(name: str) -> list[str]:
    act = load_act(name)
    planned = plan(act, parse(act.Params, {}))
    out = [f"{name}  {planned.title['en']}  ({_time(planned.tenths)})"]
    out += [f"  {beat.name:<28} {_time(beat.start):>8} {beat.tenths / 10:6.1f} s  "
            f"{beat.title['en']}" for beat in planned.beats]
    out += [f"  --set {f.name}={shown(f.default)}: {describe(f)}"
            + (f"; {f.metadata['bounds'].help}" if f.metadata["bounds"].help else "")
            for f in fields(act.Params)]
    return out


def _kept(name: str) -> str:
    """An act's text, kept from the last time nothing it depends on was different."""
    path = ROOT / "media" / ".studio" / "lists" / f"{name}-{listing_key(name)}.txt"
    with contextlib.suppress(OSError):
        return path.read_text(encoding="utf-8")
    text = "\n".join(_act(name))
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
    return "\n\n".join(map(_kept, act_names()))
