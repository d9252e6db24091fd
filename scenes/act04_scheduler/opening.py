"""The question, and the place in the engine where it is answered."""

from manim import DOWN, LEFT, FadeOut, VGroup

from scenes.act04_scheduler.story import ROLES
from scenes.kit import TokenStrip, fit, px
from scenes.stage import BLINK, EASY, SLOW, Act, beat
from scenes.views import NODES, EngineMap

__all__ = ["engine_map", "the_question"]


@beat(header=False, least={2: 40})
def the_question(act: Act) -> None:
    # Requests of different lengths, each with a few tokens still to come.
    prompts = act.params.prompts
    cell = fit(len(prompts), 450, 78, 10)
    motif = VGroup(*(TokenStrip(n, "c" * n + "k" * 3, ROLES[name], cell)
                     for name, n in zip(ROLES, prompts)))
    card = act.title_card(motif.arrange(DOWN, buff=px(10), aligned_edge=LEFT))
    act.cue("rows")
    for before, after in (("kkk", "ckk"), ("ckk", "cck")):
        act.move([strip.show(strip.looks.replace(before, after)) for strip in motif[:3]], pace=SLOW)
    # The engine, and the node in which this act plays.
    act.cue("map")
    engine = engine_map(act)
    act.move(FadeOut(card), pace=BLINK)
    act.move(engine, pace=EASY)
    act.cue("node")
    act.move(engine.light("schedule"))
    act.keep(engine=engine)


def engine_map(act: Act) -> EngineMap:
    """The one drawing of the engine, in the act's words; nobody waits, so it may decode."""
    engine = EngineMap({name: act.label(name) for name in (*NODES, "waiting", "running")})
    for strip in engine.stations["queues"].icon[0][1]:
        strip.restyle(strip, "." * len(strip))
    return engine
