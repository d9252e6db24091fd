"""One drawing of a beat for the live view, in a fresh process that has manim loaded already.

Nothing of this repository is loaded before: what was edited is what is drawn.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from studio.render.plan import RenderPlan

__all__ = ["WARM", "Choice", "draw"]

# what the process is forked from has loaded: slow to import, and not of this repository
WARM = ["manim", "av", "PIL.Image", "yaml", "uharfbuzz", "msgspec", "typst", "packaging", "typer",
        "rich"]


@dataclass(frozen=True)
class Choice:
    """What the page shows. `settings` are ("name", "text") pairs; `beat` "" is the first."""

    act: str
    beat: str = ""
    language: str = "en"
    theme: str = "dark"
    quality: str = "draft"
    settings: tuple[tuple[str, str], ...] = ()


def draw(choice: Choice, store: Path, folder: Path, number: int,
         pipe: "Connection[tuple[str, Any], None]") -> None:
    """Send ("plan", data), ("still", file name), ("beat", data), or ("error", text).

    `store`: root of the store with the snapshots; `folder`: for the files, called by `number`.
    """
    beat = ""
    try:
        from studio.render.order import Order
        from studio.render.plan import RenderPlan

        order = Order(choice.act, choice.quality, None, choice.language, choice.theme,
                      tuple(sorted(choice.settings)))
        plan = RenderPlan.of(order)
        beat = choice.beat or plan.plan.beats[0].name
        index = order.beat_index(plan.plan, beat)
        pipe.send(("plan", _described(plan, index)))
        _Drawing(plan, index, store, folder, number).send_to(pipe.send)
    except BaseException as error:
        from studio.errors import one_line

        pipe.send(("error", one_line(error, beat)))


def _described(plan: "RenderPlan", index: int) -> dict[str, Any]:
    """What stands beside the picture: beats, words with their times, parameters."""
    from scenes.stage import load_act
    from scenes.stage.params import describe, shown

    beat, language = plan.plan.beats[index], plan.order.language
    return {
        "act": plan.plan.act, "title": plan.plan.title[language], "beat": beat.name,
        "language": language, "theme": plan.order.theme, "seconds": beat.tenths / 10,
        "beats": [{"name": each.name, "title": each.title[language],
                   "seconds": each.tenths / 10} for each in plan.plan.beats],
        "beat_title": beat.title[language], "source": str(beat.source),
        "anchors": list(beat.anchors),
        "lines": [{"at": (line.start - beat.start) / 10, "text": line.text[language]}
                  for line in beat.lines],
        "cues": [{"name": name, "at": cue.tenths / 10} for name, cue in beat.cues.items()],
        "parameters": [{"name": field.name, "value": shown(plan.plan.params[field.name]),
                        "range": describe(field), "help": field.metadata["bounds"].help}
                       for field in fields(load_act(plan.order.act).params)],
    }


class _Drawing:
    """A beat's still, then its film and pace."""

    def __init__(self, plan: "RenderPlan", index: int, store: Path, folder: Path,
                 number: int) -> None:
        from studio.draw.player import Player
        from studio.render.snapshots import Snapshots

        self._plan, self._index = plan, index
        self._folder, self._number = folder, number
        self._snapshots = Snapshots(store, plan.keys)
        self._player: Player = Player(plan.order, folder / "media")

    def send_to(self, send: Callable[[tuple[str, Any]], None]) -> None:
        """Draw, and send each thing when it is there."""
        from PIL import Image

        last = self._last_picture()
        still = f"still-{self._number}.png"
        Image.fromarray(last).save(self._folder / still, compress_level=1)
        send(("still", still))
        send(("beat", {"film": self._film(), **self._pace(last)}))

    def _last_picture(self) -> "np.ndarray":
        """RGB [h, w, 3]."""
        last = self._plan.frames(self._index) - 1
        found: list[np.ndarray] = []
        self._snapshots.draw(
            self._player, self._index,
            lambda _, start, count: [last] if start <= last < start + count else [],
            lambda _, frame, pixels, *__: found.append(pixels[..., :3].copy()))
        return found[-1]

    def _film(self) -> str:
        from studio.render.messages import DrawRun
        from studio.render.worker import RunRecorder
        from studio.stream.mp4 import Part, join

        count, name = self._plan.frames(self._index), f"beat-{self._number}.mp4"
        work = self._folder / f"work-{self._number}"
        recorder = RunRecorder(self._plan, DrawRun(self._index, range(count)), work,
                               lambda _: None)
        self._snapshots.draw(self._player, self._index, recorder.select, recorder.on_picture)
        recorder.finish()
        join([Part(work / "film.mp4", count)], self._folder / name, self._plan.order.fps)
        return name

    def _pace(self, last: "np.ndarray") -> dict[str, Any]:
        from studio.pacing import pace_of

        beat = self._plan.plan.beats[self._index]
        return {"pace": pace_of(beat, self._plan.order.language, self._player.act.spans,
                                last).told(),
                "moves": [{"at": span.start / 30, "seconds": span.frames / 30, "cue": span.cue}
                          for span in self._player.act.spans if span.moving]}
