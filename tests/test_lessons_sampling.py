"""Temperature, cuts and the exponential race: the claims of act 03 hold by number."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.lessons.sampling import cut, greedy, race, races, temperature_softmax

logit_rows = st.lists(st.floats(-20, 20), min_size=1, max_size=40)


def rows_of_probabilities(values: list[float]) -> np.ndarray:
    return temperature_softmax(values).probabilities


class TestSampling:
    @given(logit_rows, st.floats(0.1, 5))
    def test_temperature_keeps_the_order_and_moves_the_top(self, logits, t):
        base, hot = temperature_softmax(logits), temperature_softmax(logits, t)
        assert np.isclose(hot.probabilities.sum(), 1)
        assert greedy(logits) == base.order[0] == hot.order[0]
        top = base.probabilities.max() - hot.probabilities.max()
        assert top <= 1e-9 if t < 1 else top >= -1e-9

    @given(logit_rows, st.data())
    def test_cuts(self, logits, data):
        p = rows_of_probabilities(logits)
        k = data.draw(st.integers(1, len(p)))
        share = data.draw(st.floats(0.01, 1))
        assert cut(p).count == len(p) and cut(p, top_k=k).count == k
        nucleus = cut(p, top_p=share)
        assert nucleus.mass >= share - 1e-9
        smaller = np.sort(p)[::-1][: nucleus.count - 1].sum()
        assert smaller < share
        both = cut(p, k, share)
        assert both.count <= min(k, nucleus.count) and np.isclose(both.probabilities.sum(), 1)
        assert both.probabilities[~both.kept].sum() == 0

    @given(logit_rows, st.integers(0, 9_999))
    def test_the_race_is_the_engines_argmax(self, logits, seed):
        run = race(rows_of_probabilities(logits), seed)
        assert run.winner == np.argmin(run.times) == np.argmax(run.scores)

    @settings(max_examples=20, deadline=None)
    @given(st.lists(st.floats(-3, 3), min_size=2, max_size=12), st.integers(0, 9_999))
    def test_ten_thousand_races_follow_p(self, logits, seed):
        p = rows_of_probabilities(logits)
        run = races(p, seed=seed)
        assert run.wins.sum() == run.count == 10_000
        assert run.opening[0].winner == run.winners[0] == race(p, seed).winner
        assert (np.abs(run.frequencies - p) < 6 * run.expected_error + 1e-3).all()
        assert run.deviation == np.abs(run.frequencies - p)[run.farthest]

    def test_the_race_is_not_argmax(self):
        p = rows_of_probabilities([2, 1.5, 1])
        assert set(races(p, 200).winners.tolist()) == {0, 1, 2}

    def test_a_cut_token_never_wins(self):
        p = cut(rows_of_probabilities([1, 1, 1, 1]), top_k=2).probabilities
        run = races(p, 500, 1)
        assert run.wins[2:].sum() == 0 and np.isinf(run.opening[0].times[2:]).all()

    @pytest.mark.parametrize(("call", "match"), [
        (lambda: temperature_softmax([1, 2], 0), "temperature must be above 1e-10"),
        (lambda: temperature_softmax([1, 2], float("nan")), "temperature"),
        (lambda: cut([0.5, 0.5], top_k=3), r"top_k must be an integer in 1\.\.2"),
        (lambda: cut([0.5, 0.5], top_p=0), "top_p must be above 0 and at most 1"),
        (lambda: races([0.5, 0.2]), "sum to 1"),
        (lambda: races([1.0], seed=10_000), r"seed must be an integer in 0\.\.9999"),
    ])
    def test_refuses(self, call, match):
        with pytest.raises(ValueError, match=match):
            call()
