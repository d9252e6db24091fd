"""The opening question and the closing lines to remember."""

from manim import DOWN, LEFT, UP, FadeIn, LaggedStart, Rectangle, VGroup

from scenes.geometry import MARGIN, STAGE, px
from scenes.kit.base.text import Label, Paragraph
from scenes.kit.base.theme import paint

__all__ = ["Remember", "TitleCard"]

_LEFT_EDGE = -64 / 9 + px(MARGIN) + px(96)


class TitleCard(VGroup):
    """Act, question, the same question in the other language, and a motif under them."""

    def __init__(self, act_line: str, question: str, other: str, motif: VGroup | None = None):
        self.act = Label(act_line, 30, "muted")
        self.question = Paragraph(question, 80, weight="bold", width=1500, leading=1.2)
        self.other = Paragraph(other, 40, "muted", width=1500)
        parts = [self.act, self.question, self.other] + ([motif] if motif else [])
        super().__init__(*parts)
        self.arrange(DOWN, buff=px(44), aligned_edge=LEFT)
        self.move_to([_LEFT_EDGE, px(20), 0], LEFT)

    def rise(self):
        """The parts come in one after another."""
        return LaggedStart(*(FadeIn(part, shift=UP * px(14)) for part in self[1:]), lag_ratio=0.35)


class Remember(VGroup):
    """At most three lines, each with a bar in its own role; small below, what is left out."""

    def __init__(self, lines, leaves_out="", roles=("q", "k", "v"), width=1480):
        rows = []
        for line, role in zip(lines, roles):
            text = Paragraph(line, 40, width=width, weight="medium")
            bar = Rectangle(width=px(8), height=text.height + px(36), stroke_width=0,
                            fill_color=paint(role), fill_opacity=1)
            rows.append(VGroup(bar, text.next_to(bar, buff=px(36))))
        super().__init__(*rows)
        self.arrange(DOWN, buff=px(52), aligned_edge=LEFT)
        self.move_to([_LEFT_EDGE, px(40), 0], LEFT)
        self.rest = Paragraph(leaves_out, 28, "muted", width=width)
        self.rest.align_to(self, LEFT).set_y(STAGE.bottom + px(60))

    def line(self, k: int) -> list:
        """Animations that bring line k; the last one brings what is left out as well."""
        parts = [self[k], self.rest] if k == len(self) - 1 else [self[k]]
        return [FadeIn(part, shift=UP * px(14)) for part in parts]
