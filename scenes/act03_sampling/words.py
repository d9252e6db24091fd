"""What the sentences of act 03 say of tokens and races."""

from typing import Any

from scenes.kit import visible
from scenes.lessons.rounding import significant

__all__ = ["race_facts", "say"]


def say(token: str) -> str:
    """A token in a sentence: quoted, without the space that may begin it."""
    return f"“{visible(token.strip(' ') or token)}”"


def race_facts(story: Any) -> dict[str, object]:
    """The two races that are shown, and how often the favourite loses."""
    contest, winner = story.contest, story.contest.second.winner
    named = len(contest.field) - 1
    return {
        "upset": say(story.tokens[winner]) if winner < named else "",
        "first_p": contest.speeds[0], "rest": significant(100 * (1 - float(contest.field[0])), 2),
    }
