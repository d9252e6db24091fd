"""The question, a small batch's way from ids to logits, and the widths of one layer."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, VGroup

from scenes.act02_layer.story import PROMPTS
from scenes.kit import STAGE, Label, LayerStack, Part, Projection, RaggedBatch, Station, Stations
from scenes.kit import px, ring
from scenes.stage import BLINK, BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["from_ids_to_logits", "the_question", "the_widths"]

ROLES = ("q", "k")  # of the two prompts
ROWS = {"ids": 44, "logits": 270}  # px that a row is wide; 150 at the other stations
UNIT = 0.158  # px that one number of a row is wide, among the matrices


@beat(header=False)
def the_question(act: Act) -> None:
    # A token before and after all layers; the first of them is in focus.
    act.title_card(LayerStack(act.story.widths.layers))


@beat(anchors=("models/qwen3.py:173", "layers/embed_head.py:59"))
def from_ids_to_logits(act: Act) -> None:
    # Two prompts of different length become one batch, end to end.
    batch = RaggedBatch([act.label("prompt", n=n) for n in PROMPTS], PROMPTS, ROLES)
    rows = [role for n, role in zip(PROMPTS, ROLES) for _ in range(n)]
    stations = Stations([Station(act.label(name), sizes, rows if sizes[0] == len(rows) else ROLES,
                                 ROWS.get(name, 150)) for name, sizes in act.story.checkpoints],
                        STAGE.center)
    act.move(FadeIn(batch.shift(STAGE.center), shift=RIGHT * px(20)))
    act.rest(15)
    act.move(batch.flatten(stations.rows[0]), pace=30)
    act.add(stations.rows[0])
    act.remove(batch, *batch.cells)
    act.move(stations.heads[0], stations.shapes[0], pace=QUICK)
    act.next_line()
    # Every row stays a row, as wide as the model.
    for k in (1, 2, 3):
        act.move(stations.travel(k), pace=30)
        act.move(stations.shapes[k], pace=QUICK)
    act.next_line()
    # Only each prompt's last row goes on to the logits.
    last = [PROMPTS[0] - 1, sum(PROMPTS) - 1]
    act.move(VGroup(*(ring(stations.rows[3][row], buff=3) for row in last)), pace=BRISK)
    for k, chosen in ((4, last), (5, [0, 1])):
        act.move(stations.travel(k, chosen), pace=27)
        act.move(stations.shapes[k], pace=QUICK)


@beat(anchors=("models/qwen3.py:36", "models/qwen3.py:42"))
def the_widths(act: Act) -> None:
    # A token's row becomes its q, k and v together.
    qkv, o, gate_up, down = _matrices(act)
    act.move(qkv.enters)
    act.move(qkv.project(), pace=27)
    act.move(qkv.leaves.details, pace=BLINK)
    act.next_line()
    # If heads shared the token's width among them, q would be as wide as the token: a ghost bar.
    heads = VGroup(*(Label(act.label(key)) for key in ("heads", "each_wide"))).arrange(
        DOWN, buff=px(22), aligned_edge=LEFT).next_to(qkv.leaves, RIGHT, buff=px(28))
    act.move(heads)
    act.move(qkv.compare(act.story.widths.hidden, act.label("ghost")), pace=SLOW)
    act.next_line()
    # The other matrices: two of them lead back to the token's width.
    for row, feed in ((o, qkv.leaves), (gate_up, None), (down, gate_up.leaves)):
        act.move(row.enter(feed))
        act.move(row.enters.details, pace=BLINK)
        act.move(row.project(), pace=EASY)
        act.move(row.leaves.details, pace=BLINK)


def _matrices(act: Act) -> list[Projection]:
    """A table: what enters a matrix, its name, what leaves it."""
    w = act.story.widths
    token = [Part(w.hidden, "ink", str(w.hidden))]
    kv = [Part(w.kv, role, f"{role} {w.kv}", w.kv_heads) for role in "kv"]
    halves = [Part(w.intermediate, role, f"{name} {w.intermediate}")
              for name, role in (("gate", "d"), ("up", "e"))]
    wide = [Part(w.intermediate, "d", str(w.intermediate))]
    back = act.label("back")
    rows = [("qkv_proj", token, [Part(w.q, "q", f"q {w.q}", w.query_heads), *kv], ""),
            ("o_proj", [Part(w.q, "q", str(w.q), w.query_heads)], token, back),
            ("gate_up_proj", token, halves, ""), ("down_proj", wide, token, back)]
    return [Projection(name, act.label(name), enters, leaves, UNIT, note=note)
            .shift(STAGE.at(w.intermediate * UNIT, -60 - 182 * k, UP + LEFT))
            for k, (name, enters, leaves, note) in enumerate(rows)]
