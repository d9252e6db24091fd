"""Steps of the engine under the sentence: the newest token is always one ahead of the cache."""

from itertools import pairwise

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, VGroup, VMobject

from scenes.act03_sampling.rows import dimmed, floor
from scenes.kit import STAGE, Chip, KVCell, Label, Slot, arrow, in_turn, number, paint, place, px
from scenes.kit.base.motion import Flight, replace
from scenes.kit.engine.icons import (
    batch_icon,
    budget_icon,
    layers_icon,
    race_icon,
    token_icon,
)
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat
from scenes.views import NODES
from scenes.views.engine_map import Station

__all__ = ["the_newest_token"]

_PROMPT, _STEPS = 3, 6  # tokens of the prompt, and steps, that are shown
_CHIP, _CELL, _LEAST = 96, 130, 104  # px: a token's height, that of its K over V, both's width
_HIGH, _WIDE = 256, 312  # px: a stage of the engine


class Sentence(VGroup):
    """The end of the prompt, what is drawn, and under every token the place of its K and V."""

    def __init__(self, act: Act) -> None:
        journey = act.story.journey
        self.first = max(journey.known - _PROMPT, 0)
        self.known = journey.known - self.first
        texts = journey.texts[self.first:journey.known + _STEPS]
        self.chips = VGroup(*(Chip(text, "k", "ra", 46, _CHIP, _LEAST if len(text) < 3 else None)
                              for text in texts)).arrange(RIGHT, buff=px(14))
        self.chips.move_to(floor(92, STAGE.width / px(2)))
        if self.chips.width > STAGE.width:
            self.chips.scale_to_fit_width(STAGE.width)
        self.cells = VGroup(*(KVCell(Slot.EMPTY, _LEAST - 12, _CELL).next_to(chip, DOWN, px(14))
                              for chip in self.chips))
        self.holes = VGroup(*(place(_LEAST - 12, _CELL, "focus").move_to(cell)
                              for cell in self.cells))
        super().__init__(self.chips, self.cells, self.holes)


class Stages(VGroup):
    """The five stages of a step in a loop. Parts: `boxes` (name -> Station), `ways`."""

    def __init__(self, act: Act) -> None:
        icons = (budget_icon(), batch_icon(), layers_icon(), race_icon(), token_icon())
        self.boxes = {name: Station(act.label(name), icon, _WIDE, _HIGH)
                      for name, icon in zip(NODES[1:-1], icons)}
        row = VGroup(*self.boxes.values()).arrange(RIGHT, buff=(STAGE.width - 5 * px(_WIDE)) / 4)
        row.move_to(floor(416, STAGE.width / px(2)), UP)
        back = VMobject(stroke_width=3, stroke_color=paint("muted"))
        first, last = row[0].box.get_bottom(), row[-1].box.get_bottom()
        depth = DOWN * px(48)
        back.set_points_as_corners([last, last + depth, first + depth])
        self.ways = VGroup(*(arrow(a.box, b.box, buff=6) for a, b in zip(row, row[1:])), back,
                           arrow(first + depth, first, buff=0))
        super().__init__(self.ways, row)

    def turn(self, name: str, before: str = "") -> list:
        """Animations: a stage is at work, its picture gives way to what it does; one rests."""
        old = self.boxes.get(before)
        return [self.boxes[name].light(), FadeOut(self.boxes[name].icon),
                old.calm() if old else [],
                FadeIn(old.icon) if before == "sampler" and old else []]

    def at(self, name: str) -> np.ndarray:
        """The middle of what stands in a stage."""
        return np.array(self.boxes[name].icon.get_center())


@beat(("engine/llm_engine.py:49", "engine/model_runner.py:178"), steps="all_steps",
      carries="names", least={1: 64, 2: 50, 6: 50})
def the_newest_token(act: Act) -> None:
    known = act.story.journey.known
    sentence, stages = Sentence(act), Stages(act)
    count = sentence.known
    cache = Label(act.label("in_cache"), 36, "ink", "semibold").move_to(floor(348), LEFT)
    layers = Label(act.label("each_layer"), 32).next_to(cache, RIGHT, buff=px(20))
    step = _step(act, 1, "prefill")
    # The sentence with its cache above, the engine's loop below.
    act.move(FadeIn(sentence.cells), pace=14)
    act.move(FadeOut(act.kept.names), pace=5)
    act.move(FadeIn(sentence.chips[:count]), cache, layers, pace=QUICK)
    act.cue("stages")
    act.move(in_turn(stages.boxes.values()), FadeIn(stages.ways), pace=32)
    act.cue("prefill")
    act.move(step, [chip.animate.turn("s") for chip in sentence.chips[:count]], pace=QUICK)
    for before, box in pairwise([None, *list(stages.boxes.values())[:4]]):
        act.move(box.light(), before.calm() if before else None, [
            cell.to(Slot.PREFILL) for cell in sentence.cells[:count] if box.icon is
            stages.boxes["model"].icon], pace=11)
    # What it drew has an id, and a hole where its K and V will be.
    act.cue("id")
    drawn = sentence.chips[count].copy().move_to(stages.at("sampler"))
    act.move(FadeOut(stages.boxes["sampler"].icon), FadeIn(drawn),
             [dimmed(chip) for chip in sentence.chips[:count]],
             [cell.to(Slot.CACHED) for cell in sentence.cells[:count]], pace=BRISK)
    _append(act, sentence, drawn, known)
    act.cue("hole")
    ahead = Label(act.label("no_kv"), 40, "focus").move_to(
        [sentence.holes[count].get_x(), cache.get_y(), 0])
    act.move(sentence.holes[count], ahead, [box.calm() for box in stages.boxes.values()],
             FadeIn(stages.boxes["sampler"].icon), pace=EASY)
    act.keep(ahead=ahead, step=step)
    _decode(act, sentence, stages, known)
    # So it goes on: further decodes.
    act.cue("on")
    act.move(list(map(FadeOut, act.kept.done)), [box.calm() for box in stages.boxes.values()],
             [FadeIn(stages.boxes[name].icon) for name in ("schedule", "prepare")],
             pace=QUICK)
    for at in range(count + 1, len(sentence.chips) - 1):
        _again(act, sentence, at)


