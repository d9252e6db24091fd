"""The question, a request's life, and the engine's round in which it is decided."""

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, VGroup

from scenes.act04_scheduler.story import ROLES
from scenes.kit import NOTE, STAGE, Label, Panel, RequestRow, Stepper, TokenStrip, arc, fit, px
from scenes.kit.base.motion import leave, replace
from scenes.stage import BLINK, BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat
from scenes.views import NODES, EngineMap, token_key, token_looks
from traces import Step

__all__ = ["a_request_lives", "engine_map", "pass_on", "the_loop", "the_question"]

SHOWN = 3  # decodes of the request that lives


@beat(header=False, least={2: 40})
def the_question(act: Act) -> None:
    # Requests of different lengths, each with a few tokens still to come.
    prompts = act.params.prompts
    cell = fit(len(prompts), 400, 64, 16)
    motif = VGroup(*(TokenStrip(n, "c" * n + "k" * 3, ROLES[name], cell)
                     for name, n in zip(ROLES, prompts)))
    card = act.title_card(motif.arrange(DOWN, buff=px(16), aligned_edge=LEFT))
    act.cue("rows")
    for before, after in (("kkk", "ckk"), ("ckk", "cck")):
        act.move([strip.show(strip.looks.replace(before, after)) for strip in motif], pace=SLOW)
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


@beat("engine/scheduler.py:48", variant="living", carries="engine")
def a_request_lives(act: Act) -> None:
    steps = [step for step in act.story.trace.steps if step.part("A")]
    prefills = [step for step in steps if step.phase == "prefill"]
    decodes = [step for step in steps if step.phase == "decode"][:SHOWN]
    new, cells = steps[0].before["A"], steps[0].before["A"].num_prompt + 1 + len(decodes)
    # Into the queues: three places to be. The request comes, large, and waits.
    act.cue("come")
    act.move(act.kept.engine.enter("queues"), pace=VERY_SLOW)
    queues = ("waiting", "running", "finished")
    places = VGroup(*(Panel(act.label(key), 1310, 196) for key in queues))
    waiting, running, _ = STAGE.place(places.arrange(DOWN, buff=px(20)), UP + LEFT)
    row = RequestRow("A", ROLES["A"], new.num_prompt, token_looks(new, cells),
                     fit(cells, 1190, 64, 5)).place(waiting.slot(0.45, 70))
    corner = STAGE.at(0, -10, UP + RIGHT)
    step_shown = Stepper(act.label("step"), steps[0].index + 1).move_to(corner, UP + RIGHT)
    act.move(places, step_shown, token_key(act.label), FadeIn(row, shift=RIGHT * px(40)), pace=SLOW)
    notes = [Label(act.label(f"at_{key}"), NOTE).move_to(place.caption).align_to(
        place.get_right() + LEFT * px(36), RIGHT) for key, place in zip(queues, places)]
    act.cue("look")
    act.move(notes[0], pace=SLOW)
    # Prefill where it waits; with the last part it moves to running, and gets a token.
    act.cue("prefill")
    for step in prefills[:-1]:
        act.move(row.strip.show(token_looks(step.planned["A"], cells)),
                 step_shown.show(step.index + 1, "prefill"), pace=EASY)
        act.move(row.strip.show(token_looks(step.after["A"], cells)), leave(notes[0]))
    act.cue("move")
    down = running.get_center() - waiting.get_center()
    act.move(row.go(down, token_looks(prefills[-1].planned["A"], cells)), notes[1],
             None if prefills[:-1] else leave(notes[0]),
             step_shown.show(prefills[-1].index + 1, "prefill"), pace=SLOW)
    act.cue("first")
    act.move(row.strip.show(token_looks(prefills[-1].after["A"], cells)))
    # Every decode adds one; at its end it is finished.
    why = _decodes(act, row.strip, step_shown, decodes, notes[1])
    act.cue("done")
    act.move(row.go(down, "k" * cells), notes[2], leave(why), pace=45)
    other = _way_back(act, waiting, running, row.strip.cell)
    act.keep(engine=act.kept.engine, rows=VGroup(row, other))


