"""What the sentences of act 03 say of tokens and races."""

from typing import Any

from scenes.kit import visible
from scenes.lessons.rounding import significant
from scenes.lessons.shares import judged, odds_of_furthest

__all__ = ["race_facts", "say"]


def say(token: str) -> str:
    """A token in a sentence: quoted, without the space that may begin it."""
    return f"“{visible(token.strip(' ') or token)}”"


def _in_hundred(p: float) -> str:
    return significant(100 * p, 2) if p >= 1e-4 else "<0.01"


def race_facts(story: Any) -> dict[str, object]:
    """The two races that are shown, how often the favourite loses, and the verdict on many."""
    contest, winner = story.contest, story.contest.second.winner
    named = len(contest.field) - 1
    field, draws = story.measured.field, (story.measured.count, story.engine.total)
    bars = sum(len(judged(field, n)) for n in draws)
    return {
        "upset": say(story.tokens[winner]) if winner < named else "",
        "first_p": contest.speeds[0], "rest": _in_hundred(1 - float(contest.field[0])),
        "judged": bars, "odds": f"{100 * odds_of_furthest(story.most, bars):.0f}",
    }
