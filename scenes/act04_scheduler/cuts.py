"""Prompts that are computed in pieces: each was the first of its steps."""

from collections.abc import Sequence

from traces import Step

__all__ = ["also_cut", "pieces"]


def also_cut(prefills: Sequence[Step]) -> str:
    """Who is first, and cut, in a later one of these prefills, having had no piece yet; or ""."""
    parts = [step.scheduled[0] for step in prefills[1:]]
    return next((part.request for part in parts if part.is_chunk and not part.start), "")


def pieces(steps: Sequence[Step]) -> list[Step]:
    """Every prefill that computes a piece of its first prompt; the last piece's, too."""
    return [step for step in steps if step.phase == "prefill"
            and (step.scheduled[0].is_chunk or step.scheduled[0].start > 0)]
