"""What is written on screen adds up, is near the truth, and says so when it cannot."""

from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes.lessons.rounding import shown, shown_mix, shown_row, shown_sum, text, unit
from scenes.lessons.sampling import temperature_softmax

finite = st.floats(-1e4, 1e4)
digits = st.integers(0, 4)


def rows_of_probabilities(values: list[float]) -> np.ndarray:
    return temperature_softmax(values).probabilities


@given(st.lists(finite, min_size=1, max_size=30), digits)
def test_row_adds_up_and_is_near(values, n):
    row = shown_row(values, n)
    assert abs(sum(row) - sum(map(Decimal, values))) <= unit(n) / 2 + Decimal("1e-9")
    for value, written in zip(values, row):
        assert abs(Decimal(value) - written) < unit(n) + Decimal("1e-9")


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=40), digits)
def test_probabilities_add_up_to_one_in_order(logits, n):
    p = rows_of_probabilities(logits)
    row = shown_row(p, n)
    assert sum(row) == 1
    order = np.argsort(p, kind="stable")
    assert all(row[a] <= row[b] for a, b in pairwise(order) if p[b] - p[a] > 1e-11)


@given(st.lists(finite, min_size=1, max_size=12), digits)
def test_row_that_adds_up_is_rounded_plainly(values, n):
    plain = tuple(shown(v, n) for v in values)
    row = shown_row(values, n)
    halves = any(abs(shown(v, 12) / unit(n) % 1) == Decimal("0.5") for v in values)
    assert halves or row == plain or sum(plain) != sum(row)


@given(st.lists(finite, min_size=1, max_size=12), digits)
def test_sum_states_what_its_terms_add_up_to(values, n):
    line = shown_sum(values, n)
    assert sum(line.terms) == line.total
    assert abs(line.total - sum(Decimal(v) for v in values)) < unit(n)


@given(st.lists(st.floats(-5, 5), min_size=3, max_size=3), st.data())
def test_mix_is_an_equation_or_says_it_is_not(logits, data):
    p = rows_of_probabilities(logits)
    values = np.array(data.draw(st.lists(
        st.lists(st.integers(-5, 8), min_size=2, max_size=2), min_size=3, max_size=3)))
    mix = shown_mix(p, values)
    assert sum(mix.weights) == 1
    assert all(abs(w - Decimal(x)) < unit(2) for w, x in zip(mix.weights, p))
    for products, total, truth in zip(mix.products, mix.totals, p @ values):
        assert abs(total - Decimal(truth)) <= unit(2) + Decimal("1e-9")
        assert not mix.exact or sum(products) == total


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4))
def test_mix_without_a_kept_sum_rounds_plainly_when_that_adds_up(weights):
    mix = shown_mix(weights, np.eye(4, dtype=int), keep_sum=False)
    assert mix.exact and mix.weights == mix.totals == tuple(map(shown, weights))


def test_two_weights_over_values_two_apart_always_give_an_equation():
    for percent in np.linspace(0, 1, 1001):
        assert shown_mix([percent, 1 - percent], np.array([[2, 0], [0, 1]])).exact


def test_rounds_half_up_without_binary_noise():
    written = [str(shown(x)) for x in (0.125, 0.285, -0.001, 2)]
    assert written == ["0.13", "0.29", "0.00", "2.00"]


def test_zero_stays_zero():
    assert shown_row([1 / 3, 2 / 3, 0.0])[2] == 0


def test_text_writes_true_signs():
    assert text(Decimal("-1.20")) == "−1.20"
    assert text(shown(-np.inf)) == "−∞"
    assert text(np.int64(3)) == "3"


def test_refuses_what_cannot_be_written():
    with pytest.raises(ValueError, match="NaN"):
        shown(float("nan"))
    with pytest.raises(ValueError, match="integers"):
        shown_mix([0.5, 0.5], np.array([[0.5], [1]]))
