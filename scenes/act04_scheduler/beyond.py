"""Beyond the toy: the same scheduler at real size, and an engine that mixes the phases."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, LaggedStart

from scenes.act04_scheduler.story import ROLES
from scenes.kit import LEAD, STAGE, Bars, Label, Lane, Ruling, fit, px
from scenes.stage import BRISK, QUICK, SLOW, Act, beat
from scenes.views import PHASE_ROLES, request_timeline
from traces.seats import request_shares
from traces.times import median_times

__all__ = ["at_real_size", "mixed_steps"]


@beat(("engine/llm_engine.py:49", "engine/model_runner.py:197"), source="real_source",
      steps="real_steps")
def at_real_size(act: Act) -> None:
    real = act.story.real
    times = [step.milliseconds for step in real]
    # One bar for each step of the GPU's run, as high as it took long.
    pitch, top = 1500 / len(times), 10 * (1 + max(times) // 10)
    bars = Bars([], times, (), [PHASE_ROLES[step.phase] for step in real], UP, 480,
                pitch * 0.7, pitch, full=top)
    bars.move_to(STAGE.at(110, 120, DOWN + LEFT), DOWN + LEFT)
    ticks = {k: k + 1 for k in range(len(times)) if (k + 1) % 20 == 0 or k == 0}
    ruling = Ruling(bars, range(0, int(top) + 1, 10), act.label("ms"), ticks,
                    act.label("steps_axis"), 1530)
    act.move(bars.axis, ruling, pace=BRISK)
    act.move(LaggedStart(*map(FadeIn, bars.bars), lag_ratio=0.25), pace=75)
    # Each phase's median; two prefills of unlike sizes took about as long.
    left, medians = px(120), median_times(real)
    for phase, pair in (("prefill", act.story.like_prefills), ("decode", ())):
        act.next_line()
        note = Label(act.label(f"median_{phase}", ms=f"{medians[phase]:.1f}"), LEAD,
                     "focus" if phase == "prefill" else "ink")
        note.next_to(ruling.unit, RIGHT, buff=left)
        left += note.width + px(110)
        tags = [Label(act.label("tokens", n=f"{real[k].tokens:,}"), 28)
                .next_to(bars.bars[k], UP, buff=px(14)).align_to(bars.bars[k], LEFT) for k in pair]
        act.move(note, tags, pace=SLOW)


@beat("engine/scheduler.py:54", source="contrast", variant="mixing", least={1: 54})
def mixed_steps(act: Act) -> None:
    workload = act.story.trace.workload
    roles = {request.name: ROLES[request.name] for request in workload.requests}
    runs = {"ours": act.story.trace.steps, "theirs": act.story.mixed}
    width = fit(max(map(len, runs.values())), 1660, 84, 4)
    # The same requests, each a row: by this engine, and by one that mixes phases.
    for row, (key, steps) in enumerate(runs.items()):
        stalls = act.story.stalls[row]
        timeline = request_timeline(request_shares(steps, workload), roles, width,
                                    fit(len(roles), 235, 46))
        lane = Lane(act.label(key), timeline, [
            (act.label("total", n=len(steps)), "ink"),
            (act.label("stalls", n=stalls), "stop" if stalls else "v")], indent=90, drop=100)
        lane.shift(STAGE.at(0, -14 - 372 * row, UP + LEFT))
        if row:
            act.next_line()
        act.move(lane.caption, timeline.tags, pace=QUICK)
        act.move(timeline.reveal(), pace=54)
        for figure, pace in zip(lane.figures, (QUICK, 15)):
            act.move(figure, pace=pace)
