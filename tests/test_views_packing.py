"""Act 04's picture is the twin of a run: every arrangement shows it, and lines show the state."""

import numpy as np
import pytest
from manim import tempconfig
from manim.animation.animation import prepare_animation

from scenes.kit import Packing, Shelf, request_roles
from scenes.views import RequestLine, token_looks
from traces import EngineConfig, Workload, load, play, toy_request
from traces.columns import columns_of, idle_seats
from traces.contrast import mixed_phase, static_batching
from traces.seats import continuous_seating

RUNS = [((11, 5, 7, 6, 4), (4, 12, 3, 7, 6), (0, 0, 0, 7, 9), 6, 3),
        ((1, 1), (1, 2), (0, 3), 4, 1), ((12, 12, 3), (2, 5, 1), (0, 0, 1), 5, 2)]
TRACES = [*map(load, ("sched-b6", "sched-b8", "sched-b12")), *(
    play(Workload(tuple(toy_request(k, *values) for k, values in enumerate(zip(*lists)))),
         EngineConfig(4, 32, budget, cap)) for *lists, budget, cap in RUNS)]
SHELF = Shelf(-6, -2, 60, 50, 40)


def settle(moves):
    """Jump to the end of movements, as a scene would."""
    for move in moves:
        animation = prepare_animation(move)
        animation.begin()
        animation.finish()


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
def test_every_arrangement_has_each_token_once_in_its_place_under_the_budget(trace):
    prompts = {request.name: len(request.prompt) for request in trace.workload.requests}
    columns = columns_of(trace.steps)
    others = (static_batching(trace.workload, trace.config),
              mixed_phase(trace.workload, trace.config), trace.steps)
    with tempconfig({"dry_run": True}):
        packing = Packing(SHELF, [token for column in columns for token in column], prompts,
                          request_roles(prompts))
        for steps in others:
            goal = columns_of(steps)
            settle([packing.to(goal)])
            seen = {tuple(np.round(packing.cells[token][0].get_center(), 6)): token
                    for column in goal for token in column}
            assert len(seen) == sum(map(len, goal)) == len(packing.cells)
            for k, column in enumerate(goal):
                assert 0 < len(column) <= trace.config.max_num_batched_tokens
                for row, token in enumerate(column):
                    assert seen[tuple(np.round(SHELF.at(k, row), 6))] == token
                    assert packing.cells[token].round == (token[1] >= prompts[token[0]])


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.id)
def test_columns_and_marks_count_what_the_trace_counts(trace):
    assert [len(column) for column in columns_of(trace.steps)] == [s.used for s in trace.steps]
    seating = continuous_seating(trace.steps, trace.config.max_num_seqs)
    assert len(idle_seats(seating)) == seating.steps and sum(idle_seats(seating)) == seating.idle


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.id)
def test_after_every_move_a_line_shows_the_state(trace):
    roles = request_roles(request.name for request in trace.workload.requests)
    first = trace.steps[-1].after
    with tempconfig({"dry_run": True}):
        lines = {r.name: RequestLine(r, roles[r.name], r.num_tokens, r.status)
                 for r in first.requests}
        for step in trace.steps:
            for state in (step.before, step.planned, step.after):
                decode = state is step.planned and step.phase == "decode"
                for request in state.requests:
                    line = lines[request.name]
                    settle([*line.to(request, decode), *line.say(request.status)])
                    cells = len(line.strip)
                    assert painted(line.strip) == token_looks(request, cells, decode)
                    assert line.word.text == request.status


def lettered(packing, column):
    """Rows of a column whose token bears a letter."""
    return [row for row, token in enumerate(packing.columns[column])
            if packing.cells[token][1].get_fill_opacity() > 0]


def test_like_tokens_in_line_bear_one_letter_and_columns_step_back():
    tokens = [*(("A", k) for k in range(3)), *(("B", k) for k in range(4))]
    with tempconfig({"dry_run": True}):
        packing = Packing(SHELF, tokens, {"A": 3, "B": 2}, {"A": "ra", "B": "rb"})
        settle([packing.to([tokens])])
        assert lettered(packing, 0) == [1, 4, 5, 6]  # two runs of a prompt, two decodes
        settle([packing.to([[token] for token in tokens])])
        assert [k for k in range(7) if lettered(packing, k)] == [1, 4, 5, 6]
        settle(packing.recede([0, 1]))
        settle(packing.recede([0, 1, 2]))  # once only
        faint = [packing.cells[token][0].get_fill_opacity() for token in tokens]
        assert np.allclose(faint, [0.45] * 3 + [1] * 4)


def test_what_finds_no_room_lies_on_the_line_side_by_side():
    tokens = [("A", k) for k in range(5)]
    with tempconfig({"dry_run": True}):
        packing = Packing(SHELF, tokens, {"A": 5}, {"A": "ra"})
        packing.furnish(3, 3, "budget 3")
        line = RequestLine(TRACES[0].steps[0].before["A"], "ra", 12, "waiting")
        settle([packing.drop(0, tokens, line.tokens(0, 5))])
        places = [packing.cells[token][0].get_center() for token in tokens]
        assert all(place[1] > SHELF.at(0, 2)[1] for place in places[3:])
        assert np.isclose(places[3][1], places[4][1]) and places[4][0] > places[3][0]
        assert lettered(packing, 0) == [1, 4]


def test_what_does_not_fit_goes_back():
    tokens = [("A", k) for k in range(5)]
    with tempconfig({"dry_run": True}):
        packing = Packing(SHELF, tokens, {"A": 5}, {"A": "ra"})
        line = RequestLine(TRACES[0].steps[0].before["A"], "ra", 12, "waiting")
        cells = line.tokens(0, 5)
        settle([packing.drop(0, tokens, cells)])
        assert [*map(tuple, packing.columns)] == [tuple(tokens)]
        settle([packing.undo(0, tokens[3:], cells[3:])])
        assert packing.columns == [tokens[:3]]
        for token, cell in zip(tokens[3:], cells[3:]):
            assert np.allclose(packing.cells[token][0].get_center(), cell[0].get_center())
