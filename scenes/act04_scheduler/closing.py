"""Out of the scheduler: where it stands in the engine, and whom it asks."""

from manim import DOWN, LEFT, RIGHT, FadeIn, FadeOut

from scenes.act04_scheduler.opening import engine_map
from scenes.act04_scheduler.story import ROLES
from scenes.kit import LEAD, Label, TokenStrip, px
from scenes.kit.base.motion import leave
from scenes.stage import BLINK, EASY, SLOW, VERY_SLOW, Act, beat
from scenes.views import EngineMap

__all__ = ["back_to_the_map"]

LAST = "cccck."  # the looks of the last of the map's running requests, once it runs


def _waiting(engine: EngineMap) -> tuple[TokenStrip, TokenStrip]:
    """The last prompt where it waits, and its place among those that run, empty as yet."""
    waiting, running = (part[1] for part in engine.stations["queues"].icon)
    place = running[-1]
    prompt = place.copy().move_to(waiting[0], LEFT).set_z_index(2)
    prompt.restyle(prompt, LAST.replace("k", ".").replace("c", "k"))
    place.restyle(place, "." * len(place))
    return prompt, place


@beat(("engine/llm_engine.py:49", "engine/block_manager.py:54"), carries="split")
def back_to_the_map(act: Act) -> None:
    engine = engine_map(act)
    engine.inside = "schedule"
    prompt, place = _waiting(engine)
    # Prompts go from waiting to running.
    act.cue("map")
    act.move(*map(leave, act.kept.split), engine.leave(), pace=SLOW)
    act.move(engine.light("queues"), FadeIn(prompt), pace=EASY)
    act.cue("far")
    act.move(prompt.animate.move_to(place), pace=VERY_SLOW)
    act.move(FadeOut(prompt), place.show(LAST), pace=BLINK)
    act.cue("limits")
    act.move(engine.calm("queues"), engine.light("schedule"), pace=EASY)
    act.cue("else")
    act.move(engine.append(), pace=SLOW)
    # The block manager: schedule asks for room, postprocess gives back.
    act.cue("ask")
    words = [Label(act.label("ask"), LEAD), Label(act.label("give"), LEAD)]
    for word, node, side in zip(words, ("schedule", "postprocess"), (RIGHT, LEFT)):
        foot = engine.stations[node].get_bottom() + DOWN * px(42)
        word.next_to(foot, side, buff=px(24))
    act.move(engine.light("pool"), words[0], pace=SLOW)
    act.cue("give")
    act.move(engine.calm("schedule"), engine.light("postprocess"), words[1], pace=EASY)
    act.cue("free")
    act.move(engine.finish(ROLES["B"]), pace=SLOW)
    # Out of memory: the last comer waits again, with its tokens, without K and V.
    act.cue("full")
    act.move(engine.calm("postprocess"), pace=EASY)
    act.cue("back")
    act.move(engine.calm("pool"), engine.light("queues"), place.show("kkkkkk"),
             engine.stations["pool"].icon.free(ROLES["C"]), pace=EASY)
    waiting = engine.stations["queues"].icon[0][1][0]
    act.move(place.animate.move_to(waiting, LEFT), pace=SLOW)
    act.cue("where")
    act.move(engine.calm("queues"), engine.light("pool"), pace=EASY)
    act.keep(engine=engine)
