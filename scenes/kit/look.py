"""What every act takes from the kit without asking: furniture, title card, closing lines."""

from collections.abc import Sequence

from manim import VMobject

from scenes.kit.base.frame import Frame
from scenes.kit.base.theme import THEMES
from scenes.kit.base.titles import Remember, TitleCard

__all__ = ["LOOK"]


class _Look:
    """The stage asks for these by name, so that it need not import the kit."""

    def frame(self, theme: str, act_line: str) -> Frame:
        return Frame(theme, act_line)

    def title_card(self, act_line: str, question: str, other: str, motif: VMobject) -> TitleCard:
        return TitleCard(act_line, question, other, motif)

    def remember(self, lines: Sequence[str], leaves_out: str, pictures: bool,
                 large: bool = False) -> Remember:
        return Remember(lines, leaves_out, pictures, large)

    def colours(self, theme: str) -> dict[str, str]:
        return {role: getattr(THEMES[theme], role) for role in THEMES[theme].roles}


LOOK = _Look()
