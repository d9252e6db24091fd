"""What lasts beyond a step: the tokens' ids, and their K and V."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, VGroup

from scenes.kit import BODY, STAGE, Chips, KvLayers, Label, NamedTensor, Panel, level_arrow, px
from scenes.stage import EASY, QUICK, SLOW, VERY_SLOW, Act, beat
from scenes.views.kv_cells import CachedToken, KvCells

__all__ = ["id_without_kv", "what_the_cache_keeps"]

PROMPT_SHOWN, STEPS_SHOWN, LAYERS_SHOWN = 2, 7, 6


@beat("engine/model_runner.py:172", steps="all_steps", least={3: 54})
def id_without_kv(act: Act) -> None:
    journey = act.story.journey
    cells = _cells(act, journey.known, len(journey.steps[:STEPS_SHOWN]))
    # The prompt is read in one step: each token leaves K and V.
    before, planned, computed, after = journey.states(0)
    act.move(cells.shelf, cells.captions, cells.to(before), pace=EASY)
    act.move(cells.to(planned))
    act.move(cells.to(computed), pace=EASY)
    glosses = cells.explain(journey.known - 1, act.label("key_gloss"), act.label("value_gloss"))
    for gloss in glosses:
        act.move(FadeIn(gloss, shift=RIGHT * px(16)))
    # The sampled token has an id; the next step writes its K and V, and samples one more.
    act.next_line()
    act.move(FadeOut(glosses), pace=QUICK)
    act.move(cells.to(after))
    act.rest(18)
    for state in journey.states(1)[1:]:
        act.move(cells.to(state))
    # So it goes on: the newest token is always ahead of the cache.
    act.next_line()
    for step in range(2, len(journey.steps[:STEPS_SHOWN])):
        for state in journey.states(step)[1:]:
            act.move(cells.to(state), pace=10)


def _cells(act: Act, known: int, sampled: int) -> KvCells:
    """The end of the prompt and the sampled tokens."""
    journey, first = act.story.journey, max(known - PROMPT_SHOWN, 0)
    shown = slice(first, known + sampled)
    tokens = map(CachedToken, journey.texts[shown], journey.ids[shown], journey.slots[shown])
    names = [act.label(key) for key in ("token", "token_id", "in_cache", "slot")]
    earlier = act.label("earlier", n=first) if first else ""
    cells = KvCells(list(tokens), first, names, earlier, act.label("no_kv"))
    return cells.shift(STAGE.at(382, -70, LEFT))


@beat("layers/attention.py:63", steps=(2,), least={1: 45})
def what_the_cache_keeps(act: Act) -> None:
    journey = act.story.journey
    # A decode step's tensors on the left, the cache and the request on the right.
    rows = (("hidden_states", "muted", "norm"), ("Q", "q", "q"), ("K", "k", "k"), ("V", "v", "k"),
            ("logits", "muted", "logits"), ("token_id", "focus", "token"))
    boxes = VGroup(*(NamedTensor(key if len(key) == 1 else act.label(key), journey.shape(name, 1),
                                 role) for key, role, name in rows)).arrange(DOWN, buff=px(16))
    hidden, query, key, value, logits, token = STAGE.place(boxes, LEFT, y=34)
    cache = Panel(act.label("cache_panel"), 900, 400)
    cache.move_to([STAGE.right, boxes.get_top()[1], 0], RIGHT + UP)
    request = Panel(act.label("answer"), 900, 170)
    request.move_to([STAGE.right, boxes.get_bottom()[1], 0], RIGHT + DOWN)
    layers = KvLayers(min(journey.cache["layers"], LAYERS_SHOWN),
                      journey.states(1)[0].num_cached, act.label("layer"))
    layers.shift(cache.slot(0, 0) + RIGHT * px(150) + DOWN * px(20))
    ids = Chips([str(step["sampled"]) for step in journey.steps[:2]], "k", "q", 800, 30, 60)
    ids.move_to(request.slot(0, 0) + DOWN * px(14), LEFT).set_z_index(1)
    act.move(boxes, cache, layers, request, ids[0], pace=SLOW)
    # K and V go into every layer's cache.
    act.move(level_arrow(key, cache, "k"), level_arrow(value, cache, "v"), pace=QUICK)
    act.move(layers.store(key, value), pace=VERY_SLOW)
    # What is not needed again goes; the new id joins the request.
    act.next_line()
    leaving = (hidden, query, logits)
    gone = [Label(act.label("gone"), BODY, "muted").next_to(box, RIGHT, px(40)) for box in leaving]
    act.move([box.animate.set_opacity(0.3) for box in leaving], gone, pace=SLOW)
    act.move(level_arrow(token, request, "focus"),
             FadeOut(token.copy(), target_position=ids[1], scale=0.4), ids[1], pace=SLOW)
    # What a token costs.
    act.next_line()
    act.move(Label(act.label("bytes"), 36, weight="semibold").move_to(STAGE.at(0, 22, DOWN)),
             pace=EASY)
