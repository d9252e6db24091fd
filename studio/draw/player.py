"""An act played beat by beat with manim 0.22, its frames handed to a callable.

One act a process: manim's configuration and the kit's theme are global. What leans on manim's
internals is in this folder's player.py, renderer.py, stock.py, patches.py and vmobjects.py.
"""

import logging
from configparser import ConfigParser
from contextlib import suppress
from copy import deepcopy
from os import PathLike
from typing import Any

import manim
from manim import config
from manim._config.utils import config_file_paths

from scenes.stage import Act, load_act
from studio.draw.patches import apply_patches
from studio.draw.renderer import BeatEnded, OnPicture, SelectFrames, SelectiveRenderer
from studio.pins import pinned
from studio.render.order import Order

__all__ = ["Player", "configure_manim", "new_act", "require_pinned_manim"]

Snapshot = dict[str, Any]
_FRAME_HEIGHT = 8.0  # manim's units


def require_pinned_manim() -> None:
    """RuntimeError on another manim: this folder must then be read against it again."""
    wanted = pinned("manim")
    if not wanted.specifier.contains(manim.__version__):
        raise RuntimeError(f"manim {manim.__version__} is installed; the studio draws with "
                           f"{wanted.specifier}")


def configure_manim(order: Order, media_dir: str | PathLike[str]) -> None:
    """Set the process-wide size, rate and folder; nothing is written but drawings of formulas."""
    width, height = order.size
    config.digest_parser(_defaults())  # not what a manim.cfg of the folder or the user says
    logging.getLogger("manim").setLevel(logging.WARNING)
    config.update({
        "dry_run": True, "disable_caching": True, "progress_bar": "none", "verbosity": "WARNING",
        "pixel_width": width, "pixel_height": height, "frame_rate": order.fps,
        "frame_height": _FRAME_HEIGHT, "frame_width": _FRAME_HEIGHT * 16 / 9,
        "media_dir": str(media_dir),
    })


def _defaults() -> ConfigParser:
    parser = ConfigParser()
    parser.read(config_file_paths()[0], encoding="utf-8")
    return parser


def new_act(order: Order, renderer: Any, beats: range | None = None) -> Act:
    """The ordered act as a manim Scene that draws `beats`, or all."""
    return Act(load_act(order.act), dict(order.settings), order.language, order.theme, beats,
               order.all_languages, renderer=renderer)


class Player:
    """One act in this process: plays its beats one by one, drawn or fast-forwarded."""

    def __init__(self, order: Order, media_dir: str | PathLike[str]) -> None:
        require_pinned_manim()
        configure_manim(order, media_dir)
        apply_patches()
        self._renderer = SelectiveRenderer()
        self._act = new_act(order, self._renderer)
        # attributes that a beat does not leave to the next one
        self._constant = {*vars(self._act), "beat"} - {*Act.LIVING}
        self._blank = {name: deepcopy(getattr(self._act, name)) for name in Act.LIVING}

    @property
    def act(self) -> Act:
        """The act as it stands: for reports on what a beat did."""
        return self._act

    def start(self) -> None:
        """Bring the act to the start of its first beat."""
        self.restore(deepcopy(self._blank))

    def snapshot(self) -> Snapshot:
        """What the beats so far have left: not a copy, and valid until the next beat."""
        return {name: value for name, value in vars(self._act).items()
                if name not in self._constant}

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a snapshot of the same act, language, theme and parameters."""
        for name in set(vars(self._act)) - self._constant:
            delattr(self._act, name)
        vars(self._act).update(snapshot)

    def play(self, index: int, select: SelectFrames | None = None,
             on_picture: OnPicture | None = None, stop: int | None = None) -> None:
        """Play the beat that begins where the act stands.

        `select` says which of a movement's frames to draw; without it the beat is fast-forwarded.
        `on_picture` receives them; a hold is one picture shown several frames. From frame `stop`
        on the beat is not played: restore a snapshot before going on.
        """
        self._act.drawn = range(index, index + 1) if select else range(0)
        self._renderer.stop = stop
        if select and on_picture:
            self._renderer.select, self._renderer.on_picture = select, on_picture
        with suppress(BeatEnded):
            self._act.perform(index)
