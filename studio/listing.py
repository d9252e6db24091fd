"""What there is to render: acts, beats, lengths, parameters."""

from dataclasses import fields

from scenes.stage import act_names, load_act, parse, plan
from scenes.stage.params import describe, shown

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


def listing() -> str:
    """Text of `render.py list`."""
    return "\n\n".join("\n".join(_act(name)) for name in act_names())
