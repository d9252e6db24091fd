"""The question, the engine around it, and how one prompt becomes an answer."""

from manim import (DOWN, LEFT, RIGHT, Circle, FadeIn, FadeOut, LaggedStart, Line, RoundedRectangle,
                   Transform, VGroup)

from scenes.act03_sampling.rows import ROLES, hole_after, strip
from scenes.kit import (LEAD, NOTE, STAGE, Bars, Chips, Label, arrow, in_turn, mix, number, paint,
                        place, px, ring, visible)
from scenes.stage import EASY, QUICK, SLOW, VERY_SLOW, Act, beat
from scenes.views import NODES, EngineMap

__all__ = ["STEP", "engine_map", "numbered", "on_the_map", "read_once", "the_question"]

STEP = NODES[1:-1]  # the five stages of a step


@beat(header=False)
def the_question(act: Act) -> None:
    # The end of the prompt, an empty place, and some tokens that could stand there.
    texts, best = act.story.journey.prompt["texts"], act.story.tokens[:4]
    chips = Chips(texts[-5:], "c", "ra", 1500, 42, 92)
    hole = place(130, 92, "focus")
    shares = act.story.shares(1.0, 4)[:4]
    bars = Bars(list(map(visible, best)), [0] * 4, roles=ROLES[:4], length=1100, thickness=52,
                pitch=78, full=shares[0], size=40)
    motif = VGroup(VGroup(chips, hole).arrange(RIGHT, buff=px(8)), bars)
    act.title_card(motif.arrange(DOWN, buff=px(64), aligned_edge=LEFT))
    act.cue("row")
    act.move(bars.to(shares), pace=VERY_SLOW)
    act.cue("word")
    act.move(FadeOut(hole, scale=1.3), ring(hole), pace=EASY)


def engine_map(act: Act, region=STAGE, icons=None) -> EngineMap:
    """The drawing of the engine, its names in the film's language."""
    names = {key: act.label(key) for key in (*NODES, "waiting", "running")}
    return EngineMap(names, region, icons)


def numbered(engine: EngineMap) -> VGroup:
    """A number on each of the five stages, part of its box from now on; the numbers."""
    discs = VGroup()
    for k, node in enumerate(STEP, 1):
        station = engine.stations[node]
        disc = Circle(px(24), stroke_width=2.5, stroke_color=paint("muted"), fill_opacity=1,
                      fill_color=paint("ground"))
        discs.add(VGroup(disc, number(k, 30)).move_to(station.box.get_top()).set_z_index(3))
        station.add(discs[-1])
    return discs


@beat(("engine/llm_engine.py:49", "engine/model_runner.py:214"), least={4: 48})
def on_the_map(act: Act) -> None:
    # The whole engine: requests wait, and go through the stages step by step.
    engine = engine_map(act)
    act.move(engine, pace=SLOW)
    act.cue("queues")
    act.move(engine.light("queues"))
    act.cue("five")
    act.move(in_turn(numbered(engine)), pace=36)
    for before, node in zip(NODES, STEP):
        act.cue(node)
        act.move(engine.calm(before), engine.light(node))
    # The sampler is today's box; one prompt comes along.
    prompt = strip(act)[:act.story.journey.known]
    hole = hole_after(prompt)
    large = VGroup(prompt, hole)
    STAGE.place(large.scale(min(0.96 * STAGE.width / large.width, 2.2)))
    legend = Label(act.label("legend"), NOTE).next_to(large, DOWN, buff=px(60))
    act.cue("enter")
    act.move(engine.calm("postprocess"), engine.light("sampler"), pace=QUICK)
    arriving = FadeIn(VGroup(prompt, legend), shift=RIGHT * px(30))
    act.move(LaggedStart(engine.enter("sampler"), arriving, lag_ratio=0.5), pace=42)
    act.cue("hole")
    act.move(hole)
    act.keep(prompt=prompt, hole=hole)


@beat(("engine/llm_engine.py:49", "engine/model_runner.py:214"), steps="all_steps",
      carries="prompt hole", least={1: 40, 2: 56})
def read_once(act: Act) -> None:
    known, prompt, hole = act.story.journey.known, act.kept.prompt, act.kept.hole
    whole = strip(act)
    roomy = act.kept.prompt.width > px(1000)
    answer = whole[known:]
    act.move([Transform(chip, home) for chip, home in zip(prompt, whole)],
             Transform(hole, hole_after(whole[:known])), pace=EASY)
    phases = [Label(act.label(key), LEAD).move_to(STAGE.at(0, y, LEFT), LEFT) if roomy else None
              for key, y in (("one_prefill", 180), ("many_decodes", -70))]
    # The whole prompt is read in one step, which writes one token.
    later = [_reading(act, k, VGroup(last), new, 1) for k, (last, new) in enumerate(
        zip(answer, answer[1:]), start=2)]
    awaited = [stair[0][0].copy().set_fill(opacity=0).set_stroke(opacity=0.35) for stair in later]
    act.cue("read")
    first = _reading(act, 1, prompt, answer[0], known)
    act.move([c.to("s") for c in prompt], first[0], awaited, pace=SLOW)
    act.cue("write")
    act.move([c.to("c") for c in prompt], FadeOut(hole), first[1], answer[0],
             phases[0], pace=EASY)
    # Each further step reads the token just written, and writes the next.
    act.cue("next")
    act.move(phases[1], pace=5)
    for last, new, stair in zip(answer, answer[1:], later):
        act.move(last.to("s"), stair[0], pace=7)
        act.move(last.to("c"), stair[1], FadeIn(new, shift=RIGHT * px(20)), pace=QUICK)
    act.keep(prompt=prompt, hole=hole)


def _reading(act: Act, step: int, read: VGroup, new, count: int) -> VGroup:
    """One step as a stair: what it reads, in words, and its way up to the token it writes."""
    steps = len(act.story.journey.steps)
    pitch = min(84, 640 / steps)
    left, right = read.get_left()[0], read.get_right()[0]
    y = STAGE.top - px(72 + pitch * (step - 0.5))
    box = RoundedRectangle(corner_radius=px(8), width=right - left, height=px(pitch - 22),
                           stroke_width=3, stroke_color=paint("ra"), fill_opacity=1,
                           fill_color=mix("ra", 0.3)).move_to([(left + right) / 2, y, 0])
    words = Label(act.label("reads", n=step, count=count), NOTE, "ink").set_z_index(1)
    inside = words.width < box.width - px(30)
    words.move_to(box) if inside else words.next_to(box, LEFT, buff=px(20))
    corner = [new.get_center()[0], y, 0]
    way = VGroup(Line([right, y, 0], corner, stroke_width=3, color=paint("muted")),
                 arrow(corner, new.get_bottom(), buff=6))
    return VGroup(VGroup(box, words), way)