def _decodes(act: Act, strip: TokenStrip, shown: Stepper, steps: list[Step],
             note: Label) -> Label:
    """One token a step, computed, then followed by the next one; the note says why it ends."""
    if not steps:
        return note
    act.cue("decode")
    others = Label(act.label("others"), NOTE).next_to(shown, DOWN, buff=px(40))
    others.align_to(shown, LEFT)
    for step in steps:
        act.move(strip.show(token_looks(step.planned["A"], len(strip), decode=True)),
                 shown.show(step.index + 1, "decode"), others if step is steps[0] else None,
                 pace=EASY)
        act.move(strip.show(token_looks(step.after["A"], len(strip))), pace=QUICK)
    act.cue("ends")
    why = Label(act.label("done"), NOTE).move_to(note, RIGHT)
    act.move(replace(note, why), leave(others))
    return why


def _way_back(act: Act, waiting: Panel, running: Panel, cell: float) -> RequestRow:
    """Whoever must wait again keeps its tokens, not what was computed of them."""
    act.cue("back")
    prompt = act.params.prompts[1]
    other = RequestRow("B", ROLES["B"], prompt, "c" * prompt + "k", cell)
    other.place(running.slot(0.45, 70))
    back = arc(running.get_right(), waiting.get_right(), 1.1)
    act.move(back, FadeIn(other), pace=EASY)
    act.cue("when")
    act.move(Label(act.label("back"), NOTE).next_to(back, RIGHT, buff=px(24)), pace=EASY)
    act.cue("again")
    way = waiting.get_center() - running.get_center()
    act.move(other.go(way, "k" * (prompt + 1)), pace=VERY_SLOW)
    return other


def pass_on(act: Act, engine: EngineMap, batch: VGroup, start: str, nodes: Sequence[str],
            cued: bool = False) -> None:
    """From node to node: known, packed, computed, drawn from, and followed by a new token."""
    looks = dict(zip(NODES[1:], ("k.", "k.", "d.", "c.", "ck")))
    seen = {"model": engine.write, "postprocess": engine.append}
    for node in nodes:
        if cued:
            act.cue(node)
        act.move(engine.light(node), engine.calm(start), engine.take(batch, node, looks[node]),
                 seen[node]() if node in seen else None, pace=EASY if cued else BRISK)
        start = node


@beat(("engine/llm_engine.py:49", "engine/model_runner.py:214"), carries="engine rows")
def the_loop(act: Act) -> None:
    engine: EngineMap = act.kept.engine
    # Back to the map; one stage after the other is at work.
    act.cue("map")
    act.move(engine.leave(), leave(act.kept.rows), pace=SLOW)
    act.cue("schedule")
    batch = engine.batch(list(ROLES.values())[:3])
    act.move(FadeIn(batch), pace=SLOW)
    pass_on(act, engine, batch, "schedule", NODES[2:6], cued=True)
    act.move(engine.take(batch, "queues", ""), pace=VERY_SLOW)
    act.move(FadeOut(batch), pace=QUICK)
    # The pool is asked and given back to: no stage, but called by two.
    act.cue("pool")
    act.move(engine.light("pool"), engine.calm("postprocess"), pace=EASY)
    for cue, node, other, side in (("ask", "schedule", "postprocess", RIGHT),
                                   ("give", "postprocess", "schedule", LEFT)):
        act.cue(cue)
        foot = engine.stations[node].get_bottom() + DOWN * px(42)
        word = Label(act.label(cue), NOTE).next_to(foot, side, buff=px(24))
        act.move(engine.light(node), engine.calm(other), word,
                 engine.finish(ROLES["C"]) if cue == "give" else None, pace=EASY)
    act.move(engine.light("schedule"), engine.calm("postprocess"), engine.calm("pool"))
    act.keep(engine=engine)
