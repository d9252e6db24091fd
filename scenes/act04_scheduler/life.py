"""The question, a request's life, and the loop."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, Mobject, VGroup

from scenes.act04_scheduler.story import ROLES
from scenes.kit import NOTE, SMALL, STAGE, Label, Node, Panel, Paragraph, RequestRow, TokenStrip
from scenes.kit import arc, arrow, fit, number, px
from scenes.stage import BRISK, EASY, QUICK, SLOW, STEADY, Act, beat
from scenes.views import token_key, token_looks

__all__ = ["a_request_lives", "the_loop", "the_question"]


@beat(header=False)
def the_question(act: Act) -> None:
    # Three requests of different lengths, each with a few tokens still to come.
    prompts = act.params.prompts[:3]
    motif = VGroup(*(TokenStrip(n, "c" * n + "k" * 3, role, 26)
                     for n, role in zip(prompts, ROLES.values())))
    act.title_card(motif.arrange(DOWN, buff=px(14), aligned_edge=LEFT))


@beat("engine/sequence.py:8")
def a_request_lives(act: Act) -> None:
    steps = [step for step in act.story.trace.steps if step.part("A")]
    first, *later = [step.after["A"] for step in steps if "A" in step.produced][:4]
    new, cells = steps[0].before["A"], first.num_prompt + 1 + len(later)
    # Three places to be. The request comes with its prompt and waits.
    places = VGroup(*(Panel(act.label(key), 460, 300) for key in ("waiting", "running", "finished")))
    waiting, running, finished = places.arrange(RIGHT, buff=px(206)).move_to(STAGE.center)
    ways = [arrow(waiting, running), arrow(running, finished)]
    notes = [Paragraph(act.label(key), NOTE, width=190).next_to(way, UP, buff=px(24))
             for key, way in zip(("admitted", "done"), ways)]
    row = RequestRow("A", ROLES["A"], new.num_prompt, token_looks(new, cells),
                     fit(cells, 350, 26, 5)).place(waiting.slot(0.8, 70))
    act.move(places, FadeIn(row, shift=RIGHT * px(40)), token_key(act.label), pace=SLOW)
    act.next_line()
    # Prefill computes the prompt where it waits, and gives the first token.
    word = _phase(act, "prefill", waiting)
    for step in (step for step in steps if step.phase == "prefill"):
        act.move(word if step is steps[0] else None,
                 row.strip.show(token_looks(step.planned["A"], cells)))
    act.rest(STEADY)
    act.move(FadeOut(word), ways[0], notes[0], row.go(
        running.get_center() - waiting.get_center(), token_looks(first, cells)), pace=SLOW)
    # Every decode adds one.
    word = _phase(act, "decode", running)
    for request in later:
        act.move(word if request is later[0] else None,
                 row.strip.show(token_looks(request, cells)), pace=BRISK)
    act.next_line()
    # At its end it is finished; there is a way back as well.
    act.move(FadeOut(word) if later else None, ways[1], notes[1],
             row.animate.shift(finished.get_center() - running.get_center()), pace=SLOW)
    back = arc(running.get_bottom(), waiting.get_bottom(), -0.7, "stop")
    act.move(back, Label(act.label("back"), 28, "stop").next_to(back, DOWN, buff=px(16)))


def _phase(act: Act, phase: str, panel: Mobject) -> Label:
    """The word for what is done to the request in a panel."""
    return Label(act.label(phase), 32, "focus", "semibold").next_to(panel, DOWN, buff=px(28))


@beat("engine/llm_engine.py:49")
def the_loop(act: Act) -> None:
    # Schedule, run, postprocess, and again.
    stages = {"schedule": ("who", "Scheduler"), "run": ("what", "ModelRunner · Qwen3 · Sampler"),
              "postprocess": ("next", "Scheduler · Sequence")}
    row = VGroup(*(Node(act.label(stage), act.label(question), width=430, height=160, mono=True)
                   for stage, (question, _) in stages.items()))
    row.arrange(RIGHT, buff=px(150)).move_to(STAGE.at(0, 110))
    schedule, run, postprocess = row
    home = arc(postprocess.get_top(), schedule.get_top(), 0.42)
    act.move(row, arrow(schedule, run), arrow(run, postprocess), home, pace=EASY)
    for last, lit in zip((None, *row), (*row, schedule)):
        act.rest(BRISK)
        act.move(lit.light(), last.calm() if last else None, pace=BRISK)
    act.next_line()
    # Each asks its question and has its modules; a fourth question stands below.
    modules = [number(names, SMALL, "ink").next_to(node, DOWN, buff=px(26))
               for node, (_, names) in zip(row, stages.values())]
    blocks = Node(act.label("blocks"), act.label("where"), width=430, height=160)
    blocks.next_to(row, DOWN, buff=px(150))
    act.move(blocks, schedule.calm())
    act.move(modules, number("BlockManager", SMALL, "ink").next_to(blocks, DOWN, buff=px(26)),
             number("LLMEngine", 28).next_to(home, UP, buff=px(18)))
    act.next_line()
    # The block manager is called from two stages.
    for node, asker, side in ((schedule, modules[0], LEFT), (postprocess, modules[2], RIGHT)):
        act.move(arrow(asker.get_bottom(), blocks.box.get_edge_center(side), buff=20),
                 node.light())
        act.rest(QUICK)
