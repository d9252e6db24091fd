"""The opening question and the closing lines to remember."""

from collections.abc import Sequence

from manim import DOWN, LEFT, UP, FadeIn, LaggedStart, RoundedRectangle, VGroup, VMobject

from scenes.geometry import MARGIN, STAGE, Region, px
from scenes.kit.base.text import NOTE, Label, Paragraph, Style
from scenes.kit.base.theme import paint

__all__ = ["Remember", "TitleCard"]

_LEFT_EDGE = -64 / 9 + px(MARGIN) + px(96)
REMEMBERED = Style(42, "medium")
_PAD = 24  # between a replay and its outline, px


class TitleCard(VGroup):
    """Act, question, the same question in the other language, and a motif under them."""

    def __init__(self, act_line: str, question: str, other: str,
                 motif: VMobject | None = None) -> None:
        self.act = Label(act_line, 30, "muted")
        self.question = Paragraph(question, 80, weight="bold", width=1500, leading=1.2)
        self.other = Paragraph(other, 40, "muted", width=1500)
        parts = [self.act, self.question, self.other] + ([motif] if motif else [])
        super().__init__(*parts)
        self.arrange(DOWN, buff=px(44), aligned_edge=LEFT)
        self.move_to((_LEFT_EDGE, px(20), 0), LEFT)

    def rise(self) -> LaggedStart:
        """The parts come in one after another."""
        return LaggedStart(*(FadeIn(part, shift=UP * px(14)) for part in self[1:]), lag_ratio=0.35)


class Remember(VGroup):
    """At most three lines, each beside a room for a small replay; below, what is left out.

    Parts: `rooms`, one Region a line, for the pictures; `frames`, their outlines, which stand from
    the first line on; without pictures the lines take all. `large`: one line at a time, under a
    picture that fills the stage.
    """

    def __init__(self, lines: Sequence[str], leaves_out: str = "", pictures: bool = True,
                 large: bool = False) -> None:
        self.large = large
        if large:
            self._one_by_one(lines, leaves_out)
            return
        *rows, foot = STAGE.rows(*[1] * len(lines), 0.42, gap=28)
        share = (9, 11) if pictures else (0, 1)
        cards, texts = zip(*(row.columns(*share, gap=72) for row in rows))
        self.rooms = tuple(card.inset(left=_PAD, right=_PAD) for card in cards)
        self.frames = VGroup(*(_outline(card) for card in cards if pictures))
        super().__init__(*(
            room.place(Paragraph(line, REMEMBERED, width=room.width / px(1)), LEFT)
            for line, room in zip(lines, texts)))
        self.rest = foot.place(Paragraph(leaves_out, NOTE, width=foot.width / px(1)), DOWN + LEFT)

    def _one_by_one(self, lines: Sequence[str], leaves_out: str) -> None:
        room, text, foot = STAGE.rows(7, 1.2, 0.6, gap=24)
        self.rooms, self.frames = (room,) * len(lines), VGroup()
        super().__init__(*(text.place(Paragraph(line, REMEMBERED, width=text.width / px(1)))
                           for line in lines))
        self.rest = foot.place(Paragraph(leaves_out, NOTE, width=foot.width / px(1)), DOWN + LEFT)

    def line(self, k: int) -> list[FadeIn]:
        """Animations that bring line k; the last one brings what is left out as well."""
        parts = [self[k], self.rest] if k == len(self) - 1 else [self[k]]
        frames = [] if k or not self.frames else [FadeIn(self.frames)]
        return frames + [FadeIn(part, shift=UP * px(14)) for part in parts]


def _outline(card: Region) -> RoundedRectangle:
    """The edge of a card that waits for its picture, a little outside it."""
    return RoundedRectangle(corner_radius=px(12), width=card.width,
                            height=card.height + px(16), stroke_width=2,
                            stroke_color=paint("line")).move_to(card.center)
