"""Tokens and what the KV cache holds of each: the twin of a request's counters."""

from collections.abc import Sequence
from typing import NamedTuple

from manim import DOWN, LEFT, RIGHT, UP, Animation, FadeIn, FadeOut, Rectangle, VGroup

from scenes.kit import BODY, NOTE, Chip, Label, mix, number, paint, place, px, visible
from traces.state import RequestState

__all__ = ["CachedToken", "KvCells"]


class CachedToken(NamedTuple):
    """A token as recorded; `slot`: where its K and V are written, None if they never are."""

    text: str
    id: int
    slot: int | None = None


class KvCells(VGroup):
    """A column a token, from token number `first` on: text and id, and below them K, V and slot.

    Nothing is there at first; `to` brings what a state knows, computes and has cached. Columns
    are PITCH px apart; the origin is the middle of the first one's K and V. `names`: of the rows
    token, id, K and V, slot, on the left; `earlier`: words for the tokens that are not shown;
    `awaited`: words under a sampled token as long as it is known, but not yet computed.
    Parts: `heads`, `stored`, `empty` (where K and V will stand), one each a token; `shelf` (under
    K, V and slots) and `captions`, which are there from the start; `note`: words standing now.
    """

    PITCH = 164  # px

    def __init__(self, tokens: Sequence[CachedToken], first: int = 0, names: Sequence[str] = (),
                 earlier: str = "", awaited: str = "") -> None:
        self.first, self._looks = first, "." * len(tokens)
        self._awaited = awaited
        self.note: Label | None = None
        self.heads = VGroup(*map(_head, tokens))
        self.stored = VGroup(*(_stored(token.slot) for token in tokens))
        self.empty = VGroup(*(VGroup(*(place(132, 60, "focus") for _ in "KV"))
                              .arrange(DOWN, buff=px(8)) for _ in tokens))
        for row in (self.heads, self.stored, self.empty):
            for k, part in enumerate(row):
                part.shift(RIGHT * px(self.PITCH * k))
        self.shelf = Rectangle(width=px(self.PITCH * len(tokens) + 24), height=px(250),
                               stroke_width=2, stroke_color=paint("line"),
                               fill_color=paint("panel"), fill_opacity=1)
        self.shelf.move_to((px(self.PITCH * (len(tokens) - 1) / 2 + 4),
                            self.stored[0].get_y() - px(24), 0))
        self.captions = self._name(names, earlier)
        super().__init__(self.shelf, self.captions, self.heads, self.stored, self.empty)

    def _name(self, names: Sequence[str], earlier: str) -> VGroup:
        (chip, token_id), stored = self.heads[0], self.stored[0]
        captions = VGroup(*(Label(name, NOTE).move_to((px(-382), row.get_y(), 0), LEFT)
                            for name, row in zip(names, (chip, token_id, stored[:2], stored[2]))))
        if earlier:
            captions.add(Label(earlier, NOTE).move_to((px(-102), chip.get_y(), 0), RIGHT))
        return captions

    def explain(self, token: int, key: str, value: str) -> VGroup:
        """Words beside a token's K and V, each in its colour."""
        halves = self.stored[token - self.first]
        return VGroup(*(Label(text, 32, role, "medium").next_to(half, RIGHT, buff=px(60))
                        for text, role, half in zip((key, value), "kv", halves)))

    def looks(self, state: RequestState) -> str:
        """One letter a token: "." not known, "k" known, "s" computed in this step, "c" cached."""
        ends = (state.num_tokens, state.num_cached + state.scheduled, state.num_cached)
        return "".join(".ksc"[sum(self.first + k < end for end in ends)]
                       for k in range(len(self.heads)))

    def to(self, state: RequestState) -> list[Animation]:
        """Animations to a state of the request: tokens come, are computed, get K and V."""
        looks, moves, sampled = self.looks(state), [], max(state.num_prompt - self.first, 0)
        for k, (old, new) in enumerate(zip(self._looks, looks)):
            if old != new:
                moves += self._change(k, old, new, k >= sampled)
        if looks != self._looks:
            moves += self._tell(looks.find("k", sampled))
        self._looks = looks
        return moves

    def _tell(self, k: int) -> list[Animation]:
        """The note comes under token k, or goes (k < 0)."""
        old, self.note = self.note, None
        moves: list[Animation] = [] if old is None else [FadeOut(old)]
        if k >= 0 and self._awaited:
            note = Label(self._awaited, BODY, "focus", "medium")
            note.next_to(self.empty[k], DOWN, buff=px(70))
            note.set_x(min(note.get_x(), self.shelf.get_right()[0] - note.width / 2 - px(16)))
            self.note = note
            moves.append(FadeIn(note))
        return moves

    def _change(self, k: int, old: str, new: str, sampled: bool) -> list[Animation]:
        """A sampled token comes in from the left, with empty places for its K and V."""
        chip, awaited = self.heads[k][0], ("k", "s") if sampled else ()
        moves: list[Animation] = []
        if old == ".":
            chip.turn(new)
            moves.append(FadeIn(self.heads[k], shift=RIGHT * px(30 if sampled else 0)))
        else:
            moves += [FadeOut(self.heads[k])] if new == "." else chip.to(new)
        if (old in awaited) != (new in awaited):
            moves.append((FadeIn if new in awaited else FadeOut)(self.empty[k]))
        if "c" in (old, new):
            down = DOWN * px(20)
            moves.append(FadeIn(self.stored[k], shift=down) if new == "c"
                         else FadeOut(self.stored[k], shift=-down))
        return moves


def _head(token: CachedToken) -> VGroup:
    chip = Chip(visible(token.text, 9), "k", "ra", 28, 84, width=156).move_to(UP * px(260))
    return VGroup(chip, number(token.id, NOTE).next_to(chip, DOWN, buff=px(26)))


def _stored(slot: int | None) -> VGroup:
    halves = VGroup(*map(_half, "KV")).arrange(DOWN, buff=px(8))
    if slot is not None:
        halves.add(number(slot, NOTE).next_to(halves, DOWN, buff=px(26)))
    return halves


def _half(letter: str) -> VGroup:
    role = letter.lower()
    box = Rectangle(width=px(132), height=px(60), stroke_width=2, stroke_color=paint(role),
                    fill_color=mix(role, 0.45), fill_opacity=1)
    return VGroup(box, number(letter, 28, weight="semibold").move_to(box).set_z_index(1))
