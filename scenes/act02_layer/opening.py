"""The question, and a small batch's way from ids to logits."""

from manim import DOWN, LEFT, RIGHT, FadeIn, FadeOut, LaggedStart, RoundedRectangle, VGroup

from scenes.act02_layer.story import PROMPTS
from scenes.kit import STAGE, Label, Station, Stations, TokenStrip, mix, paint, px, ring
from scenes.stage import BRISK, QUICK, Act, beat

__all__ = ["from_ids_to_logits", "the_question"]

ROLES = ("q", "k")  # of the two prompts
WIDTHS = {"ids": 44, "logits": 270}  # px of a row; 150 at the other stations


@beat(header=False)
def the_question(act: Act) -> None:
    # A token before and after all layers; the first of them is in focus.
    layers = VGroup(*(RoundedRectangle(
        corner_radius=px(5), width=px(30), height=px(150), stroke_width=2.5,
        stroke_color=paint(role), fill_color=mix(role, 0.25), fill_opacity=1)
        for role in ["focus"] + ["muted"] * (act.story.widths.layers - 1)))
    layers.arrange(RIGHT, buff=px(14))
    before, after = (TokenStrip(1, "c", "q", 56).next_to(layers, side, buff=px(40))
                     for side in (LEFT, RIGHT))
    act.title_card(VGroup(before, layers, after))


@beat(anchors=("models/qwen3.py:173", "layers/embed_head.py:59"))
def from_ids_to_logits(act: Act) -> None:
    # Two prompts of different length become one batch, end to end.
    stations = _stations(act)
    ids, norm = stations.rows[0], stations.rows[3]
    names, strips = _prompts(act)
    act.move(FadeIn(VGroup(names, strips), shift=RIGHT * px(20)))
    act.rest(15)
    cells = [cell for strip in strips for cell in strip]
    act.move(LaggedStart(*(cell.animate.move_to(row).set_width(row.width)
                           for cell, row in zip(cells, ids)), lag_ratio=0.05),
             FadeOut(names), pace=30)
    act.add(ids)
    act.remove(names, strips, *cells)
    act.move(stations.heads[0], stations.shapes[0], pace=QUICK)
    act.next_line()
    # Every row stays a row, as wide as the model.
    for k in (1, 2, 3):
        _travel(act, stations, k, 30)
    act.next_line()
    # Only each prompt's last row goes on to the logits.
    last = [PROMPTS[0] - 1, sum(PROMPTS) - 1]
    act.move(VGroup(*(ring(norm[row], buff=3) for row in last)), pace=BRISK)
    _travel(act, stations, 4, 27, last)
    _travel(act, stations, 5, 27)


def _prompts(act: Act) -> tuple[VGroup, VGroup]:
    """Two prompts, each on a row of its own: names, and cells."""
    strips = VGroup(*(TokenStrip(n, "c" * n, role, 56, 8) for n, role in zip(PROMPTS, ROLES)))
    STAGE.place(strips.arrange(DOWN, buff=px(40), aligned_edge=LEFT))
    names = VGroup(*(Label(act.label("prompt", n=n), 32, role, "semibold")
                     .next_to(strip, LEFT, buff=px(32))
                     for n, role, strip in zip(PROMPTS, ROLES, strips)))
    return names, strips


def _stations(act: Act) -> Stations:
    """The checkpoints; a row's role is its prompt's."""
    rows = [role for n, role in zip(PROMPTS, ROLES) for _ in range(n)]
    return Stations([Station(act.label(name), sizes, rows if sizes[0] == len(rows) else ROLES,
                             WIDTHS.get(name, 150)) for name, sizes in act.story.checkpoints],
                    STAGE.center)


def _travel(act: Act, stations: Stations, k: int, pace: int, rows: list[int] | None = None) -> None:
    act.move(stations.travel(k, rows), pace=pace)
    act.move(stations.shapes[k], pace=QUICK)
