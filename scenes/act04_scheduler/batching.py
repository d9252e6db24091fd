"""Static batching waits for the longest; continuous batching joins and leaves at every step."""

from collections.abc import Iterator

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, LaggedStart, ReplacementTransform, VGroup, VMobject

from scenes.act04_scheduler.story import ROLES
from scenes.kit import BODY, STAGE, Cell, Key, Label, Lane, Timeline, fit, pause, px, span
from scenes.kit.base.motion import arrive
from scenes.stage import SLOW, VERY_SLOW, Act, beat
from scenes.views import slot_timeline
from traces.seats import IDLE, Seating

__all__ = ["continuous_batching", "static_batching"]


@beat(source="contrast", variant="batching", carries="engine", least={2: 70})
def static_batching(act: Act) -> None:
    static = act.story.static
    lane = _lane(act, static, "static", 40, tall=True)
    key = Key([(Cell("work", "muted", "A"), act.label("key_work")),
               (Cell("wait"), act.label("key_wait")),
               (Cell("idle"), act.label("key_idle"))]).move_to(STAGE.at(0, 14, DOWN))
    # Into the scheduler: seats as rows, steps as columns.
    act.move(act.kept.engine.enter("schedule"), *map(arrive, (
        lane.caption, lane.timeline.tags, lane.timeline.places, key)), pace=VERY_SLOW)
    act.cue("batch")
    act.move(lane.timeline.reveal(0, 2), pace=66)
    # Until a seat stands empty for the first time; then to the end.
    empty = next((k for k, column in enumerate(zip(*static.seats)) if k > 1 and IDLE in column),
                 3) + 1
    act.cue("empty")
    act.move(lane.timeline.reveal(2, empty), pace=48)
    act.cue("rest")
    act.move(lane.timeline.reveal(empty), pace=80)
    _sum_up(act, lane)
    act.keep(lane=lane, key=key)


@beat("engine/scheduler.py:25", source="contrast", variant="joining", carries="lane key",
      least={1: 90})
def continuous_batching(act: Act) -> None:
    story = act.story
    # The same requests below the static batch, column under column.
    lane = _lane(act, story.continuous, "continuous", 368)
    timeline = lane.timeline
    act.cue("up")
    small = _lane(act, story.static, "static", 26)
    act.move(ReplacementTransform(act.kept.lane, small), pace=SLOW)
    act.move(lane.caption, timeline.tags, timeline.places)
    act.cue("play")
    act.move(timeline.reveal(), pace=200)
    # How much sooner it ends; and where somebody pauses.
    act.cue("total")
    act.move(lane.figures[0])
    if story.saved > 0:
        ends = [column.get_right() for column in timeline.columns]
        start = ends[-1] + RIGHT * px(8)
        sooner = span(start, start + (ends[-1] - ends[-2]) * story.saved)
        note = Label(act.label("sooner", n=story.saved), BODY, "focus")
        act.move(sooner, note.next_to(sooner, DOWN, px(20)), pace=SLOW)
    act.cue("idle")
    act.move(lane.figures[1])
    if "pause" in act.beat.cues:
        act.cue("pause")
        act.move(LaggedStart(*map(FadeIn, _pauses(timeline, story.continuous)), lag_ratio=0.5),
                 pace=SLOW)
    act.keep(lane=lane)


def _lane(act: Act, seating: Seating, key: str, drop: float, tall: bool = False) -> Lane:
    """One way to batch as a timeline of seats, `drop` px below the top of the stage."""
    rows = len(seating.seats) + 1
    height = fit(rows, 460, 104, 4) if tall else fit(rows, 204, 54, 4)
    timeline = slot_timeline(seating, ROLES, act.label, fit(act.story.static.steps, 1580, 60, 4),
                             height)
    lane = Lane(act.label(key), timeline, [(act.label("total", n=seating.steps), "ink"),
                                           (act.label("idle", n=seating.idle), "stop")],
                drop=94 + height / 2, column=560)
    return lane.shift(STAGE.at(0, -drop, UP + LEFT))


def _pauses(timeline: Timeline, seating: Seating) -> Iterator[VMobject]:
    """Two bars on those that pause, in every step in which somebody does."""
    for column, seats in zip(timeline.columns, zip(*seating.seats)):
        drawn = zip((seat for seat in seats if seat), column)  # then come tick and newcomers
        paused = [cell for seat, cell in drawn if seat.kind == "stall"]
        if paused:
            yield VGroup(*(pause().move_to(cell) for cell in paused))


def _sum_up(act: Act, lane: Lane) -> None:
    for cue, figure in zip(("total", "idle"), lane.figures):
        act.cue(cue)
        act.move(FadeIn(figure, shift=UP * px(10)))
