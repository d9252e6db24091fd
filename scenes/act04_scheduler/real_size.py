"""Beyond the toy: step times at real size, and an engine that mixes the phases."""

from manim import DOWN, LEFT, UP, FadeIn, LaggedStart

from scenes.act04_scheduler.story import ROLES
from scenes.kit import LEAD, STAGE, Bars, Cell, Key, Label, Lane, Ruling, SplitBars, fit, px, ring
from scenes.kit.base.motion import come, leave
from scenes.stage import BRISK, EASY, SLOW, Act, beat
from scenes.views import PHASE_ROLES, request_timeline
from traces.seats import request_shares
from traces.times import median_times

__all__ = ["at_real_size", "mixed_steps"]


@beat(("engine/model_runner.py:197", "engine/llm_engine.py:49"), source="real_source",
      steps="real_steps", carries="lane")
def at_real_size(act: Act) -> None:
    bars, ruling = _step_bars(act)
    act.move(leave(act.kept.lane), come(bars.axis), come(ruling))
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
        act.move(note)
    # What a step's time is made of: single steps, to one scale.
    rows = act.story.single_steps
    names = [act.label("size_row", n=f"{step.tokens:,}") for step in rows[:-2]]
    split = SplitBars([*names, act.label("eager_row"), act.label("graph_row")],
                      [step.ms for step in rows], [step.gpu_ms for step in rows],
                      [act.label("in_ms", ms=f"{step.ms:.1f}") for step in rows],
                      length=1130, room=400, pitch=102, thickness=64)
    STAGE.place(split, UP + LEFT, y=-20)
    act.cue("row-0")
    act.move([leave(thing) for thing in (bars, ruling, *notes)], come(split.row(0)), pace=EASY)
    for k in range(1, len(names)):
        act.cue(f"row-{k}")
        act.move(split.row(k), pace=BRISK)
    act.cue("busy")
    legend = Key([(Cell("work", "ink"), act.label("gpu_busy")),
                  (Cell("work", "muted"), act.label("host_part"))]).move_to(STAGE.at(0, 30, DOWN))
    act.move(split.parts[0], legend[0])
    act.cue("grow")
    act.move(LaggedStart(*map(FadeIn, split.parts[1:len(names)]), lag_ratio=0.6), pace=48)
    act.cue("host")
    act.move(legend[1], LaggedStart(*(bar.animate.set_stroke(width=5)
                                      for bar in split.bars[:len(names)]), lag_ratio=0.7), pace=75)
    for k, cue in ((-2, "eager"), (-1, "graph")):
        act.cue(cue)
        act.move(split.row(k), pace=SLOW)
        act.move(split.parts[k], pace=SLOW)
    act.cue("ratio")
    act.move(LaggedStart(*(FadeIn(ring(split.row(k), buff=12)) for k in (2, len(rows) - 1)),
                         lag_ratio=0.8), pace=60)
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
      least={1: 50, 2: 96})
def mixed_steps(act: Act) -> None:
    story, lanes = act.story, []
    workload = story.trace.workload
    roles = {request.name: ROLES[request.name] for request in workload.requests}
    runs = {"ours": story.trace.steps, "theirs": story.mixed}
    width = fit(max(map(len, runs.values())), 1660, 84, 4)
    # The same requests, each a row: by this engine, and by one that mixes phases.
    for row, (key, steps) in enumerate(runs.items()):
        stalls = story.stalls[row]
        timeline = request_timeline(request_shares(steps, workload), roles, width,
                                    fit(len(roles), 240, 48))
        lanes.append(Lane(act.label(key), timeline, [
            (act.label("total", n=len(steps)), "ink"),
            (act.label("stalls", n=stalls), "stop" if stalls else "ink")], indent=90, drop=104)
            .shift(STAGE.at(0, -14 - 376 * row, UP + LEFT)))
    ours, theirs = lanes
    act.cue("ours")
    act.move([leave(thing) for thing in act.kept.split],
             *(come(part) for lane in lanes for part in (lane.caption, lane.timeline.tags)))
    act.move(ours.timeline.reveal(), pace=75)
    act.cue("count")
    act.move(ours.figures)
    act.cue("first")
    act.move(ring(theirs.timeline.tags, buff=12))
    act.cue("theirs")
    act.move(theirs.timeline.reveal(), pace=110)
    act.cue("stalls")
    act.move(theirs.figures)
    # The price: somebody's first token comes later.
    if story.price:
        act.cue("price")
        act.move(*(ring(lane.timeline.columns[step - 1], buff=4)
                   for lane, step in zip(lanes, story.price[1:])), pace=SLOW)
