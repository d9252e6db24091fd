"""Races told and shares written: winners, arrivals that can be redone, what falls at rate p."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.lessons.contest import Contest, arrival, lumped, race_arrivals, race_figures, rain
from scenes.lessons.rounding import exact_digits, shown, text
from scenes.lessons.sampling import temperature_softmax
from scenes.lessons.shares import (
    chance,
    column,
    counted,
    furthest,
    odds_of_furthest,
    percent,
    rounded,
    standard_errors,
)

LANES, RACES = 7, 10_000
logits = st.lists(st.floats(-5, 20), min_size=LANES + 1, max_size=40).map(
    lambda row: sorted(row, reverse=True))
rows = logits.map(lambda row: temperature_softmax(row).probabilities)


@settings(max_examples=20, deadline=None)
@given(rows, st.integers(0, 9999))
def test_the_first_race_goes_to_the_favourite_and_the_second_does_not(p, seed):
    contest = Contest(lumped(p, LANES), seed, RACES)
    assert contest.field.sum() == pytest.approx(1) and len(contest.field) == LANES + 1
    wins = contest.races.wins
    assert (contest.outcome == "never") == (wins[0] == RACES)
    assert (contest.outcome == "others") == (wins[0] < RACES and not wins[1:LANES].any())
    for race, index in ((contest.favourite, contest.favourite_index),
                        (contest.second, contest.second_index)):
        assert race.winner == contest.races.winners[index] == np.argmin(race.times)
        assert race.exponentials[race.winner] <= contest.limit
        times = race_arrivals(contest.field, race)
        assert np.argmin(times) == race.winner
        for runner, time in zip(race_figures(contest.field, race), times):
            assert runner.arrival == arrival(time)
            redone = "<" in runner.distance or runner.speed in ("<0.0001", "0.0000") or (
                time == pytest.approx(float(runner.distance) / float(runner.speed)))
            assert redone or times == list(race.times)
    assert contest.favourite.winner == 0
    assert contest.outcome == "never" or contest.second.winner


@settings(max_examples=10, deadline=None)
@given(rows, st.integers(0, 9999), st.integers(101, 3_000))
def test_shares_are_counted_after_powers_of_ten_and_at_the_end(p, seed, count):
    contest = Contest(lumped(p, LANES), seed, count)
    counts, shares = zip(*contest.shares())
    assert counts == (10, 100, *([1_000] if count > 1_000 else []), count)
    for races, share in zip(counts, shares):
        assert np.allclose(share * races, np.round(share * races))
        assert share.sum() == pytest.approx(1)
    assert (shares[-1] == contest.races.frequencies).all()


@given(rows, st.integers(1, LANES))
def test_the_rest_runs_with_the_sum_of_its_rates(p, first):
    row = lumped(p, first)
    assert (row[:first] == p[:first]).all()
    assert row[-1] == pytest.approx(p[first:].sum(), abs=1e-12)


@given(rows)
def test_every_figure_of_a_column_is_rounded_by_itself(p):
    for figure, digit, truth in zip(column(p), rounded(p), p):
        assert digit == shown(truth, 4)
        assert figure == ("<0.0001" if digit == 0 and truth else text(digit))
    assert column([0.01225, 0.01225]) == ["0.0123", "0.0123"]


@settings(max_examples=20, deadline=None)
@given(rows, st.integers(0, 9999))
def test_each_lanes_first_drop_is_its_arrival_and_all_drops_share_out_as_p(p, seed):
    """In the long run a share p of all drops is each token's: what the proof shows."""
    contest = Contest(lumped(p, LANES), seed, RACES)
    until, race = 4_000, contest.favourite
    drops = rain(contest.field, race, seed, until)
    times, lanes = map(list, zip(*drops))
    assert times == sorted(times) and times[-1] <= until
    assert lanes[0] == race.winner
    for lane, (share, arrives) in enumerate(zip(contest.field, race.times)):
        first = next((time for time, at in drops if at == lane), None)
        assert first == (arrives if share and arrives <= until else None)
        spread = standard_errors([share], until)[0]
        assert abs(lanes.count(lane) / until - share) < 8 * spread + 2 / until + share / 8


def test_a_standard_error_is_the_spread_of_many_races():
    """Measured again on 4,000 shares of 2,500 draws each: about one in three is off by more."""
    shares = np.random.default_rng(1).binomial(2500, 0.3, 4000) / 2500
    error, = standard_errors([0.3], 2500)
    assert error == pytest.approx(shares.std(), rel=0.1)
    assert (abs(shares - 0.3) > error).mean() == pytest.approx(1 / 3, abs=0.03)


def test_the_furthest_is_counted_in_standard_errors_and_rare_ones_are_not_judged():
    assert furthest([0.52, 0.48], [0.5, 0.5], 2500) == (0, pytest.approx(2))
    assert furthest([0.9, 0.0999, 0.0001], [0.9, 0.1, 1e-9], 1000)[0] == 1
    assert furthest([1, 0], [1 - 1e-7, 1e-7], 1000) is None
    assert counted([0.52, 0.00004]) == ["0.5200", "0.0000"]


@pytest.mark.parametrize("write, value, written", [
    (chance, 0.0004, "<0.001"), (chance, 0, "0.000"), (chance, 0.25, "0.250"),
    (percent, 0.1353, "13.5"), (percent, 1e-5, "<0.01"),
    (arrival, 0.734, "0.73"), (arrival, 12.34, "12.3"), (arrival, 111.6, "112"),
    (arrival, 20_000, "> 9999"),
])
def test_small_and_large_numbers_are_told_as_such(write, value, written):
    assert write(value) == written


@pytest.mark.parametrize("values, digits", [
    ([14.375, 12.375], 3), ([2.0], 1), ([0.5, 0.25], 2), ([1 / 3], 4),
])
def test_as_many_digits_as_show_the_values_exactly(values, digits):
    assert exact_digits(values) == digits


@pytest.mark.parametrize("count, errors", [(1, 1.0), (8, 2.0), (16, 2.4)])
def test_how_often_chance_alone_gets_as_far_as_the_furthest(count, errors):
    """Measured again on 20,000 rows of normal errors, to four standard errors of that count."""
    rows, odds = 20_000, odds_of_furthest(errors, count)
    off = np.abs(np.random.default_rng(2).standard_normal((rows, count))).max(axis=1)
    assert (off >= errors).mean() == pytest.approx(odds, abs=4 * (odds * (1 - odds) / rows) ** 0.5)
