"""generate() repeats step(): five stages each time, on recorded steps, on the engine's map."""

from manim import UP, FadeOut, VGroup

from scenes.act03_sampling.opening import STEP, engine_map, numbered
from scenes.act03_sampling.rows import BELOW, hole_after, strip
from scenes.kit import BODY, NOTE, STAGE, Label, TokenStrip, px
from scenes.kit.base.motion import Flight, replace
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat
from scenes.views import EngineMap, stage_outputs

__all__ = ["five_stages"]

_GUTTER = STAGE.top - px(80)  # between the strip and the map


@beat(("engine/llm_engine.py:73", "engine/model_runner.py:214"), steps=(1, 2),
      carries="prompt", least={3: 52, 4: 54})
def five_stages(act: Act) -> None:
    # Out of the sampler: the whole engine again, under the strip.
    engine, prompt = engine_map(act, BELOW), act.kept.prompt
    _alone(act, engine)
    numbered(engine)
    act.cue("out")
    engine.enter("sampler")
    act.move(engine.leave(), hole := hole_after(prompt), pace=VERY_SLOW)
    act.cue("repeat")
    act.move([engine.light(name) for name in STEP])
    act.move([engine.calm(name) for name in STEP], pace=SLOW)
    # The prefill goes through the stages; each box shows what it put out.
    shown = {name: engine.stations[name].icon for name in STEP}
    step = _step(act, 1, "prefill")
    outputs = _outputs(act, engine, 0)
    act.next_line()
    act.move(step, pace=QUICK)
    for before, (name, cue) in zip((None, *STEP), zip(STEP, (
            "schedule", "prepare", "model", "sampler", "post"))):
        act.cue(cue)
        act.move(_show(engine, shown, name, outputs[name], before), pace=EASY)
    answer = strip(act)[len(prompt):]
    act.move(_join(outputs["sampler"], answer[0], hole), pace=SLOW)
    # One decode, faster.
    act.cue("decode")
    later = _step(act, 2, "decode")
    second = _outputs(act, engine, 1)
    act.move(replace(step, later), answer[0].to("s"), engine.calm("postprocess"), pace=BRISK)
    for before, name in zip((None, *STEP), STEP[:-1]):
        act.move(_show(engine, shown, name, second[name], before), pace=QUICK)
    act.cue("more")
    act.move(_show(engine, shown, "postprocess", second["postprocess"], "sampler"),
             answer[0].to("c"), pace=BRISK)
    act.move(_join(second["sampler"], answer[1], None), pace=SLOW)
    act.keep(tokens=[*prompt, *answer[:2]])


def _alone(act: Act, engine: EngineMap) -> None:
    """In the queues our request alone."""
    queues = engine.stations["queues"]
    ours = VGroup(TokenStrip(4, "cccck", "ra", 40), Label(act.label("ours"), NOTE, "ink"))
    ours.arrange(-UP, buff=px(24)).move_to(queues.icon).set_z_index(1)
    queues.remove(queues.icon)
    queues.add(ours)


def _step(act: Act, step: int, phase: str) -> Label:
    """Which step it is, right of the strip's middle, over the map's way back."""
    words = " · ".join((act.label("step_n", n=step), act.label(phase), act.label("drawn_at")))
    return Label(words, BODY, "ink", "semibold").move_to(STAGE.at(0, -82, UP))


def _outputs(act: Act, engine: EngineMap, step: int) -> dict[str, VGroup]:
    """What each box put out in a step (from 0), standing where its icon stood."""
    count = len(act.story.journey.steps[step]["ids"])
    words = act.label("tokens_in" if count > 1 else "token_in", n=count)
    found = dict(zip(STEP, stage_outputs(act.story.journey, step, words)))
    for name, output in found.items():
        output.move_to(engine.stations[name].icon).set_z_index(2)
    return found


def _show(engine: EngineMap, shown: dict, name: str, output: VGroup, before: str | None) -> list:
    """Animations: a box lights up and tells what it put out; the one before it rests."""
    old, shown[name] = shown[name], output
    return [engine.light(name), replace(old, output), [engine.calm(before)] if before else [],
            [engine.light("pool")] if name == "model" else [],
            [engine.calm("pool")] if before == "model" else []]


def _join(drawn: VGroup, place, hole) -> list:
    """Animations: the token that was drawn goes to the end of the request."""
    return [Flight(drawn[0], place, _GUTTER), [FadeOut(hole)] if hole else []]

