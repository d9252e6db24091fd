"""What is written on screen adds up, is near the truth, and says so when it cannot."""

from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes.lessons.rounding import shown, shown_mix, shown_sum, text, unit
from scenes.lessons.sampling import temperature_softmax

finite = st.floats(-1e4, 1e4)
digits = st.integers(0, 4)


def rows_of_probabilities(values: list[float]) -> np.ndarray:
    return temperature_softmax(values).probabilities


@given(st.lists(finite, min_size=1, max_size=30), digits)
def test_every_term_is_rounded_by_itself_and_a_sum_that_fails_to_add_up_says_so(values, n):
    line = shown_sum(values, n)
    assert line.terms == tuple(shown(value, n) for value in values)
    assert abs(line.total - sum(map(Decimal, values))) <= unit(n) / 2 + Decimal("1e-8")
    assert line.exact == (sum(line.terms) == line.total)


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=40), digits)
def test_equal_probabilities_are_written_alike_and_keep_their_order(logits, n):
    p = rows_of_probabilities([*logits, logits[0]])
    row = [shown(x, n) for x in p]
    assert row[0] == row[-1]
    assert all(row[a] <= row[b] for a, b in pairwise(np.argsort(p, kind="stable")))


def test_the_softmax_of_3_5_6_is_not_bent_to_add_up():
    mix = shown_mix(rows_of_probabilities([3, 5, 6]), np.eye(3, dtype=int))
    assert [*map(str, mix.weights)] == ["0.04", "0.26", "0.71"] and sum(mix.weights) != 1


@given(st.lists(st.floats(-5, 5), min_size=3, max_size=3), st.data())
def test_mix_is_an_equation_or_says_it_is_not(logits, data):
    p = rows_of_probabilities(logits)
    values = np.array(data.draw(st.lists(
        st.lists(st.integers(-5, 8), min_size=2, max_size=2), min_size=3, max_size=3)))
    mix = shown_mix(p, values)
    assert mix.weights == tuple(map(shown, p)) and mix.totals == tuple(map(shown, p @ values))
    assert mix.exact == all(sum(row) == total for row, total in zip(mix.products, mix.totals))


def test_rounds_half_up_without_binary_noise():
    written = [str(shown(x)) for x in (0.125, 0.285, -0.001, 2)]
    assert written == ["0.13", "0.29", "0.00", "2.00"]


def test_text_writes_true_signs():
    assert text(Decimal("-1.20")) == "−1.20"
    assert text(shown(-np.inf)) == "−∞"
    assert text(np.int64(3)) == "3"


def test_refuses_what_cannot_be_written():
    with pytest.raises(ValueError, match="NaN"):
        shown(float("nan"))
    with pytest.raises(ValueError, match="integers"):
        shown_mix([0.5, 0.5], np.array([[0.5], [1]]))
