"""The layer's residual stream, which every beat carries; each looks into one of its boxes."""

from manim import Animation, VGroup

from scenes.kit import STAGE, Box, Stream
from scenes.stage import QUICK, Act

__all__ = ["detailed", "look", "plain"]

_BOXES = (("norm1", 120, "muted"), ("qkv", 165, "muted"), ("qk_norm", 165, "muted"),
          ("rope", 110, "muted"), ("attend", 170, "muted"), ("o", 130, "muted"),
          ("norm2", 120, "muted"), ("gate_up", 230, "muted"), ("swiglu", 140, "muted"),
          ("down", 185, "muted"))
_ENDS = ("o", "attention", "down", "mlp")


def _boxes(act: Act, boxes: tuple) -> list[Box]:
    return [Box(key, act.label(key if key in ("attention", "mlp") else f"box_{key}"), width, role,
                key.startswith("norm"), key in _ENDS) for key, width, role in boxes]


def plain(act: Act) -> Stream:
    """Two norms and two sub-layers, as large as the stage."""
    return Stream(_boxes(act, (("norm1", 200, "muted"), ("attention", 440, "q"),
                               ("norm2", 200, "muted"), ("mlp", 440, "d"))),
                  STAGE.inset(top=90), 400, 150)


def detailed(act: Act) -> Stream:
    """All boxes, in a strip at the top of the stage."""
    return Stream(_boxes(act, _BOXES))


def look(act: Act, *keys: str, beside: Animation | VGroup | None = None) -> Stream:
    """Move the lens of the carried stream under these boxes; the stream."""
    stream: Stream = act.kept.stream
    act.move(stream.look(*keys), beside, pace=QUICK)
    return stream
