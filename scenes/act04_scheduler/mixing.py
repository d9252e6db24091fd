"""Beyond this engine: prefill and decode in one step; then back on the map."""

from manim import DOWN, LEFT, UP, FadeIn, FadeOut, VGroup

from scenes.act04_scheduler.opening import engine_map, pass_on
from scenes.act04_scheduler.story import ROLES
from scenes.kit import STAGE, Cell, Key, Lane, TokenStrip, fit, ring
from scenes.kit.base.motion import come, leave
from scenes.stage import BLINK, EASY, SLOW, VERY_SLOW, Act, beat
from scenes.views import NODES, EngineMap, request_timeline
from traces.seats import request_shares

__all__ = ["back_to_the_map", "mixed_steps"]

LAST = "cccck."  # the looks of the last of the map's running requests, once it runs


@beat("engine/scheduler.py:54", source="contrast", variant="mixing", carries="split",
      least={2: 96})
def mixed_steps(act: Act) -> None:
    story, lanes = act.story, _two_engines(act)
    ours, theirs = lanes
    key = Key([(Cell("work", "muted", "6"), act.label("key_prefill_count")),
               (Cell("work", "muted"), act.label("key_decode")),
               (Cell("stall"), act.label("key_stall"))]).move_to(STAGE.at(0, 14, DOWN))
    act.cue("ours")
    act.move(map(leave, act.kept.split), *map(come, (
        ours.caption, ours.timeline.tags, ours.timeline.places, key)), pace=SLOW)
    act.move(ours.timeline.reveal(), pace=54)
    act.cue("count")
    act.move(ours.figures, pace=SLOW)
    # The other engine: who runs comes first, then prompts, as far as the budget reaches.
    act.cue("other")
    act.move(theirs.caption, theirs.timeline.tags, theirs.timeline.places, pace=SLOW)
    begun = story.first_mixed + 1
    act.cue("first")
    act.move(theirs.timeline.reveal(0, begun), pace=SLOW)
    focus = ring(VGroup(*theirs.timeline.columns[begun - 1][:-1]), buff=4)
    act.move(focus)
    act.cue("theirs")
    act.move(FadeOut(focus), pace=BLINK)
    act.move(theirs.timeline.reveal(begun), pace=120)
    act.cue("stalls")
    act.move(theirs.figures, pace=SLOW)
    # The price: somebody's first token comes later.
    for cue, lane, step in zip(("price", "not"), lanes, story.price[1:] if story.price else ()):
        row = list(ROLES).index(story.price[0])
        act.cue(cue)
        spot = lane.timeline.places[(step - 1) * len(lane.timeline.tags) + row]
        act.move(ring(spot, buff=8), pace=VERY_SLOW)
    act.keep(lanes=lanes, key=key)


def _two_engines(act: Act) -> list[Lane]:
    """The same requests, each a row: by this engine, and by one that mixes phases."""
    story, lanes = act.story, []
    workload = story.trace.workload
    roles = {request.name: ROLES[request.name] for request in workload.requests}
    runs = {"ours": story.trace.steps, "theirs": story.mixed}
    width = fit(max(map(len, runs.values())), 1660, 90, 4)
    for row, (key, steps) in enumerate(runs.items()):
        stalls = story.stalls[row]
        timeline = request_timeline(request_shares(steps, workload), roles, width,
                                    fit(len(roles), 220, 48, 4))
        lanes.append(Lane(act.label(key), timeline, [
            (act.label("total", n=len(steps)), "ink"),
            (act.label("stalls", n=stalls), "stop" if stalls else "ink")], indent=90, drop=104)
            .shift(STAGE.at(0, -14 - 340 * row, UP + LEFT)))
    return lanes


def _waiting(engine: EngineMap) -> tuple[TokenStrip, TokenStrip]:
    """The last prompt where it waits, and its place among those that run, empty as yet."""
    waiting, running = (part[1] for part in engine.stations["queues"].icon)
    place = running[-1]
    prompt = place.copy().move_to(waiting[0], LEFT).set_z_index(2)
    prompt.restyle(prompt, LAST.replace("k", ".").replace("c", "k"))
    place.restyle(place, "." * len(place))
    return prompt, place


@beat("engine/llm_engine.py:49", carries="lanes key")
def back_to_the_map(act: Act) -> None:
    engine = engine_map(act)
    engine.inside = "schedule"
    prompt, place = _waiting(engine)
    # Out of the scheduler; the answer, where it is decided.
    act.cue("map")
    act.move([leave(thing) for thing in (*act.kept.lanes, act.kept.key)], engine.leave(),
             pace=SLOW)
    act.cue("who")
    act.move(engine.light("queues"), FadeIn(prompt), pace=EASY)
    act.cue("far")
    act.move(engine.calm("queues"), engine.light("schedule"), pace=EASY)
    act.move(prompt.animate.move_to(place), pace=EASY)
    act.move(FadeOut(prompt), place.show(LAST), pace=BLINK)
    # Nobody left to prefill: one token of each that runs, and round again.
    act.cue("then")
    batch = engine.batch(list(ROLES.values())[:3])
    act.move(FadeIn(batch), pace=EASY)
    act.cue("each")
    pass_on(act, engine, batch, "schedule", NODES[2:6])
    act.cue("round")
    act.move(engine.take(batch, "queues", ""), engine.calm("postprocess"), pace=VERY_SLOW)
    act.move(FadeOut(batch), engine.light("schedule"), pace=EASY)
    act.keep(engine=engine)
