"""What lasts beyond a step: the tokens' ids, and their K and V."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, ReplacementTransform, VGroup

from scenes.kit import (BODY, LEAD, STAGE, Chip, KvLayers, Label, NamedTensor, Panel,
                        level_arrow, px)
from scenes.stage import EASY, QUICK, SLOW, VERY_SLOW, Act, beat
from scenes.views.kv_cells import CachedToken, KvCells

__all__ = ["id_without_kv", "kv_cells", "what_the_cache_keeps"]

PROMPT_SHOWN, STEPS_SHOWN, LAYERS_SHOWN = 2, 7, 6


@beat("engine/model_runner.py:178", steps="all_steps", carries="tokens",
      least={1: 50, 3: 40, 4: 52})
def id_without_kv(act: Act) -> None:
    journey = act.story.journey
    cells = kv_cells(act)
    first, known = cells.first, journey.known
    # The strip's end comes down; under the prompt's tokens stand their K and V.
    before, planned, computed, after = journey.states(0)
    near = act.kept.tokens[first:known]
    act.move([FadeOut(t) for t in act.kept.tokens if t not in near], cells.shelf, cells.captions,
             pace=QUICK)
    cells.to(before), cells.to(planned)
    cells.to(computed)
    for head in cells.heads[:len(near)]:
        head[0].turn("c")
    act.move([ReplacementTransform(a, b[0]) for a, b in zip(near, cells.heads)],
             [FadeIn(head[1]) for head in cells.heads[:len(near)]],
             [FadeIn(s) for s in cells.stored[:len(near)]], pace=SLOW)
    glosses = cells.explain(known - 1, act.label("key_gloss"), act.label("value_gloss"))
    for cue, gloss in zip(("key", "value"), glosses):
        act.cue(cue)
        act.move(FadeIn(gloss, shift=RIGHT * px(16)))
    # The sampled token has an id; the next step writes its K and V, and samples one more.
    act.cue("hole")
    act.move(FadeOut(glosses), pace=QUICK)
    act.move(cells.to(after), pace=EASY)
    _, planned, computed, after = journey.states(1)
    act.cue("reads")
    act.move(cells.to(planned))
    act.move(cells.to(computed), pace=EASY)
    act.cue("samples")
    act.move(cells.to(after), pace=EASY)
    # So it goes on: the newest token is always ahead of the cache.
    act.cue("on")
    for step in range(2, len(journey.steps[:STEPS_SHOWN])):
        for state in journey.states(step)[1:]:
            act.move(cells.to(state), pace=6)
    act.keep(heads=VGroup(*(head[0] for head in cells.heads[len(near):len(near) + 2])))


def kv_cells(act: Act) -> KvCells:
    """The end of the prompt and the sampled tokens."""
    journey = act.story.journey
    first = max(journey.known - PROMPT_SHOWN, 0)
    shown = slice(first, journey.known + len(journey.steps[:STEPS_SHOWN]))
    tokens = map(CachedToken, journey.texts[shown], journey.ids[shown], journey.slots[shown])
    names = [act.label(key) for key in ("token", "token_id", "in_cache", "slot")]
    earlier = act.label("before", n=first) if first else ""
    cells = KvCells(list(tokens), first, names, earlier, act.label("no_kv"))
    return cells.shift(STAGE.at(382, -70, LEFT))


@beat("layers/attention.py:63", steps=(2,), carries="heads", least={1: 50, 2: 46})
def what_the_cache_keeps(act: Act) -> None:
    journey = act.story.journey
    # A decode step's tensors on the left, the cache and the request on the right.
    rows = (("hidden_states", "muted", "norm"), ("Q", "q", "q"), ("K", "k", "k"), ("V", "v", "k"),
            ("logits", "muted", "logits"), ("token_id", "ra", "token"))
    boxes = VGroup(*(NamedTensor(key if len(key) == 1 else act.label(key), journey.shape(name, 1),
                                 role) for key, role, name in rows)).arrange(DOWN, buff=px(16))
    STAGE.place(boxes, UP + LEFT, y=-4)
    _, _, key, value, _, _ = boxes
    cache = Panel(act.label("cache_panel"), 900, 396).move_to(
        [STAGE.right, boxes.get_top()[1], 0], RIGHT + UP)
    request = Panel(act.label("answer"), 900, 168).move_to(
        [STAGE.right, boxes.get_bottom()[1], 0], RIGHT + DOWN)
    layers = KvLayers(min(journey.cache["layers"], LAYERS_SHOWN),
                      journey.states(1)[0].num_cached, act.label("layer"))
    layers.shift(cache.slot(0, 0) + RIGHT * px(150) + DOWN * px(20))
    # The first sampled token moves into its request; the tensors of its step come.
    last, new = act.kept.heads
    last.set_z_index(2), new.set_z_index(2)
    act.move(FadeOut(new), request, last.animate.move_to(request.slot(0, 0) + DOWN * px(14), LEFT),
             pace=EASY)
    act.cue("all")
    act.move(LaggedStart(*(FadeIn(box, shift=RIGHT * px(20)) for box in boxes), lag_ratio=0.2),
             cache, layers, pace=SLOW)
    # K and V go into every layer's cache.
    act.cue("kv")
    act.move(level_arrow(key, cache, "k"), level_arrow(value, cache, "v"), pace=QUICK)
    act.move(layers.store(key, value), pace=VERY_SLOW)
    _dropped(act, boxes, request, last, new)
    # What a token costs.
    act.cue("bytes")
    act.move(Label(act.label("bytes"), LEAD).move_to(STAGE.at(0, 40, DOWN)), pace=VERY_SLOW)


def _dropped(act: Act, boxes: VGroup, request: Panel, last: Chip, new: Chip) -> None:
    """What is not needed again goes; the new id joins the request."""
    hidden, query, _, _, logits, token = boxes
    leaving = (hidden, query, logits)
    gone = [Label(act.label("gone"), BODY, "muted").next_to(box, RIGHT, px(30)) for box in leaving]
    act.cue("gone")
    act.move([box.animate.set_opacity(0.3) for box in leaving], gone, pace=VERY_SLOW)
    act.cue("id")
    new.turn("k").next_to(last, RIGHT, buff=px(12))
    act.move(level_arrow(token, request, "ra"), FadeIn(new, shift=UP * px(20)),
             pace=SLOW)

