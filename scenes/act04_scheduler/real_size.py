"""Step times at real size: what is the GPU's part in them, and what the host's."""

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, LaggedStart, Line, Rectangle, VGroup
from manim import VMobject

from scenes.act04_scheduler.facts import rounded
from scenes.kit import STAGE, Label, Shelf, SplitBars, Style, number, paint, px, ring
from scenes.kit.base.motion import arrive, leave, replace, vanish
from scenes.stage import EASY, SLOW, VERY_SLOW, Act, beat
from traces.times import SingleStep

__all__ = ["at_real_size"]

NAME, MS, TEXT = Style(40, "semibold"), Style(54, "bold", mono=True), Style(36, "semibold")


@beat(("engine/model_runner.py:197", "engine/llm_engine.py:49"), source="real_source",
      carries="packing left")
def at_real_size(act: Act) -> None:
    few, many, eager, graph = act.story.single_steps
    split = _split_bars(act, few, many, eager, graph)
    # Two prefills, one of few tokens, one of many: nearly the same length.
    tracks = _lie_down(act, split)
    packing = act.kept.packing
    cells = VGroup(*(packing.cells[token] for column in packing.columns for token in column))
    model = Label(act.story.model, 40, "muted")
    model.next_to(tracks[0], UP, buff=px(22)).align_to(tracks, LEFT)
    act.cue("row-0")
    act.move(leave(cells), FadeIn(model), split.grow(0), pace=72)
    act.cue("row-1")
    act.move(split.grow(1), pace=60)
    # All the time Python starts kernels; meanwhile the GPU is busy now and then.
    waits = [_inside(act, split, k) for k in range(2)]
    act.cue("host")
    act.move(*map(FadeIn, waits), pace=SLOW)
    act.cue("kernels")
    old, waits[0] = waits[0], _inside(act, split, 0, act.label("kernels", n=few.launches))
    act.move(replace(old, waits[0]), pace=EASY)
    act.cue("busy")
    gpu = _gpu(act, split, (few, many))
    act.move(*split.work(0), *split.work(1), *map(arrive, gpu), pace=66)
    act.cue("little")
    act.move(frame := ring(VGroup(split.figures[:2], *gpu), buff=12, corner=12), pace=EASY)
    act.cue("grew")
    act.move(vanish(frame), grown := ring(VGroup(split.parts[1]), buff=8, corner=12), pace=EASY)
    waits.append(_decodes(act, split, grown))
    act.cue("ratio")
    tiles = _tiles(split, round(few.ms / graph.ms))
    act.move(LaggedStart(*(tile.animate.move_to(tile.goal) for tile in tiles), lag_ratio=0.2),
             pace=48)
    end = split.bars[0].get_corner(DOWN + RIGHT)
    line = Line(end, (end[0], split.bars[3].get_bottom()[1], 0), stroke_width=4,
                color=paint("focus")).set_z_index(3)
    times = number(act.label("times", n=len(tiles)), 40, "ink", "bold")
    times.next_to(split.lanes[3], RIGHT, buff=px(30))
    act.move(Create(line), times, pace=EASY)
    act.keep(split=[split, tracks, tiles, times, model, line, *gpu, *waits])


def _gpu(act: Act, split: SplitBars, steps: Sequence[SingleStep], first: int = 0) -> list[Label]:
    """For how long the GPU is busy, in all: at the ends of the lanes."""
    return [Label(act.label("gpu", ms=act.label("in_ms", ms=rounded(step.gpu_ms))), TEXT)
            .move_to(split.lanes[k]).align_to(split.figures[k], LEFT)
            for k, step in enumerate(steps, first)]


def _decodes(act: Act, split: SplitBars, frame: VMobject) -> VGroup:
    """Two decodes: one run eagerly, waiting like a prefill, and one replayed as a graph."""
    *_, eager, graph = act.story.single_steps
    words = _inside(act, split, 2)
    one, other = _gpu(act, split, (eager, graph), 2)
    act.cue("eager")
    act.move(vanish(frame), split.grow(2), pace=24)
    act.move(*split.work(2), FadeIn(words), arrive(one), pace=24)
    act.cue("graph")
    act.move(split.grow(3), pace=24)
    act.move(*split.work(3), arrive(other), pace=24)
    return VGroup(words, one, other)


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


def _inside(act: Act, split: SplitBars, k: int, text: str = "") -> Label:
    """What the host does all the time, in a bar, left of where a line falls later."""
    label = Label(text or act.label("python"), TEXT, "ink").move_to(split.bars[k]).set_z_index(2)
    end = min(split.bars[k].get_right()[0], split.bars[0].get_right()[0])
    return label.set_x((split.bars[k].get_left()[0] + end) / 2)


def _split_bars(act: Act, few, many, eager, graph) -> SplitBars:
    rows = {act.label("size_row", n=f"{few.tokens:,}"): few,
            act.label("size_row", n=f"{many.tokens:,}"): many,
            act.label("eager_row", n=eager.tokens): eager,
            act.label("graph_row", n=graph.tokens): graph}
    split = SplitBars([*rows], [step.ms for step in rows.values()],
                      [step.bursts for step in rows.values()],
                      [act.label("in_ms", ms=rounded(step.ms)) for step in rows.values()],
                      length=1080, room=390, pitch=172, thickness=54, name=NAME, figure=MS)
    end = max(bar.get_right()[0] for bar in split.bars) + px(28)
    for label in split.figures:
        label.shift(RIGHT * (end - label.get_left()[0]))
    return STAGE.place(split, DOWN + LEFT, y=34)


def _tracks(split: SplitBars) -> VGroup:
    """Where the bars will be: faint outlines, all as long as the longest."""
    widest = max(split.bars, key=lambda bar: bar.width)
    return VGroup(*(widest.copy().set_fill(opacity=0).set_stroke(paint("line"), 2).move_to(
        bar, LEFT) for bar in split.bars))


def _tiles(split: SplitBars, count: int) -> VGroup:
    """Copies of the replayed decode's bar, each with its goal: end to end in its own row."""
    bar = split.bars[3]
    tiles = VGroup(*(Rectangle(width=bar.width - px(6), height=bar.height, stroke_width=0,
                               fill_color=paint("ink"), fill_opacity=1) for _ in range(count)))
    goals = tiles.copy().arrange(RIGHT, buff=px(6)).align_to(bar, LEFT).match_y(bar)
    for tile, goal in zip(tiles, goals):
        tile.move_to(bar)
        tile.goal = goal.get_center()
    return tiles
