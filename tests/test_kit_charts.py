"""Bars, races and chips: what is drawn is as long, as far and as legible as the numbers say."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from manim import RIGHT, UP
from manim.animation.animation import prepare_animation

from scenes.kit import Bars, Chips, Label, Race, number, px, visible

shares = st.lists(st.floats(0.01, 1), min_size=2, max_size=6)


def settle(animations):
    """Take animations to their end without drawing."""
    for animation in map(prepare_animation, animations):
        animation.begin()
        animation.finish()


@pytest.mark.parametrize("direction, axis", [(RIGHT, 0), (UP, 1)])
@settings(max_examples=20, deadline=None)
@given(start=shares, data=st.data())
def test_a_bar_is_as_long_as_its_value_before_and_after(direction, axis, start, data):
    end = data.draw(st.lists(st.floats(0.01, 1), min_size=len(start), max_size=len(start)))
    chart = Bars(["a"] * len(start), start, [str(v) for v in start], direction=direction,
                 length=500, full=1).shift([1, 2, 0])
    feet = [chart.at(k) for k in range(len(start))]
    settle(chart.to(end, [str(v) for v in end]))
    for k, value in enumerate(end):
        bar = chart.bars[k]
        assert bar.length_over_dim(axis) == pytest.approx(px(500 * value))
        assert bar.get_edge_center(-direction) == pytest.approx(feet[k], abs=1e-6)
        assert chart.figures[k].text == str(value)


@settings(max_examples=30, deadline=None)
@given(shares, st.data())
def test_at_the_winners_time_it_alone_is_home(speeds, data):
    sizes = {"min_size": len(speeds), "max_size": len(speeds), "unique": True}
    distances = data.draw(st.lists(st.floats(0.05, 2), **sizes))
    race = Race(["r"] * len(speeds), [0] * len(speeds), 2).shift([1, 1, 0])
    settle(race.reset(distances))
    times = [d / p for d, p in zip(distances, speeds)]
    first = times.index(min(times))
    settle(race.run(speeds, times[first]))
    goals = [race.at(k, d)[0] for k, d in enumerate(distances)]
    assert race.runners[first].get_x() == pytest.approx(goals[first])
    for runner, goal, time in zip(race.runners, goals, times):
        assert runner.get_x() <= goal + 1e-6
        assert (runner.get_x() < goal - 1e-6) or time <= times[first] * (1 + 1e-5)


@settings(deadline=None)
@given(st.text(max_size=40))
def test_every_token_can_be_written(token):
    shown = visible(token)
    Label(shown), number(shown)  # raise FontError for a letter that no pinned font has
    assert len(shown) <= 12 and " " not in shown and "\n" not in shown


def test_chips_break_into_lines_and_keep_their_order():
    chips = Chips([" Romeo"] * 12, width=600)
    assert chips.width <= px(600) and len({round(float(c.get_y()), 3) for c in chips}) > 1
    places = [(-float(c.get_y()), float(c.get_x())) for c in chips]
    assert places == sorted(places)
