"""Beyond the toy: step times at real size, and an engine that mixes the phases."""

from manim import DOWN, LEFT, UP, FadeIn, FadeOut, LaggedStart, VGroup, VMobject

from scenes.act04_scheduler.facts import RINGED
from scenes.act04_scheduler.opening import engine_map
from scenes.act04_scheduler.story import ROLES
from scenes.kit import (
    LEAD,
    STAGE,
    Bars,
    Cell,
    Key,
    Label,
    Lane,
    Legend,
    Ruling,
    SplitBars,
    fit,
    px,
    ring,
)
from scenes.kit.base.motion import come, leave, linger
from scenes.stage import BRISK, EASY, SLOW, VERY_SLOW, Act, beat
from scenes.views import PHASE_ROLES, request_timeline
from traces.seats import request_shares
from traces.times import median_times

__all__ = ["at_real_size", "back_to_the_map", "mixed_steps"]


@beat(("engine/model_runner.py:197", "engine/llm_engine.py:49"), source="real_source",
      steps="real_steps", carries="lane")
def at_real_size(act: Act) -> None:
    bars, ruling = _step_bars(act)
    act.move(leave(act.kept.lane.tags), linger(VGroup(*act.kept.lane.columns), DOWN * px(40)),
             come(bars.axis), come(ruling), pace=SLOW)
    # One bar for each step of the GPU's run: tall ones and short ones.
    act.cue("bars")
    act.move(LaggedStart(*map(FadeIn, bars.bars), lag_ratio=0.25), pace=60)
    notes, x = [], ruling.unit.get_right()[0] + px(110)
    for cue, phase in (("tall", "prefill"), ("short", "decode")):
        act.cue(cue)
        ms = f"{median_times(act.story.real)[phase]:.1f}"
        note = Label(act.label(f"{phase}_bar", ms=ms), LEAD, PHASE_ROLES[phase])
        notes.append(note.move_to([x, ruling.unit.get_y(), 0], LEFT))
        x = note.get_right()[0] + px(90)
        act.move(note, pace=SLOW)
    _single_steps(act, [bars, ruling, *notes])


def _single_steps(act: Act, before: list[VMobject]) -> None:
    """What a step's time is made of: single steps, to one scale."""
    rows = act.story.single_steps
    names = [act.label("size_row", n=f"{step.tokens:,}") for step in rows[:-2]]
    split = SplitBars([*names, act.label("eager_row"), act.label("graph_row")],
                      [step.ms for step in rows], [step.gpu_ms for step in rows],
                      [act.label("in_ms", ms=f"{step.ms:.1f}") for step in rows],
                      length=1130, room=400, pitch=102, thickness=64)
    STAGE.place(split, UP + LEFT, y=-20)
    act.cue("ask")
    act.move([leave(thing) for thing in before],
             *map(come, split.names[:len(names)]), pace=SLOW)
    for k in range(len(names)):
        act.cue(f"row-{k}")
        act.move(split.bars[k], split.figures[k], pace=BRISK)
    act.cue("busy")
    legend = Legend(zip(split.samples(), map(act.label, ("gpu_busy", "host_part"))))
    legend.move_to(STAGE.at(0, 30, DOWN))
    act.move(split.parts[0], legend[0])
    act.cue("grow")
    act.move(LaggedStart(*map(FadeIn, split.parts[1:len(names)]), lag_ratio=0.6), pace=48)
    act.cue("host")
    act.move(legend[1], LaggedStart(*(bar.animate.set_stroke(width=5)
                                      for bar in split.bars[:len(names)]), lag_ratio=0.7), pace=75)
    for k, cue in ((-2, "eager"), (-1, "graph")):
        act.cue(cue)
        act.move(split.row(k), pace=VERY_SLOW)
        act.move(split.parts[k], pace=SLOW)
    act.cue("ratio")
    for cue, k in (("ratio", RINGED), ("long", len(rows) - 1)):
        act.cue(cue)
        act.move(ring(VGroup(split.bars[k], split.figures[k]), buff=10), pace=SLOW)
    act.keep(split=[split, legend])


