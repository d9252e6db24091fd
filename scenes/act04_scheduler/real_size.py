"""Step times at real size: what is the GPU's part in them, and what the host's."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, Rectangle, VGroup

from scenes.kit import NOTE, STAGE, Label, Legend, SplitBars, number, paint, px, ring, span
from scenes.kit.base.motion import come, leave
from scenes.stage import EASY, SLOW, VERY_SLOW, Act, beat

__all__ = ["at_real_size"]


@beat(("engine/model_runner.py:197", "engine/llm_engine.py:49"), source="real_source",
      carries="lanes")
def at_real_size(act: Act) -> None:
    few, many, eager, graph = act.story.single_steps
    split = _split_bars(act, few, many, eager, graph)
    legend = Legend(zip(split.samples(), map(act.label, ("gpu_busy", "host_part"))))
    legend.move_to(STAGE.at(0, 26, DOWN))
    act.move(map(leave, act.kept.lanes), come(split.names), pace=SLOW)
    # Two prefills, one of few tokens, one of many: nearly the same length.
    for k in range(2):
        act.cue(f"row-{k}")
        act.move(split.grow(k), pace=54)
    # What the GPU does of it, and what it waits for.
    act.cue("busy")
    act.move(split.work(0), split.work(1), legend[0], pace=VERY_SLOW)
    act.cue("host")
    host = Label(act.label("kernels", n=few.launches), NOTE, "ink").set_z_index(2)
    act.move(legend[1], pace=EASY)
    act.cue("starts")
    act.move(host.move_to(split.bars[0]), pace=VERY_SLOW)
    act.cue("fuller")
    alike = VGroup(*(ring(split.figures[k], buff=10) for k in range(2)))
    act.move(alike, pace=EASY)
    act.cue("until")
    room = span(split.parts[1].get_right(), split.bars[1].get_right())
    act.move(FadeOut(alike), room, pace=VERY_SLOW)
    # A decode: started kernel by kernel, and replayed as one graph.
    for k, cue in ((2, "eager"), (3, "graph")):
        act.cue(cue)
        act.move(split.grow(k), leave(room), pace=EASY)
        act.move(split.work(k), pace=EASY)
        room = VGroup()
    act.cue("ratio")
    tiles = _tiles(split, round(few.ms / graph.ms))
    act.move(LaggedStart(*(FadeIn(tile, shift=RIGHT * px(12)) for tile in tiles[:-1]),
                         lag_ratio=0.5), pace=60)
    act.move(tiles[-1], pace=EASY)
    act.keep(split=[split, legend, host, tiles])


def _split_bars(act: Act, few, many, eager, graph) -> SplitBars:
    rows = {act.label("size_row", n=f"{few.tokens:,}"): few,
            act.label("size_row", n=f"{many.tokens:,}"): many,
            act.label("eager_row"): eager, act.label("graph_row"): graph}
    split = SplitBars([*rows], [step.ms for step in rows.values()],
                      [step.gpu_ms for step in rows.values()],
                      [act.label("in_ms", ms=f"{step.ms:.1f}") for step in rows.values()],
                      length=1150, room=420, pitch=160, thickness=88)
    return STAGE.place(split, UP + LEFT, y=-10)


def _tiles(split: SplitBars, count: int) -> VGroup:
    """Under the first bar, as many decodes as fit into its time, and their number."""
    bar, decode = split.bars[0], split.bars[3]
    tiles = VGroup(*(Rectangle(width=decode.width - px(4), height=px(26), stroke_width=0,
                               fill_color=paint("muted"), fill_opacity=1) for _ in range(count)))
    tiles.arrange(RIGHT, buff=px(4)).next_to(bar, DOWN, buff=px(14)).align_to(bar, LEFT)
    return VGroup(*tiles, number(f"× {count}", 34).next_to(tiles, RIGHT, buff=px(24)))
