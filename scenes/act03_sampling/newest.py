"""Steps of the engine under the sentence: the newest token is always one ahead of the cache."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, VGroup, VMobject

from scenes.act03_sampling.rows import floor
from scenes.kit import (STAGE, Chip, KVCell, Label, Node, Slot, arrow, in_turn, number, paint,
                        place, px)
from scenes.kit.base.motion import Flight, replace
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat
from scenes.views import NODES

__all__ = ["the_newest_token"]

_PROMPT, _STEPS = 3, 6  # tokens of the prompt, and steps, that are shown
_CHIP, _CELL = 88, 112  # px: heights of a token, and of its K over its V
_HIGH, _WIDE = 330, 310  # px: a stage of the engine


class Sentence(VGroup):
    """The end of the prompt, what is drawn, and under every token the place of its K and V."""

    def __init__(self, act: Act) -> None:
        journey = act.story.journey
        self.first = max(journey.known - _PROMPT, 0)
        texts = journey.texts[self.first:journey.known + _STEPS]
        self.chips = VGroup(*(Chip(text, "k", "ra", 42, _CHIP, 92 if len(text) < 3 else None)
                              for text in texts)).arrange(RIGHT, buff=px(14))
        self.chips.move_to(floor(88, STAGE.width / px(2)))
        self.cells = VGroup(*(KVCell(Slot.EMPTY, 92, _CELL).next_to(chip, DOWN, buff=px(14))
                              for chip in self.chips))
        self.holes = VGroup(*(place(92, _CELL, "focus").move_to(cell) for cell in self.cells))
        self.known = min(_PROMPT, journey.known)
        super().__init__(self.chips, self.cells, self.holes)


class Stages(VGroup):
    """The five stages of a step in a loop. Parts: `boxes` (name -> Node), `ways`."""

    def __init__(self, act: Act) -> None:
        self.boxes = {name: Node(act.label(name), "", "muted", _WIDE, _HIGH, size=40)
                      for name in NODES[1:-1]}
        row = VGroup(*self.boxes.values()).arrange(RIGHT, buff=(STAGE.width - 5 * px(_WIDE)) / 4)
        row.move_to(floor(346, STAGE.width / px(2)), UP)
        for box in row:
            box.heading.move_to(box.box.get_top() + DOWN * px(48))
        back = VMobject(stroke_width=3, stroke_color=paint("muted"))
        first, last = row[0].get_bottom(), row[-1].get_bottom()
        depth = DOWN * px(48)
        back.set_points_as_corners([last, last + depth, first + depth])
        self.ways = VGroup(*(arrow(a, b, buff=6) for a, b in zip(row, row[1:])), back,
                           arrow(first + depth, first, buff=0))
        super().__init__(self.ways, row)

    def at(self, name: str) -> list:
        """The middle of what stands in a stage."""
        return list(self.boxes[name].box.get_center() + DOWN * px(34))


@beat(("engine/llm_engine.py:49", "engine/model_runner.py:178"), steps="all_steps",
      carries="names", least={1: 70, 2: 50, 6: 60})
def the_newest_token(act: Act) -> None:
    known = act.story.journey.known
    sentence, stages = Sentence(act), Stages(act)
    count = sentence.known
    cache = Label(act.label("in_cache"), 36, "ink", "semibold").move_to(floor(290), LEFT)
    layers = Label(act.label("each_layer"), 32).next_to(cache, RIGHT, buff=px(20))
    step = _step(act, 1, "prefill")
    # The sentence with its cache above, the engine's loop below.
    act.move(FadeOut(act.kept.names), FadeIn(sentence.chips[:count]),
             FadeIn(sentence.cells[:count]), cache, layers, pace=SLOW)
    act.cue("stages")
    act.move(in_turn(stages.boxes.values()), FadeIn(stages.ways), pace=40)
    act.cue("prefill")
    act.move(step, [chip.animate.turn("s") for chip in sentence.chips[:count]], pace=QUICK)
    act.move(LaggedStart(*(box.light() for box in [*stages.boxes.values()][:4]), lag_ratio=0.5),
             [cell.to(Slot.PREFILL) for cell in sentence.cells[:count]], pace=36)
    # What it drew has an id, and a hole where its K and V will be.
    act.cue("id")
    _append(act, sentence, stages, known, first=True)
    act.cue("hole")
    ahead = Label(act.label("no_kv"), 40, "focus").next_to(sentence.holes[count], RIGHT, px(30))
    act.move(sentence.holes[count], ahead, pace=EASY)
    act.keep(ahead=ahead, step=step)
    _decode(act, sentence, stages, known)
    act.cue("on")
    for index in range(count + 1, len(sentence.chips) - 1):
        _again(act, sentence, index)


def _step(act: Act, n: int, phase: str) -> Label:
    words = act.label("step_n", n=n, phase=act.label(phase))
    return Label(words, 40, weight="semibold").move_to(STAGE.at(0, -290, UP + RIGHT), RIGHT)


def _append(act: Act, sentence: Sentence, stages: Stages, index: int, first: bool = False) -> None:
    """The token that the sampler drew flies to the end of the sentence; its id stands over it."""
    chip = sentence.chips[index - sentence.first]
    drawn = chip.copy().move_to(stages.at("sampler" if first else "postprocess"))
    if first:
        act.move(FadeIn(drawn), [c.animate.turn("c") for c in sentence.chips[:sentence.known]],
                 [c.to(Slot.CACHED) for c in sentence.cells[:sentence.known]], pace=BRISK)
    act.move(Flight(drawn, chip), [box.calm() for box in stages.boxes.values()], pace=SLOW)
    act.remove(drawn)
    token_id = number(act.label("id", id=act.story.journey.ids[index]), 32, "ink")
    act.move(token_id.next_to(chip, UP, buff=px(14)), pace=QUICK)
    act.keep(token_id=token_id, drawn=drawn)


def _decode(act: Act, sentence: Sentence, stages: Stages, index: int) -> None:
    """Step 2, stage by stage: the newest token alone goes through, its hole is filled."""
    journey, at = act.story.journey, index - sentence.first
    chip, hole, cell = (part[at] for part in (sentence.chips, sentence.holes, sentence.cells))
    act.cue("schedule")
    taken = chip.copy().turn("s").move_to(stages.at("schedule"))
    act.move(FadeOut(act.kept.drawn), replace(act.kept.step, _step(act, 2, "decode")),
             chip.animate.turn("s"), stages.boxes["schedule"].light(), Flight(chip, taken),
             pace=SLOW)
    act.cue("prepare")
    lines = VGroup(number(act.label("id", id=journey.ids[index]), 40),
                   number(act.label("slot", slot=journey.slots[index]), 40))
    lines.arrange(DOWN, buff=px(36)).move_to(stages.at("prepare"))
    act.move(stages.boxes["schedule"].calm(), stages.boxes["prepare"].light(),
             Flight(act.kept.token_id, lines[0]), FadeIn(lines[1]), pace=SLOW)
    tensors = VGroup(Label(act.label("hidden_state"), 34), *(
        number(name, 40, name.lower(), "bold") for name in "QKV"), Label(act.label("logits"), 34))
    tensors.arrange(DOWN, buff=px(17)).move_to(stages.at("model"))
    act.cue("model")
    act.move(stages.boxes["prepare"].calm(), stages.boxes["model"].light(),
             in_turn(tensors), pace=SLOW)
    act.cue("fill")
    act.move(FadeOut(act.kept.ahead), Flight(tensors[2], cell.k), Flight(tensors[3], cell.v),
             pace=SLOW)
    act.remove(cell.k, cell.v)
    act.move(FadeOut(hole), FadeIn(cell), cell.to(Slot.DECODE), pace=QUICK)
    act.cue("gone")
    act.move([FadeOut(tensors[k], shift=DOWN * px(20)) for k in (0, 1, 4)], cell.to(Slot.CACHED),
             chip.animate.turn("c"), FadeOut(act.kept.token_id), pace=EASY)
    act.cue("sampler")
    chip = sentence.chips[at + 1]
    drawn = chip.copy().move_to(stages.at("sampler"))
    act.move(stages.boxes["model"].calm(), stages.boxes["sampler"].light(), drawn, pace=EASY)
    act.cue("post")
    act.move(stages.boxes["sampler"].calm(), stages.boxes["postprocess"].light(),
             drawn.animate.move_to(stages.at("postprocess")), pace=EASY)
    _append(act, sentence, stages, index + 1)
    act.move(sentence.holes[at + 1], pace=EASY)


def _again(act: Act, sentence: Sentence, at: int) -> None:
    """A further step: the hole is filled, the next token comes, and under it the next hole."""
    cell = sentence.cells[at]
    old = act.kept.token_id
    token_id = number(act.label("id", id=act.story.journey.ids[sentence.first + at + 1]), 32,
                      "ink").next_to(sentence.chips[at + 1], UP, buff=px(14))
    cell._paint(cell, Slot.CACHED)
    act.move(FadeOut(sentence.holes[at]), FadeIn(cell), sentence.chips[at].animate.turn("c"),
             FadeOut(old), pace=QUICK)
    act.move(FadeIn(sentence.chips[at + 1], shift=RIGHT * px(20)), sentence.holes[at + 1],
             token_id, pace=BRISK)
    act.keep(token_id=token_id)