def _step(act: Act, n: int, phase: str) -> Label:
    words = act.label("step_n", n=n, phase=act.label(phase))
    return Label(words, 40, weight="semibold").move_to(STAGE.at(0, -348, UP + RIGHT), RIGHT)


def _decode(act: Act, sentence: Sentence, stages: Stages, index: int) -> None:
    """Step 2: the newest token alone goes in; the model fills its hole and makes scores."""
    journey, at = act.story.journey, index - sentence.first
    chip, hole, cell = (part[at] for part in (sentence.chips, sentence.holes, sentence.cells))
    act.cue("schedule")
    taken = chip.copy().turn("s").move_to(stages.at("schedule"))
    step = _step(act, 2, "decode")
    act.move(replace(act.kept.step, step), chip.animate.turn("s"), stages.turn("schedule"),
             Flight(chip, taken), pace=SLOW)
    act.cue("prepare")
    lines = VGroup(number(act.label("id", id=journey.ids[index]), 44),
                   number(act.label("slot", slot=journey.slots[index]), 44))
    lines.arrange(DOWN, buff=px(36)).move_to(stages.at("prepare"))
    act.move(stages.turn("prepare", "schedule"), Flight(act.kept.token_id, lines[0]),
             FadeIn(lines[1]), pace=SLOW)
    row = VGroup(*(Chip(name, "c", name.lower(), 40, 58, 76) for name in "QKV"))
    tensors = VGroup(Label(act.label("hidden_state"), 36), row.arrange(RIGHT, buff=px(14)),
                     Label(act.label("logits"), 36)).arrange(DOWN, buff=px(22))
    tensors.move_to(stages.at("model"))
    act.cue("model")
    act.move(stages.turn("model", "prepare"), in_turn(tensors), pace=SLOW)
    act.cue("fill")
    # They leave the stage through its top.
    out = row[1:].copy().next_to(stages.boxes["model"].box, UP, px(16))
    act.move(FadeOut(act.kept.ahead), *(FadeOut(letter, shift=UP * px(30)) for letter in row[1:]),
             Flight(out[0], cell.k.copy()), Flight(out[1], cell.v.copy()), pace=SLOW)
    act.move(FadeOut(hole), cell.to(Slot.DECODE), pace=QUICK)
    act.cue("gone")
    act.move([FadeOut(thing, shift=DOWN * px(30)) for thing in (tensors[0], row[0], tensors[2])],
             FadeIn(stages.boxes["model"].icon), cell.to(Slot.CACHED), dimmed(chip),
             FadeOut(act.kept.token_id), pace=SLOW)
    act.keep(done=[taken, lines], step=step)
    _draw(act, sentence, stages, index + 1)


def _draw(act: Act, sentence: Sentence, stages: Stages, index: int) -> None:
    """The sampler draws a token, postprocess appends it: there is the next hole."""
    at = index - sentence.first
    drawn = sentence.chips[at].copy().move_to(stages.at("sampler"))
    act.cue("sampler")
    act.move(stages.turn("sampler", "model"), drawn, pace=EASY)
    act.cue("post")
    act.move(stages.turn("postprocess", "sampler"),
             drawn.animate.move_to(stages.at("postprocess")), pace=EASY)
    _append(act, sentence, drawn, index)
    act.move(sentence.holes[at], FadeIn(stages.boxes["postprocess"].icon), pace=EASY)


def _append(act: Act, sentence: Sentence, drawn: Chip, index: int) -> None:
    """The token that was drawn flies to the end of the sentence; its id stands over it."""
    chip = sentence.chips[index - sentence.first]
    act.move(FadeOut(drawn), Flight(drawn, chip), pace=SLOW)
    token_id = _id_over(act, chip, index)
    act.move(token_id, pace=QUICK)
    act.keep(token_id=token_id)


def _id_over(act: Act, chip: Chip, index: int) -> Label:
    return number(act.label("id", id=act.story.journey.ids[index]), 32, "ink").next_to(
        chip, UP, buff=px(14))


def _again(act: Act, sentence: Sentence, at: int) -> None:
    """A further step: the hole is filled, the next token comes, and under it the next hole."""
    index = sentence.first + at + 1
    step = _step(act, index - act.story.journey.known + 1, "decode")
    token_id = _id_over(act, sentence.chips[at + 1], index)
    act.move(FadeOut(sentence.holes[at]), sentence.cells[at].to(Slot.CACHED),
             dimmed(sentence.chips[at]), FadeOut(act.kept.token_id),
             replace(act.kept.step, step), pace=10)
    act.move(FadeIn(sentence.chips[at + 1], shift=RIGHT * px(20)), sentence.holes[at + 1],
             token_id, pace=10)
    act.keep(token_id=token_id, step=step)
