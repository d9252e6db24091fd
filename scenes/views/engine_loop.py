"""The engine's step as a loop of five stages, and what a recorded step put out at each."""

from collections.abc import Sequence

from manim import DOWN, VGroup

from scenes.kit import Chip, Loop, number, px
from traces.journey import Journey

__all__ = ["STAGES", "EngineLoop", "stage_outputs"]

STAGES = ("schedule", "prepare", "run_model", "sampler", "postprocess")


def stage_outputs(journey: Journey, step: int, tokens: str) -> VGroup:
    """Of each stage two lines: what came out of it in that step (from 0).

    `tokens`: how many tokens go in, in words.
    """
    seen = journey.steps[step]
    ids, slots, before, after = (seen[key] for key in ("ids", "slots", "before", "after"))
    many = len(ids) > 1
    lines = [
        (tokens, seen["phase"]),
        (f"ids [{len(ids)}]" if many else f"id {ids[0]}",
         f"slots {slots[0]} … {slots[-1]}" if many else f"slot {slots[0]}"),
        ("logits", journey.shape("logits", step)),
        (None, f"id {seen['sampled']}"),
        (f"known {before['known']}→{after['known']}",
         f"cached {before['cached']}→{after['cached']}"),
    ]
    return VGroup(*(
        VGroup(number(first, 28) if first else Chip(seen["sampled_text"], "k", "ra", 28, 52),
               number(second, 28)).arrange(DOWN, buff=px(26)) for first, second in lines))


class EngineLoop(Loop):
    """STAGES with a question in each box, as `generate()` goes round them; see Loop."""

    def __init__(self, questions: Sequence[str]) -> None:
        super().__init__(list(zip(STAGES, questions)))

    def outputs(self, journey: Journey, step: int, tokens: str) -> VGroup:
        """Under each stage what came out of it in that step; see stage_outputs."""
        outputs = stage_outputs(journey, step, tokens)
        for output, node in zip(outputs, self.nodes):
            output.next_to(node, DOWN, buff=px(44))
        return outputs
