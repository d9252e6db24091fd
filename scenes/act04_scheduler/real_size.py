"""Step times at real size: what is the GPU's part in them, and what the host's."""

from manim import DOWN, LEFT, RIGHT, FadeIn, FadeOut, LaggedStart, Rectangle, VGroup

from scenes.act04_scheduler.facts import rounded
from scenes.kit import LEAD, STAGE, Label, Shelf, SplitBars, Style, number, paint, px, ring
from scenes.kit.base.motion import arrive, leave, replace
from scenes.stage import BRISK, EASY, SLOW, VERY_SLOW, Act, beat

__all__ = ["at_real_size"]

NAME, MS = Style(40, "semibold"), Style(60, "bold", mono=True)


@beat(("engine/model_runner.py:197", "engine/llm_engine.py:49"), source="real_source",
      carries="packing left")
def at_real_size(act: Act) -> None:
    few, many, eager, graph = act.story.single_steps
    split = _split_bars(act, few, many, eager, graph)
    # Two prefills, one of few tokens, one of many: nearly the same length.
    tracks = _lie_down(act, split)
    packing = act.kept.packing
    cells = VGroup(*(packing.cells[token] for column in packing.columns for token in column))
    model = Label(act.story.model, LEAD, "muted").move_to(tracks[3])
    model.align_to(tracks[3].get_right() + LEFT * px(36), RIGHT)
    act.cue("row-0")
    act.move(leave(cells), FadeIn(model), split.grow(0), pace=60)
    act.cue("row-1")
    act.move(split.grow(1), pace=45)
    # What the GPU does of it, and what it waits for.
    act.cue("busy")
    act.move(split.work(0), split.work(1), pace=SLOW)
    words = [_inside(act.label("gpu"), split.parts[1], "ground"),
             *(_beside(act.label("python"), split, k)
               for k in range(2))]
    act.move(words[0], pace=EASY)
    act.cue("host")
    act.move(*words[1:], pace=SLOW)
    act.cue("kernels")
    old, words[1] = words[1], _beside(act.label("kernels", n=few.launches), split, 0)
    act.move(replace(old, words[1]), pace=EASY)
    act.cue("little")
    act.move(frame := ring(split.figures[:2], buff=16, corner=12), pace=EASY)
    act.move(FadeOut(frame), pace=SLOW)
    words.append(_decodes(act, split))
    act.cue("ratio")
    tiles = _tiles(split, round(few.ms / graph.ms))
    act.move(LaggedStart(*(tile.animate.move_to(tile.goal) for tile in tiles), lag_ratio=0.2),
             pace=54)
    times = number(act.label("times", n=len(tiles)), 44, "ink", "bold")
    act.move(times.next_to(tiles, RIGHT, buff=px(24)), pace=EASY)
    act.keep(split=[split, tracks, tiles, times, model, *words])


def _decodes(act: Act, split: SplitBars) -> Label:
    """Two decodes: one run eagerly, waiting like a prefill, and one replayed as a graph."""
    waits = _beside(act.label("python"), split, 2)
    for k, cue in ((2, "eager"), (3, "graph")):
        act.cue(cue)
        act.move(split.grow(k), pace=24)
        act.move(split.work(k), pace=15)
        if k == 2:
            act.move(waits, pace=BRISK)
    return waits


def _lie_down(act: Act, split: SplitBars) -> VGroup:
    """The first column lies down where the first bar will be; tracks for all of them."""
    packing, bar, tracks = act.kept.packing, split.bars[0], _tracks(split)
    step = packing.columns[0]
    pitch = bar.width / px(1) / len(step)
    lying = Shelf(bar.get_left()[0], bar.get_bottom()[1] - px(2), pitch, pitch - 4,
                  bar.height / px(1) - 4)
    act.move(packing.unfurnish(), packing.to([[token] for token in step], lying, 0.02),
             *map(leave, act.kept.left), arrive(split.names), arrive(tracks), pace=VERY_SLOW)
    return tracks


def _inside(text: str, bar: Rectangle, role: str) -> Label:
    return Label(text, LEAD, role).move_to(bar).set_z_index(2)


def _beside(text: str, split: SplitBars, k: int) -> Label:
    """In the part of a bar in which the host is busy."""
    middle = (split.parts[k].get_right() + split.bars[k].get_right()) / 2
    return Label(text, LEAD, "ink").move_to(middle).set_z_index(2)


def _split_bars(act: Act, few, many, eager, graph) -> SplitBars:
    rows = {act.label("size_row", n=f"{few.tokens:,}"): few,
            act.label("size_row", n=f"{many.tokens:,}"): many,
            act.label("eager_row", n=eager.tokens): eager,
            act.label("graph_row", n=graph.tokens): graph}
    split = SplitBars([*rows], [step.ms for step in rows.values()],
                      [step.gpu_ms for step in rows.values()],
                      [act.label("in_ms", ms=rounded(step.ms)) for step in rows.values()],
                      length=1080, room=390, pitch=182, thickness=118, name=NAME, figure=MS)
    end = max(bar.get_right()[0] for bar in split.bars) + px(28)
    for label in split.figures:
        label.shift(RIGHT * (end - label.get_left()[0]))
    return STAGE.place(split, LEFT)


def _tracks(split: SplitBars) -> VGroup:
    """Where the bars will be: faint outlines, all as long as the longest."""
    widest = max(split.bars, key=lambda bar: bar.width)
    return VGroup(*(widest.copy().set_fill(opacity=0).set_stroke(paint("line"), 2).move_to(
        bar, LEFT) for bar in split.bars))


def _tiles(split: SplitBars, count: int) -> VGroup:
    """Copies of the replayed decode's bar, each with its goal: end to end under the first bar."""
    bar, decode = split.bars[0], split.bars[3]
    tiles = VGroup(*(Rectangle(width=decode.width - px(6), height=px(30), stroke_width=0,
                               fill_color=paint("ink"), fill_opacity=1) for _ in range(count)))
    goals = tiles.copy().arrange(RIGHT, buff=px(6)).next_to(bar, DOWN, buff=px(10))
    goals.align_to(bar, LEFT)
    for tile, goal in zip(tiles, goals):
        tile.move_to(decode)
        tile.goal = goal.get_center()
    return tiles
