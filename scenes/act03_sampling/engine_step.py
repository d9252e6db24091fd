"""generate() repeats step(): five stages each time, on recorded steps."""

from itertools import zip_longest

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, Mobject, VGroup

from scenes.kit import FIGURE, NOTE, SMALL, STAGE, Label, Paragraph, Stepper, number, px
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat
from scenes.views.engine_loop import STAGES, EngineLoop

__all__ = ["five_stages"]


@beat("engine/llm_engine.py:49", steps=(1, 2, 3), least={3: 50})
def five_stages(act: Act) -> None:
    # Five stages and the way home.
    loop = EngineLoop([act.label(f"{stage}_note") for stage in STAGES]).shift(STAGE.at(0, 96))
    title = VGroup(number("generate()", FIGURE), Label(act.label("until"), NOTE))
    title.arrange(RIGHT, buff=px(24), aligned_edge=DOWN).move_to(STAGE.at(0, -30, UP))
    act.move(LaggedStart(*map(FadeIn, loop.nodes), lag_ratio=0.2), loop.ways, pace=SLOW)
    act.move(loop.home, title, pace=EASY)
    stepper = Stepper(act.label("step")).move_to(STAGE.at(0, 50, DOWN))
    act.move(stepper, stepper.show(1, "prefill"), pace=BRISK)
    # The prefill goes through them; small words tell what each stage put out.
    act.next_line()
    outputs = _pass(act, loop, 0, 14, _glosses(act, loop, stepper))
    # Two decodes, faster.
    act.next_line()
    for step in (1, 2):
        act.move(stepper.show(step + 1, "decode"), FadeOut(outputs), pace=QUICK)
        outputs = _pass(act, loop, step, 8)


def _pass(act: Act, loop: EngineLoop, step: int, pace: int, glosses: list | None = None) -> VGroup:
    """One step goes through the stages, one lit at a time; under each what came out of it."""
    count = len(act.story.journey.steps[step]["ids"])
    words = act.label("tokens_in" if count > 1 else "token_in", n=count)
    outputs = loop.outputs(act.story.journey, step, words)
    for node, output, gloss in zip_longest(loop.nodes, outputs, glosses or []):
        act.move(node.light(), FadeIn(output, shift=DOWN * px(12)), gloss, pace=pace)
        act.move(node.calm(), pace=5)
    return outputs


def _glosses(act: Act, loop: EngineLoop, stepper: Mobject) -> list:
    """What the words under the stages mean, at most two lines each; schedule needs none."""
    glosses = [Paragraph(act.label(f"{stage}_gloss"), SMALL)
               .move_to(node.get_bottom() + DOWN * px(206))
               for stage, node in zip(STAGES[1:], loop.nodes[1:])]
    # Where the race before had another temperature than the recorded one, that is said.
    if act.story.facts["used_temperature"] != act.story.facts["temperature"]:
        note = Paragraph(act.label("race_used"), SMALL).set_y(stepper.get_y())
        glosses[2].add(note.align_to(glosses[2], LEFT))
    return [None, *glosses]
