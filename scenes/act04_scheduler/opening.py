"""The question, a request's life, and the loop."""

from manim import DOWN, LEFT, VGroup

from scenes.act04_scheduler.story import ROLES
from scenes.kit import TokenStrip, px
from scenes.stage import Act, beat

__all__ = ["the_question"]


@beat(header=False)
def the_question(act: Act) -> None:
    # Three requests of different lengths, each with a few tokens still to come.
    prompts = act.params.prompts[:3]
    motif = VGroup(*(TokenStrip(n, "c" * n + "k" * 3, role, 26)
                     for n, role in zip(prompts, ROLES.values())))
    act.title_card(motif.arrange(DOWN, buff=px(14), aligned_edge=LEFT))
