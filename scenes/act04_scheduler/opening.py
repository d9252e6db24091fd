"""The question, a request's life, and the engine's round in which it is decided."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, VGroup

from scenes.act04_scheduler.story import ROLES
from scenes.kit import NOTE, STAGE, Label, Panel, RequestRow, Stepper, TokenStrip, arc, fit, px
from scenes.kit.base.motion import leave
from scenes.stage import BLINK, BRISK, EASY, SLOW, Act, beat
from scenes.views import NODES, EngineMap, token_key, token_looks

__all__ = ["a_request_lives", "the_loop", "the_question"]

SHOWN = 3  # decodes of the request that lives


@beat(header=False, least={2: 40})
def the_question(act: Act) -> None:
    # Requests of different lengths, each with a few tokens still to come.
    motif = VGroup(*(TokenStrip(n, "c" * n + "k" * 3, ROLES[name], 44)
                     for name, n in zip(ROLES, act.params.prompts)))
    card = act.title_card(motif.arrange(DOWN, buff=px(16), aligned_edge=LEFT))
    # The engine, and the node in which this act plays.
    act.cue("map")
    engine = EngineMap({name: act.label(name) for name in (*NODES, "waiting", "running")})
    act.move(FadeOut(card), pace=BLINK)
    act.move(engine, pace=EASY)
    act.cue("node")
    act.move(engine.light("schedule"))
    act.keep(engine=engine)


@beat("engine/scheduler.py:48", variant="living", carries="engine")
def a_request_lives(act: Act) -> None:
    steps = [step for step in act.story.trace.steps if step.part("A")]
    prefills = [step for step in steps if step.phase == "prefill"]
    decodes = [step for step in steps if step.phase == "decode"][:SHOWN]
    new, cells = steps[0].before["A"], steps[0].before["A"].num_prompt + 1 + len(decodes)
    # Into the queues: three places to be. The request comes, large, and waits.
    act.move(act.kept.engine.enter("queues"), act.kept.engine.calm("schedule"), pace=EASY)
    places = VGroup(*(Panel(act.label(key), 1380, 196) for key in ("waiting", "running",
                                                                   "finished")))
    waiting, running, finished = STAGE.place(places.arrange(DOWN, buff=px(20)), UP + LEFT)
    row = RequestRow("A", ROLES["A"], new.num_prompt, token_looks(new, cells),
                     fit(cells, 1040, 64, 5)).place(waiting.slot(0.3, 70))
    step_shown = Stepper(act.label("step"), steps[0].index + 1).move_to(STAGE.at(0, -10, UP + RIGHT),
                                                                        UP + RIGHT)
    act.cue("come")
    act.move(places, step_shown, token_key(act.label), FadeIn(row, shift=RIGHT * px(40)), pace=EASY)
    notes = [Label(act.label(f"at_{key}"), NOTE).move_to(place.get_right() + LEFT * px(36), RIGHT)
             for key, place in zip(("waiting", "running", "finished"), places)]
    act.cue("look")
    act.move(notes[0])
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
    if decodes:
        act.cue("decode")
    for step in decodes:
        act.move(row.strip.show(token_looks(step.planned["A"], cells, decode=True)),
                 step_shown.show(step.index + 1, "decode"), pace=BRISK)
        act.move(row.strip.show(token_looks(step.after["A"], cells)), pace=BRISK)
    act.cue("done")
    act.move(row.animate.shift(down), notes[2], leave(notes[1]), pace=SLOW)
    act.cue("back")
    back = arc(running.get_right(), waiting.get_right(), 1.1)
    act.move(back, Label(act.label("back"), NOTE).next_to(back, RIGHT, buff=px(24)), pace=EASY)
    act.keep(engine=act.kept.engine, row=row)


@beat("engine/llm_engine.py:49", carries="engine row")
def the_loop(act: Act) -> None:
    engine: EngineMap = act.kept.engine
    # Back to the map; one stage after the other is at work.
    act.cue("map")
    act.move(engine.leave(), leave(act.kept.row), pace=SLOW)
    before = None
    for cue, node in (("schedule", "schedule"), ("prepare", "prepare"), ("model", "model"),
                      ("sampler", "sampler"), ("post", "postprocess")):
        act.cue(cue)
        act.move(engine.light(node), engine.calm(before) if before else None, pace=BRISK)
        before = node
    # The pool is asked and given back to: no stage, but called by two.
    for cue, node in (("ask", "schedule"), ("give", "postprocess")):
        act.cue(cue)
        word = Label(act.label(cue), NOTE)
        word.next_to(engine.stations[node].get_bottom() + DOWN * px(42), RIGHT, buff=px(24))
        other = "postprocess" if node == "schedule" else "schedule"
        act.move(engine.light(node), engine.light("pool"), engine.calm(other), word, pace=EASY)
    act.cue("enter")
    act.move(engine.light("schedule"), engine.calm("postprocess"), engine.calm("pool"))
    act.keep(engine=engine)
