"""The question, and a small batch's way through the model, from ids to logits."""

from manim import DOWN, LEFT, RIGHT, FadeIn, VGroup

from scenes.act02_layer.story import PROMPTS
from scenes.kit import LEAD, STAGE, Label, LayerStack, Station, Stations, px, ring
from scenes.stage import BRISK, SLOW, Act, beat
from scenes.views import NODES, EngineMap

__all__ = ["inside_the_model", "the_question"]

ROLES = ("ra", "rb")  # of the two prompts
ROWS = {"ids": 56, "logits": 280}  # px that a row is wide; 160 at the other stations


@beat(header=False)
def the_question(act: Act) -> None:
    # A token before and after all layers; the first of them is in focus.
    act.title_card(LayerStack(act.story.widths.layers))


@beat(anchors=("models/qwen3.py:173", "layers/embed_head.py:60"))
def inside_the_model(act: Act) -> None:
    # The engine as a map; the model is where this act takes place.
    engine = EngineMap({name: act.label(f"map_{name}") for name in (*NODES, "waiting", "running")})
    act.move(engine, pace=SLOW)
    act.cue("model")
    act.move(engine.light("model"))
    act.cue("enter")
    act.move(engine.enter("model"), pace=36)
    stations = _prompts(act)
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


def _prompts(act: Act) -> Stations:
    """Two prompts of different length come, and close up to one column of ids."""
    rows = [role for n, role in zip(PROMPTS, ROLES) for _ in range(n)]
    stations = Stations([Station(act.label(name), sizes, rows if sizes[0] == len(rows) else ROLES,
                                 ROWS.get(name, 160)) for name, sizes in act.story.checkpoints],
                        STAGE.at(90, 0), gap=108)
    ids, cut = stations.rows[0], PROMPTS[0]
    parts = [VGroup(Label(act.label("prompt", n=n), LEAD, role).next_to(
        VGroup(*cells), LEFT, buff=px(24)), *cells)
        for n, role, cells in zip(PROMPTS, ROLES, (ids[:cut], ids[cut:]))]
    parts[1].shift(DOWN * px(56))
    act.move((FadeIn(part[1:], shift=RIGHT * px(20)) for part in parts), pace=BRISK)
    act.cue("prompts")
    act.move((part[0] for part in parts), pace=BRISK)
    act.cue("flat")
    act.move(parts[1].animate.shift(-DOWN * px(56)), stations.heads[0], pace=SLOW)
    act.move(stations.shapes[0], pace=BRISK)
    return stations
