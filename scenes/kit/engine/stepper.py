"""Which engine step the picture shows, and its phase."""

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, RoundedRectangle, VGroup

from scenes.geometry import px
from scenes.kit.base.motion import Movement
from scenes.kit.base.text import Label, number
from scenes.kit.base.theme import paint
from scenes.kit.engine.gauge import Readout

__all__ = ["Stepper"]


class Stepper(VGroup):
    """"step 3" over two chips, prefill and decode, of which one is lit."""

    def __init__(self, word: str, first: int = 1,
                 phases: Sequence[str] = ("prefill", "decode")) -> None:
        self.word = Label(word, 34, "muted")
        self.count = Readout(first, 40)
        head = VGroup(self.word, self.count).arrange(RIGHT, buff=px(20), aligned_edge=DOWN)
        self.count.shift((0, self.word.get_bottom()[1] - self.count.get_bottom()[1], 0))
        self.chips: dict[str, VGroup] = {}
        for phase in phases:
            box = RoundedRectangle(corner_radius=px(8), width=px(200), height=px(60),
                                   stroke_width=2, stroke_color=paint("line"),
                                   fill_color=paint("panel"), fill_opacity=1)
            label = number(phase, 30, "muted").move_to(box).set_z_index(1)
            self.chips[phase] = VGroup(box, label)
        row = VGroup(*self.chips.values()).arrange(RIGHT, buff=px(12))
        super().__init__(head, row)
        self.arrange(DOWN, buff=px(26), aligned_edge=LEFT)
        self.phase: str | None = None

    def show(self, step: int, phase: str) -> list[Movement]:  # type: ignore[override]  # manim's opens a viewer
        """Animations to engine step number `step` (from 1) of a phase."""
        moves: list[Movement] = [*self.count.to(step)]
        if phase != self.phase:
            for name, (box, label) in self.chips.items():
                lit = name == phase
                moves.append(box.animate.set_fill(paint("glow") if lit else paint("panel"))
                             .set_stroke(paint("focus" if lit else "line")))
                moves.append(label.animate.set_fill(paint("ink" if lit else "muted")))
            self.phase = phase
        return moves