def _step_bars(act: Act) -> tuple[Bars, Ruling]:
    """One bar a step, as high as it took long."""
    times = [step.milliseconds for step in act.story.real]
    pitch, top = 1500 / len(times), 10 * (1 + max(times) // 10)
    bars = Bars([], times, (), [PHASE_ROLES[step.phase] for step in act.story.real], UP, 500,
                pitch * 0.7, pitch, full=top)
    bars.move_to(STAGE.at(110, 80, DOWN + LEFT), DOWN + LEFT)
    ticks = {k: k + 1 for k in range(len(times)) if (k + 1) % 20 == 0 or k == 0}
    return bars, Ruling(bars, range(0, int(top) + 1, 10), act.label("ms"), ticks,
                        act.label("steps_axis"), 1530)


@beat("engine/scheduler.py:54", source="contrast", variant="mixing", carries="split",
      least={2: 96})
def mixed_steps(act: Act) -> None:
    story, lanes = act.story, _two_engines(act)
    ours, theirs = lanes
    split, legend = act.kept.split
    key = Key([(Cell("work", "muted", "6"), act.label("key_prefill")),
               (Cell("work", "muted"), act.label("key_decode")),
               (Cell("stall"), act.label("key_stall"))]).move_to(STAGE.at(0, 14, DOWN))
    act.cue("ours")
    act.move(*map(leave, (split.names, split.figures, legend)), *map(linger, (
        split.bars, split.parts)), *map(come, (ours.caption, ours.timeline.tags, key)), pace=SLOW)
    act.move(ours.timeline.reveal(), pace=60)
    act.cue("count")
    act.move(ours.figures, pace=SLOW)
    # The other engine: who runs comes first, then prompts, as far as the budget reaches.
    act.cue("other")
    act.move(theirs.caption, theirs.timeline.tags, pace=SLOW)
    begun = story.first_mixed + 1
    act.cue("first")
    act.move(theirs.timeline.reveal(0, begun), pace=SLOW)
    focus = ring(theirs.timeline.columns[begun - 1], buff=4)
    act.move(focus)
    act.cue("theirs")
    act.move(theirs.timeline.reveal(begun), pace=120)
    act.cue("stalls")
    act.move(theirs.figures, FadeOut(focus), pace=SLOW)
    # The price: somebody's first token comes later.
    for cue, lane, step in zip(("price", "not"), lanes, story.price[1:] if story.price else ()):
        act.cue(cue)
        act.move(ring(lane.timeline.columns[step - 1], buff=4), pace=SLOW)
    act.keep(lanes=lanes, key=key)


def _two_engines(act: Act) -> list[Lane]:
    """The same requests, each a row: by this engine, and by one that mixes phases."""
    story, lanes = act.story, []
    workload = story.trace.workload
    roles = {request.name: ROLES[request.name] for request in workload.requests}
    runs = {"ours": story.trace.steps, "theirs": story.mixed}
    width = fit(max(map(len, runs.values())), 1660, 84, 4)
    for row, (key, steps) in enumerate(runs.items()):
        stalls = story.stalls[row]
        timeline = request_timeline(request_shares(steps, workload), roles, width,
                                    fit(len(roles), 220, 48, 4))
        lanes.append(Lane(act.label(key), timeline, [
            (act.label("total", n=len(steps)), "ink"),
            (act.label("stalls", n=stalls), "stop" if stalls else "ink")], indent=90, drop=96)
            .shift(STAGE.at(0, -14 - 340 * row, UP + LEFT)))
    return lanes


@beat("engine/llm_engine.py:49", carries="lanes key")
def back_to_the_map(act: Act) -> None:
    engine = engine_map(act)
    engine.inside = "schedule"
    # Out of the scheduler; the answer, where it is decided.
    act.cue("map")
    act.move([leave(thing) for thing in (*act.kept.lanes, act.kept.key)], engine.leave(),
             pace=SLOW)
    act.cue("who")
    act.move(engine.light("queues"), pace=EASY)
    act.cue("far")
    act.move(engine.calm("queues"), engine.light("schedule"), pace=EASY)
    before = "schedule"
    for cue, node in (("then", "prepare"), ("each", "sampler"), ("round", "postprocess")):
        act.cue(cue)
        act.move(engine.light(node), engine.calm(before), pace=EASY)
        before = node
    act.move(engine.light("schedule"), engine.calm(before), pace=EASY)
    act.keep(engine=engine)
