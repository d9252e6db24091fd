"""generate() repeats step(): five stages each time, on recorded steps."""

from manim import DOWN, LEFT, RIGHT, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.kit import FIGURE, NOTE, SMALL, STAGE, Chip, Label, Loop, Paragraph, Stepper, number, px
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["five_stages"]

STAGES = ("schedule", "prepare", "run_model", "sampler", "postprocess")


@beat("engine/llm_engine.py:49", steps=(1, 2, 3), least={3: 50})
def five_stages(act: Act) -> None:
    # Five stages and the way home.
    loop = Loop([(key, act.label(key + "_note")) for key in STAGES]).shift(STAGE.at(0, 96))
    title = VGroup(number("generate()", FIGURE), Label(act.label("until"), NOTE))
    title.arrange(RIGHT, buff=px(24), aligned_edge=DOWN).move_to(STAGE.at(0, -30, (0, 1, 0)))
    act.move(LaggedStart(*map(FadeIn, loop.nodes), lag_ratio=0.2), loop.ways, pace=SLOW)
    act.move(loop.home, title, pace=EASY)
    stepper = Stepper(act.label("step")).move_to(STAGE.at(0, 50, DOWN))
    act.move(stepper, stepper.show(1, "prefill"), pace=BRISK)
    # The prefill goes through them; small words tell what each stage put out.
    act.next_line()
    values = _pass(act, loop, 0, 14, _glosses(act, loop, stepper.get_y()))
    # Two decodes, faster.
    act.next_line()
    for step in (1, 2):
        act.move(stepper.show(step + 1, "decode"), FadeOut(values), pace=QUICK)
        values = _pass(act, loop, step, 8)


def _pass(act: Act, loop: Loop, step: int, pace: int, glosses: VGroup | None = None) -> VGroup:
    """One step goes through the stages, one lit at a time; under each what came out of it."""
    values = VGroup()
    for k, (node, value) in enumerate(zip(loop.nodes, _values(act, step))):
        values.add(value.next_to(node, DOWN, buff=px(44)))
        act.move(node.light(), FadeIn(value, shift=DOWN * px(12)), glosses and glosses[k],
                 pace=pace)
        act.move(node.calm(), pace=5)
    return values


def _glosses(act: Act, loop: Loop, below: float) -> VGroup:
    """What the words under the stages mean, at most two lines each; schedule needs none.

    Under the sampler's, at height `below`, the temperature recorded, where the race before had
    another one.
    """
    glosses = VGroup(VGroup(), *(Paragraph(act.label(key + "_gloss"), SMALL)
                                 for key in STAGES[1:]))
    for gloss, node in zip(glosses, loop.nodes):
        gloss.move_to([node.get_x(), node.get_bottom()[1] - px(206), 0])
    if act.story.facts["used_temperature"] != act.story.facts["temperature"]:
        note = Paragraph(act.label("race_used"), SMALL)
        glosses[3].add(note.move_to([glosses[3].get_left()[0], below, 0], LEFT))
    return glosses


def _values(act: Act, step: int) -> list[VGroup]:
    """What a real step put out, stage by stage: two lines each."""
    seen = act.story.journey.steps[step]
    ids, slots, before, after = (seen[key] for key in ("ids", "slots", "before", "after"))
    many = len(ids) > 1
    lines = [
        (act.label("tokens_in" if many else "token_in", n=len(ids)), seen["phase"]),
        (f"ids [{len(ids)}]" if many else f"id {ids[0]}",
         f"slots {slots[0]} … {slots[-1]}" if many else f"slot {slots[0]}"),
        ("logits", act.story.journey.shape("logits", step)),
        (None, f"id {seen['sampled']}"),
        (f"known {before['known']} → {after['known']}",
         f"cached {before['cached']} → {after['cached']}"),
    ]
    return [VGroup(number(a, 28) if a else Chip(seen["sampled_text"], "k", "q", 28, 52),
                   number(b, NOTE)).arrange(DOWN, buff=px(26)) for a, b in lines]
