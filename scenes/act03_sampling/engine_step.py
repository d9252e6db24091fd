"""generate() repeats step(): five stages each time, on recorded steps, on the engine's map."""

from manim import DOWN, RIGHT, UP, FadeOut, Mobject, VGroup

from scenes.act03_sampling.opening import STEP, engine_map, numbered
from scenes.act03_sampling.rows import BELOW, hole_after, strip
from scenes.kit import (BODY, LEAD, STAGE, Chip, KVCell, Label, Slot, TokenStrip, mix, paint, px)
from scenes.kit.base.motion import Flight, replace
from scenes.kit.engine.icons import PoolIcon
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat
from scenes.views import EngineMap, stage_outputs

__all__ = ["five_stages"]

_BLOCKS = 10  # in the pool that is drawn, of two places each
_GUTTER = STAGE.top - px(80)  # between the strip and the map


@beat(("engine/llm_engine.py:73", "engine/model_runner.py:214"), steps=(1, 2),
      carries="prompt", least={3: 52, 4: 54})
def five_stages(act: Act) -> None:
    # Out of the sampler: the whole engine again, under the strip, with our request alone.
    prompt, known = act.kept.prompt, act.story.journey.known
    queue = Queue(act, known)
    engine = engine_map(act, BELOW, {"queues": queue, "pool": PoolIcon([(None, 0)] * _BLOCKS)})
    numbered(engine)
    act.cue("out")
    engine.enter("sampler")
    act.move(engine.leave(), hole := hole_after(prompt), pace=VERY_SLOW)
    act.cue("repeat")
    act.move([engine.light(name) for name in STEP])
    act.move([engine.calm(name) for name in STEP], pace=SLOW)
    answer = strip(act)[known:known + 2]
    act.next_line()
    step = _prefill(act, engine, queue, answer[0], hole)
    _decode(act, engine, queue, answer, step)
    act.keep(tokens=[*prompt, *answer])


def _prefill(act: Act, engine: EngineMap, queue: "Queue", answer: Chip, hole: Mobject) -> Label:
    """The prefill goes through the stages, each box shows what it put out; which step it is."""
    prompt, known = act.kept.prompt, act.story.journey.known
    step, outputs, places = _step(act, 1, "prefill"), _outputs(act, engine, 0), _places(engine)
    act.move(step, [chip.to("k") for chip in prompt], pace=QUICK)
    beside = {"schedule": lambda: [queue.show("s" * known), _taken(engine, known),
                                   [chip.to("s") for chip in prompt]],
              "model": lambda: [cell.to(Slot.PREFILL) for cell in places[:known]],
              "sampler": lambda: [[cell.to(Slot.CACHED) for cell in places[:known]],
                                  queue.show("c" * known), [c.to("c") for c in prompt]]}
    cues = ("schedule", "prepare", "model", "sampler", "post")
    for before, name, cue in zip((None, *STEP), STEP, cues):
        act.cue(cue)
        act.move(_show(engine, name, outputs[name], before), beside.get(name, list)(), pace=EASY)
    act.move(_join(outputs["sampler"], answer, hole), queue.show("c" * known + "k"), pace=SLOW)
    return step


def _decode(act: Act, engine: EngineMap, queue: "Queue", answer: VGroup, step: Label) -> None:
    """One decode, faster: the new token's place in the pool is filled, one more token comes."""
    known, outputs = act.story.journey.known, _outputs(act, engine, 1)
    place = _places(engine)[known]
    beside = {"schedule": lambda: _taken(engine, known + 1),
              "model": lambda: place.to(Slot.DECODE)}
    act.cue("decode")  # what step 1 put out is past
    act.move(replace(step, _step(act, 2, "decode")), answer[0].to("s"),
             engine.calm("postprocess"), queue.show("c" * known + "d"),
             [engine.stations[name].icon.animate.fade(0.65) for name in STEP], pace=BRISK)
    for before, name in zip((None, *STEP), STEP[:-1]):
        act.move(_show(engine, name, outputs[name], before), beside.get(name, list)(), pace=QUICK)
    act.cue("more")
    act.move(_show(engine, "postprocess", outputs["postprocess"], "sampler"),
             answer[0].to("c"), place.to(Slot.CACHED), pace=BRISK)
    act.move(_join(outputs["sampler"], answer[1], None), queue.show("c" * (known + 1) + "k"),
             pace=SLOW)


class Queue(VGroup):
    """Our request alone in the queues, a cell each token, with room for two more."""

    def __init__(self, act: Act, known: int) -> None:
        self._strip = TokenStrip(known, "k" * known + "..", "ra", 40, 6)
        self._strip.arrange_in_grid(cols=5, buff=px(6))
        super().__init__(self._strip, Label(act.label("ours"), BODY, "ink"))
        self.arrange(DOWN, buff=px(18))

    def show(self, looks: str) -> list:  # type: ignore[override]  # manim's opens a viewer
        """Animations to other looks of the first tokens; the rest is not there yet."""
        return self._strip.show(looks.ljust(len(self._strip), "."))


def _places(engine: EngineMap) -> list[KVCell]:
    """The places of the pool that is drawn, two in each block."""
    return [cell for block in engine.stations["pool"].icon for cell in block[1]]


def _taken(engine: EngineMap, tokens: int) -> list:
    """Animations: as many blocks as that many tokens need, two each, are our request's."""
    return [block[0].animate.set_stroke(paint("ra"), 3.5).set_fill(mix("ra", 0.12))
            for block in engine.stations["pool"].icon[:-(-tokens // 2)]]


def _step(act: Act, step: int, phase: str) -> Label:
    """Which step it is, right of the strip where there is room."""
    words = " · ".join((act.label("step_n", n=step), act.label(phase)))
    label = Label(words, LEAD, "ink", "semibold").move_to(STAGE.at(0, -28, UP + RIGHT), RIGHT)
    end = strip(act)[act.story.journey.known + 1].get_right()[0]
    return label if end < label.get_left()[0] else label.move_to(STAGE.at(0, -82, UP))


def _outputs(act: Act, engine: EngineMap, step: int) -> dict[str, VGroup]:
    """What each box put out in a step (from 0), standing where its icon stood."""
    count = len(act.story.journey.steps[step]["ids"])
    words = act.label("tokens_in" if count > 1 else "token_in", n=count)
    found = dict(zip(STEP, stage_outputs(act.story.journey, step, words)))
    for name, output in found.items():
        output.move_to(engine.stations[name].icon).set_z_index(2)
    return found


def _show(engine: EngineMap, name: str, output: VGroup, before: str | None) -> list:
    """Animations: a box lights up and tells what it put out; the one before it rests."""
    station = engine.stations[name]
    old, station.icon = station.icon, output
    return [engine.light(name), replace(old, output), [engine.calm(before)] if before else [],
            [engine.light("pool")] if name == "model" else [],
            [engine.calm("pool")] if before == "model" else []]


def _join(drawn: VGroup, place, hole) -> list:
    """Animations: the token that was drawn goes to the end of the request."""
    return [Flight(drawn[0], place, _GUTTER), [FadeOut(hole)] if hole else []]

