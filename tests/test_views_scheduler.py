"""The scheduler's picture is the twin of the trace: after every move it shows the state."""

import pytest
from manim import tempconfig
from manim.mobject.mobject import _AnimationBuilder

from scenes.kit import request_roles
from scenes.views import SchedulerView, token_looks
from traces import EngineConfig, Workload, load, play, toy_request

RUNS = [((11, 5, 7, 6, 4), (4, 12, 3, 7, 6), (0, 0, 0, 7, 9), 6, 3),
        ((1, 1), (1, 2), (0, 3), 4, 1), ((12, 12, 3), (2, 5, 1), (0, 0, 1), 5, 2)]
TRACES = [*map(load, ("sched-b6", "sched-b8", "sched-b12")), *(
    play(Workload(tuple(toy_request(k, *values) for k, values in enumerate(zip(*lists)))),
         EngineConfig(4, 32, budget, cap)) for *lists, budget, cap in RUNS)]


def settle(moves):
    """Jump to the end of movements, as a scene would."""
    for move in moves:
        animation = move.build() if isinstance(move, _AnimationBuilder) else move
        animation.begin()
        animation.finish()


def queues(view):
    """Panel -> names of the rows that stand in it, from above, read from where they are."""
    found = {}
    for key, panel in view.board.panels.items():
        inside = [(row.tag.get_y(), name) for name, row in view.board.rows.items()
                  if name in view.board.shown
                  and panel.get_bottom()[1] < row.tag.get_y() < panel.get_top()[1]]
        found[key] = [name for _, name in sorted(inside, reverse=True)]
    return found


def painted(strip):
    """The looks of a strip, read back from the paint of its cells."""
    looks = ""
    for box, stripe in strip:
        if box.get_fill_opacity() < 0.5:
            looks += "."
        elif stripe.get_fill_opacity() > 0.5:
            looks += "d" if len(stripe.points) > 16 else "s"
        else:
            looks += "c" if box.get_fill_color() == box.get_stroke_color() else "k"
    return looks


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.id)
def test_after_every_move_the_picture_is_the_state(trace):
    roles = request_roles(request.name for request in trace.workload.requests)
    with tempconfig({"dry_run": True}):
        view = SchedulerView(trace, trace.steps[0], roles, str)
        settle(view.enter())
        for step in trace.steps:
            for state in (step.before, step.planned, step.after):
                settle(view.to(state))
                agrees(view, state, step)


def agrees(view, state, step):
    """Rows, their order, their cells, the gauge, the step and its phase."""
    shown, decode = queues(view), state is step.planned and step.phase == "decode"
    assert tuple(shown["waiting"]) == tuple(state.waiting)
    staying = [name for name in shown["running"] if name not in state.finished]
    assert staying == list(state.running)
    for name in (*state.waiting, *state.running):
        strip = view.board.rows[name].strip
        assert painted(strip) == token_looks(state[name], len(strip), decode), name
    if state is step.planned:
        assert view.stepper.count.value == str(step.index + 1)
        assert view.stepper.phase == step.phase
        used = [part for part in view.gauge.parts if part]
        assert len(used) == step.used and len(view.gauge.parts) == step.budget
        filled = sum(cell.get_fill_color() == cell.get_stroke_color() for cell in view.gauge.cells)
        assert filled == step.used
