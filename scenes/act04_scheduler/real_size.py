"""Step times at real size: what is the GPU's part in them, and what the host's."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, LaggedStart, Rectangle, VGroup

from scenes.act04_scheduler.facts import rounded
from scenes.kit import NOTE, STAGE, Label, Legend, SplitBars, paint, px, span
from scenes.kit.base.motion import come, leave
from scenes.stage import EASY, SLOW, VERY_SLOW, Act, beat
from traces.times import SingleStep

__all__ = ["at_real_size"]


@beat(("engine/model_runner.py:197", "engine/llm_engine.py:49"), source="real_source",
      carries="lanes")
def at_real_size(act: Act) -> None:
    few, many, eager, graph = act.story.single_steps
    split = _split_bars(act, few, many, eager, graph)
    legend = Legend(zip(split.samples(), map(act.label, ("gpu_busy", "host_part"))))
    legend.move_to(STAGE.at(0, 26, DOWN))
    act.move(map(leave, act.kept.lanes), come(split.names[:2]), pace=SLOW)
    # Two prefills, one of few tokens, one of many: nearly the same length. Then two decodes.
    for k, cue in enumerate(("row-0", "row-1", "eager", "graph")):
        act.cue(cue)
        act.move(split.grow(k), split.names[k] if k > 1 else None, pace=45 if k else 90)
    # What the GPU does of it, and what it waits for.
    act.cue("busy")
    act.move(map(split.work, range(4)), legend[0], pace=VERY_SLOW)
    act.cue("host")
    act.move(legend[1], pace=EASY)
    act.cue("starts")
    starts = VGroup(*(_starts(act, split, k, step) for k, step in enumerate((few, many, eager))))
    act.move(LaggedStart(*map(FadeIn, starts), lag_ratio=0.8), pace=90)
    act.cue("fuller")
    room = span(split.parts[1].get_right(), split.bars[1].get_right()).shift(DOWN * px(62))
    act.move(room, pace=EASY)
    # A replay in the time of a prefill, again and again.
    act.cue("ratio")
    tiles = _tiles(act, split, round(few.ms / graph.ms))
    act.move(leave(room), LaggedStart(*map(FadeIn, tiles[:-1]), lag_ratio=0.3), pace=75)
    act.cue("decodes")
    act.move(tiles[-1], pace=EASY)
    act.keep(split=[split, legend, starts, tiles])


def _starts(act: Act, split: SplitBars, k: int, step: SingleStep) -> Label:
    """How many kernels the host starts, in the part of a bar in which it does."""
    middle = (split.parts[k].get_right() + split.bars[k].get_right()) / 2
    return Label(act.label("kernels", n=step.launches), NOTE, "ink").move_to(middle).set_z_index(2)


def _split_bars(act: Act, few, many, eager, graph) -> SplitBars:
    rows = {act.label("size_row", n=f"{few.tokens:,}"): few,
            act.label("size_row", n=f"{many.tokens:,}"): many,
            act.label("eager_row", n=eager.tokens): eager,
            act.label("graph_row", n=graph.tokens): graph}
    split = SplitBars([*rows], [step.ms for step in rows.values()],
                      [step.gpu_ms for step in rows.values()],
                      [act.label("in_ms", ms=rounded(step.ms)) for step in rows.values()],
                      length=1150, room=420, pitch=160, thickness=88)
    return STAGE.place(split, UP + LEFT, y=-10)


def _tiles(act: Act, split: SplitBars, count: int) -> VGroup:
    """Under the first bar, as many replays as fit into its time, and their number."""
    bar, decode = split.bars[0], split.bars[3]
    tiles = VGroup(*(Rectangle(width=decode.width - px(4), height=px(26), stroke_width=0,
                               fill_color=paint("muted"), fill_opacity=1) for _ in range(count)))
    tiles.arrange(RIGHT, buff=px(4)).next_to(bar, DOWN, buff=px(14)).align_to(bar, LEFT)
    return VGroup(*tiles, Label(act.label("replays", n=count), NOTE, "ink").next_to(
        tiles, RIGHT, buff=px(24)))
