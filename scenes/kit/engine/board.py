"""The scheduler's two queues as panels; requests are rows that travel between them."""

from collections.abc import Mapping, Sequence
from typing import Any

from manim import (
    LEFT,
    RIGHT,
    UP,
    AnimationGroup,
    FadeIn,
    FadeOut,
    MoveToTarget,
    RoundedRectangle,
    VGroup,
)
from manim.typing import Point3D, Vector3D

from scenes.geometry import px
from scenes.kit.base.text import Label
from scenes.kit.base.theme import paint
from scenes.kit.engine.tokens import TokenStrip, name_tag

__all__ = ["Board", "Panel", "RequestRow"]


class Panel(VGroup):
    """A framed area with a caption and room for rows below it."""

    def __init__(self, caption: str, width: float, height: float, role: str = "muted") -> None:
        self.box = RoundedRectangle(
            corner_radius=px(12), width=px(width), height=px(height), stroke_width=2,
            stroke_color=paint("line"), fill_color=paint("panel"), fill_opacity=1)
        self.caption = Label(caption, 28, role).set_z_index(1)
        self.caption.move_to(self.box, UP + LEFT).shift((px(32), -px(20), 0))
        super().__init__(self.box, self.caption)

    def slot(self, index: float, pitch: float) -> Point3D:
        """Left end of the middle of row `index`."""
        corner = self.box.get_corner(UP + LEFT)
        return corner + [px(32), -px(100 + pitch * index), 0]


class RequestRow(VGroup):
    """A request's letter and its tokens, on a band like the panel's ground.

    On its way to another place a row hides what it passes over: captions, and the rows on a lower
    `layer`. Rings, on layer 2, lie above all of them. Parts: `tag`, `strip`, `band`.
    """

    def __init__(self, name: str, role: str, prompt: int, looks: str,
                 cell: float = 40, layer: int = 0) -> None:
        below = 1.1 + 0.1 * layer  # above captions, below rings
        self.tag = name_tag(name, role)
        self.strip = TokenStrip(prompt, looks, role, cell)
        self.tag.move_to((0, 0, 0), LEFT)
        self.strip.move_to((px(44), 0, 0), LEFT)
        whole = VGroup(self.tag, self.strip).set_z_index(below + 0.05)
        self.band = RoundedRectangle(
            corner_radius=px(8), width=whole.width + px(12), height=px(cell + 14), stroke_width=0,
            fill_color=paint("panel"), fill_opacity=1).move_to(whole).set_z_index(below)
        super().__init__(self.tag, self.strip, self.band)

    def place(self, left_middle: Point3D) -> "RequestRow":
        self.shift(left_middle - self.tag.get_left())
        return self

    def go(self, shift: Vector3D, looks: str) -> MoveToTarget:
        """One Animation: the row travels and its cells change on the way."""
        target = self.generate_target()
        target.shift(shift)
        self.strip.restyle(target[1], looks)
        return MoveToTarget(self)

    @property
    def end(self) -> Point3D:
        """Right end of the last token that is there."""
        return self.strip[len(self.strip.looks.rstrip(".")) - 1].get_right()


class Board(VGroup):
    """Waiting above, running below. `show` animates to any pair of queues.

    `requests`: name -> (role, prompt length, number of cells).
    """

    def __init__(self, captions: Mapping[str, str], requests: Mapping[str, tuple[str, int, int]],
                 width: float = 900, rows: int = 5, cell: float = 36, pitch: float = 54) -> None:
        height = 100 + pitch * rows - pitch / 2 + 4
        self.panels = {key: Panel(text, width, height) for key, text in captions.items()}
        super().__init__(*self.panels.values())
        self.arrange(-UP, buff=px(28))
        self.pitch = pitch
        self.rows: dict[str, RequestRow] = {}
        self._where: dict[str, tuple[str, int]] = {}  # request -> queue, place
        for k, (name, (role, prompt, cells)) in enumerate(requests.items()):
            looks = "k" * prompt + "." * (cells - prompt)
            self.rows[name] = RequestRow(name, role, prompt, looks, cell, k)

    @property
    def shown(self) -> list[str]:
        """The requests whose rows stand in one of the queues."""
        return list(self._where)

    def show(self, queues: Mapping[str, Sequence[str]],  # type: ignore[override]  # manim's opens a viewer
             looks: Mapping[str, str]) -> AnimationGroup | None:
        """One Animation: rows travel to their queue and place, cells change their look."""
        moves, here = list[Any](), dict[str, tuple[str, int]]()
        for queue, names in queues.items():
            for index, name in enumerate(names):
                here[name] = (queue, index)
                moves += self._bring(name, self.panels[queue].slot(index, self.pitch), looks[name])
        for name in set(self._where) - set(here):
            moves.append(FadeOut(self.rows[name], shift=RIGHT * px(60)))
        self._where = here
        return AnimationGroup(*moves) if moves else None

    def _bring(self, name: str, target: Point3D, looks: str) -> list[Any]:
        row = self.rows[name]
        if name not in self._where:
            row.strip.restyle(row.strip, looks)
            return [FadeIn(row.place(target), shift=RIGHT * px(18))]
        shift = target - row.tag.get_left()
        if max(abs(shift)) < 1e-6:
            return row.strip.show(looks)
        return [row.go(shift, looks)]
