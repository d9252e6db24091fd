"""The question, the three ways into this course, and how one prompt becomes an answer."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, LaggedStart, VGroup

from scenes.kit import LEAD, NOTE, STAGE, Chips, Label, Node, Readout, Stepper, number, place, px
from scenes.stage import BRISK, EASY, Act, beat

__all__ = ["read_once", "the_question"]


@beat(header=False)
def the_question(act: Act) -> None:
    # The end of the prompt, and an empty place: what comes next?
    texts = act.story.journey.prompt["texts"]
    chips = Chips(texts[-7:], "k", "q", 1500, 34, 68)
    before = [number("…", 34, "muted")] if len(texts) > 7 else []
    motif = VGroup(*before, chips, place(96, 68, "focus")).arrange(RIGHT, buff=px(8))
    act.title_card(motif, lift=px(90))
    # Concept, source, run: every act offers all three.
    act.next_line()
    cards = VGroup(*(Node(*(act.label(key + part) for part in ("", "_note")), role, 520, 196,
                          size=36, foot=act.label(key + "_at"))
                     for key, role in (("concept", "q"), ("source", "k"), ("run", "v"))))
    cards.arrange(RIGHT, buff=px(38)).move_to(STAGE.at(96, 100, DOWN + LEFT), LEFT)
    act.move(LaggedStart(*(FadeIn(way, shift=UP * px(14)) for way in cards), lag_ratio=0.5),
             pace=45)


@beat("engine/llm_engine.py:49", steps="all_steps", least={1: 40, 2: 46})
def read_once(act: Act) -> None:
    journey = act.story.journey
    prompt, answer = (Chips(texts, "k", "q", 1780, 36, 84)
                      for texts in (journey.texts[:journey.known], journey.texts[journey.known:]))
    STAGE.place(VGroup(prompt, answer).arrange(DOWN, buff=px(130), aligned_edge=LEFT), LEFT, y=50)
    captions = [Label(act.label(key), NOTE).next_to(chips, UP, buff=px(30)).align_to(chips, LEFT)
                for key, chips in (("prompt", prompt), ("written", answer))]
    stepper = Stepper(act.label("step")).move_to(STAGE.at(0, 60, DOWN + LEFT), LEFT)
    read = Readout(act.label("reads", n=journey.known), LEAD, "focus", "medium")
    read.next_to(stepper, RIGHT, buff=px(60)).align_to(stepper.chips["prefill"], DOWN)
    read.shift(UP * px(18))
    legend = Label(act.label("legend"), NOTE).move_to([STAGE.right, read.get_y(), 0], RIGHT)
    # The whole prompt is read in one step, which writes one token.
    act.move(prompt, captions[0], stepper, legend, pace=EASY)
    act.move(prompt.to("s" * journey.known), stepper.show(1, "prefill"), read, pace=EASY)
    act.rest(15)
    act.move(prompt.to("c" * journey.known), captions[1], answer[0], pace=EASY)
    # Each further step reads the token just written, and writes the next.
    act.next_line()
    for step, (last, new) in enumerate(zip(answer, answer[1:]), start=2):
        act.move(last.to("s"), stepper.show(step, "decode"),
                 read.to(act.label("reads_one"), "focus"), pace=10)
        act.move(last.to("c"), FadeIn(new, shift=RIGHT * px(20)), pace=BRISK)
