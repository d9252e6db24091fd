"""The question, the way into the model, and a small batch's way from ids to logits."""

from manim import DOWN, RIGHT, UP, DashedLine, FadeIn, VGroup

from scenes.act02_layer.story import PROMPTS
from scenes.kit import BODY, FIGURE, SHAPE, STAGE, Label, LayerStack, RaggedBatch, Station
from scenes.kit import Stations, number, paint, px, ring
from scenes.stage import BRISK, SLOW, Act, beat
from scenes.views import NODES, EngineMap

__all__ = ["from_ids_to_logits", "inside_the_model", "the_question"]

ROLES = ("ra", "rb")  # of the two prompts
ROWS = {"ids": 56, "logits": 280}  # px that a row is wide; 160 at the other stations


@beat(header=False)
def the_question(act: Act) -> None:
    # A token before and after all layers; the first of them is in focus.
    act.title_card(LayerStack(act.story.widths.layers))


@beat(anchors="engine/model_runner.py:145")
def inside_the_model(act: Act) -> None:
    # The engine as a map; the model is where this act takes place.
    engine = EngineMap({name: act.label(f"map_{name}") for name in (*NODES, "waiting", "running")})
    act.move(engine, pace=SLOW)
    act.cue("model")
    act.move(engine.light("model"))
    act.cue("enter")
    act.move(engine.enter("model"), pace=36)
    # Two prompts of different length become one batch, end to end.
    batch = RaggedBatch([act.label("prompt", n=n) for n in PROMPTS], PROMPTS, ROLES, 150, 20)
    batch.shift(STAGE.at(110, 0))
    act.cue("prompts")
    act.move(FadeIn(batch, shift=RIGHT * px(20)), pace=SLOW)
    act.cue("flat")
    flat, cuts = _flattened(act)
    act.move(batch.flatten(flat), pace=33)
    act.remove(batch, *batch.cells)
    act.add(flat)
    # cu_seqlens: where each prompt begins, and the end of the last.
    act.cue("bounds")
    act.move(cuts[0], pace=BRISK)
    act.move(cuts[1])
    act.cue("wall")
    wall = _wall(act, flat)
    act.move(wall, pace=SLOW)
    act.move(VGroup(*(ring(VGroup(*part), role, 5, 14) for part, role in zip(
        (flat[:PROMPTS[0]], flat[PROMPTS[0]:]), ROLES))), pace=SLOW)
    act.keep(flat=flat)


def _flattened(act: Act) -> tuple[VGroup, list[VGroup]]:
    """The batch as one line of cells, and cu_seqlens below: a figure at every border."""
    rows = [role for n, role in zip(PROMPTS, ROLES) for _ in range(n)]
    flat = VGroup(*Stations([Station("", [1], [role], 190) for role in rows], STAGE.at(0, 60),
                            gap=34).rows)
    for cell in flat:
        cell[0].stretch_to_fit_height(px(150))
    edges = [cell.get_left()[0] for cell in flat] + [flat.get_right()[0] + px(34)]
    ticks = VGroup(*(number(bound, 44, weight="semibold").move_to(
        [edges[bound] - px(17), flat.get_bottom()[1] - px(70), 0])
        for bound in act.story.bounds))
    name = number("cu_seqlens", SHAPE).next_to(ticks, DOWN, buff=px(60))
    whole = number(f"= {list(act.story.bounds)}", FIGURE).next_to(name, RIGHT, buff=px(24))
    VGroup(name, whole).set_x(0)
    return flat, [ticks, VGroup(name, whole)]


def _wall(act: Act, flat: VGroup) -> VGroup:
    """A border between the prompts that attention does not cross."""
    x = (flat[PROMPTS[0] - 1].get_right()[0] + flat[PROMPTS[0]].get_left()[0]) / 2
    line = DashedLine([x, flat.get_top()[1] + px(110), 0], [x, flat.get_bottom()[1] - px(20), 0],
                      stroke_width=6, color=paint("focus"), dash_length=px(14))
    return VGroup(line, Label(act.label("border"), BODY, "focus").next_to(line, UP, buff=px(24)))


@beat(anchors=("models/qwen3.py:173", "layers/embed_head.py:60"), carries="flat")
def from_ids_to_logits(act: Act) -> None:
    # The same seven rows, now one below the other.
    flat = act.kept.flat
    rows = [role for n, role in zip(PROMPTS, ROLES) for _ in range(n)]
    stations = Stations([Station(act.label(name), sizes, rows if sizes[0] == len(rows) else ROLES,
                                 ROWS.get(name, 160)) for name, sizes in act.story.checkpoints],
                        STAGE.center, gap=130)
    act.move((cell.animate.become(row) for cell, row in zip(flat, stations.rows[0])),
             stations.heads[0], stations.shapes[0], pace=BRISK)
    act.remove(flat)
    act.add(stations.rows[0], stations.heads[0], stations.shapes[0])
    # Every row stays a row, as wide as the model.
    for k, name in enumerate(("look", "layers", "norm"), 1):
        act.cue(name)
        act.move(stations.travel(k), stations.shapes[k], pace=36)
    # Only each prompt's last row goes on to the logits.
    last = [PROMPTS[0] - 1, sum(PROMPTS) - 1]
    act.cue("last")
    act.move(VGroup(*(ring(stations.rows[3][row], buff=4) for row in last)), pace=BRISK)
    act.move(stations.travel(4, last), stations.shapes[4], pace=36)
    act.cue("logits")
    act.move(stations.travel(5, [0, 1]), stations.shapes[5], pace=60)
    act.keep(row=stations.rows[3][last[0]])
