"""Static batching waits for the longest; continuous batching joins and leaves at every step."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn

from scenes.act04_scheduler.story import ROLES
from scenes.kit import BODY, STAGE, Cell, Key, Label, Lane, fit, px, span
from scenes.stage import EASY, QUICK, SLOW, VERY_SLOW, Act, beat
from scenes.views import slot_timeline
from traces.seats import IDLE, Seating

__all__ = ["continuous_batching", "static_batching"]


@beat(source="contrast")
def static_batching(act: Act) -> None:
    static = act.story.static
    lane = _lane(act, static, "static", 190)
    key = Key([(Cell("work", "q", "A"), act.label("key_work")),
               (Cell("stall", "q"), act.label("key_stall")),
               (Cell("wait", "q"), act.label("key_wait")),
               (Cell("idle"), act.label("key_idle"))]).move_to(STAGE.at(0, 14, DOWN))
    act.move(lane.caption, lane.timeline.tags, key, pace=QUICK)
    # The batch goes on until a slot stands empty for the first time; then to its end.
    empty = next((k for k, column in enumerate(zip(*static.seats)) if IDLE in column), 1) + 1
    act.move(lane.timeline.reveal(0, empty), pace=VERY_SLOW)
    act.next_line()
    act.move(lane.timeline.reveal(empty), pace=75)
    act.next_line()
    _sum_up(act, lane)
    act.keep(lane=lane, key=key)


@beat("engine/scheduler.py:25", carries="lane key", least={1: 54})
def continuous_batching(act: Act) -> None:
    # The same requests below the static batch, column under column.
    lane = _lane(act, act.story.continuous, "continuous", 382)
    act.move([part.animate.shift(UP * px(150)) for part in act.kept.lane], pace=SLOW)
    act.move(lane.caption, lane.timeline.tags, pace=QUICK)
    act.move(lane.timeline.reveal(), pace=54)
    act.next_line()
    _sum_up(act, lane)
    # How much sooner it ends.
    saved = act.story.static.steps - act.story.continuous.steps
    if saved > 0:
        ends = [column.get_right() for column in lane.timeline.columns]
        start = ends[-1] + RIGHT * px(8)
        sooner = span(start, start + (ends[-1] - ends[-2]) * saved)
        note = Label(act.label("sooner", n=saved), BODY, "focus").next_to(sooner, DOWN, px(20))
        act.move(sooner, note, pace=EASY)


def _lane(act: Act, seating: Seating, key: str, drop: float) -> Lane:
    """One way to batch as a timeline of slots, `drop` px below the top of the stage."""
    timeline = slot_timeline(seating, ROLES, act.label, fit(act.story.static.steps, 1580, 60, 4),
                             fit(len(seating.seats), 166, 54))
    lane = Lane(act.label(key), timeline, [(act.label("total", n=seating.steps), "ink"),
                                           (act.label("idle", n=seating.idle), "stop")], column=560)
    return lane.shift(STAGE.at(0, -drop, UP + LEFT))


def _sum_up(act: Act, lane: Lane) -> None:
    for figure in lane.figures:
        act.move(FadeIn(figure, shift=UP * px(10)))
