"""The lessons: the claims of acts 01–03 hold by number, for every parameter in range."""

from decimal import ROUND_HALF_UP

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.lessons.attention import attend, causal_mask
from scenes.lessons.attention_by_hand import attention_lesson, matrices
from scenes.lessons.elements import merge_heads, number_elements
from scenes.lessons.kv_cache import cache_sizes, head_groups, kv_bytes
from scenes.lessons.layer import (
    QWEN3_06B,
    checkpoints,
    layer_path,
    rms_norm,
    row_growth,
    shown_swiglu,
    swiglu,
)
from scenes.lessons.rope import check_positions, dot_product, frequencies, rope_lesson, rotate
from scenes.lessons.rounding import shown, unit
from scenes.lessons.softmax_limits import GROWTH, PLACES, spread

token_ids = st.lists(st.integers(0, 5), min_size=3, max_size=3)
bools = st.booleans()


class TestAttention:
    @settings(max_examples=40, deadline=None)
    @given(token_ids, bools, bools, st.integers(0, 30))
    def test_lesson_holds_for_all_parameters(self, ids, causal, scale, seed):
        lesson = attention_lesson(ids, causal, scale, seed)
        x, y = lesson.look_up.x, lesson.projection.y
        assert x.shape == (3, 4) and y.shape == (3, 8)
        assert np.array_equal(x, np.eye(6)[list(ids)] @ lesson.look_up.table)
        cells = [[lesson.projection.cell(r, c) for c in range(8)] for r in range(3)]
        assert all(c.products.sum() == c.total == y[c.row, c.column] for r in cells for c in r)
        assert np.array_equal(lesson.projection.linear_weight.T, lesson.projection.w)
        for head, written in zip(lesson.heads, lesson.shown):
            assert np.allclose(head.weights.sum(1), 1) and head.output.shape == (3, 2)
            assert not causal or not np.triu(head.weights, 1).any()
            for weights, outputs, mix in zip(head.weights, head.output, written.mixes):
                assert mix.weights == tuple(map(shown, weights))
                assert mix.totals == tuple(map(shown, outputs))

    def test_the_default_screen_adds_up(self):
        for written in attention_lesson().shown:
            assert written.exact
            for mix, exps in zip(written.mixes, written.exps):
                assert sum(mix.weights) == 1 and sum(exps.terms) == exps.total
                ratios = [(e / exps.total).quantize(unit(2), ROUND_HALF_UP) for e in exps.terms]
                assert tuple(ratios) == mix.weights

    def test_random_scores_spread_with_the_root_of_the_width(self):
        narrow, wide = spread(2), spread(2 * GROWTH**2)
        for one in (narrow, wide):
            assert np.isclose(one.deviation, np.sqrt(one.width), rtol=0.03)
            three = np.array([float(x.replace("−", "-")) for x in one.three])
            assert np.allclose(three, one.deviation * np.array(PLACES), atol=0.1)
            for factor, weights in ((1, one.weights), (one.width**0.5, one.soft)):
                powers = np.exp(three / factor)
                assert weights == tuple(str(shown(x)) for x in powers / powers.sum())
        assert abs(wide.deviation / narrow.deviation - GROWTH) < 0.1
        assert wide.largest > 0.9 > 0.75 > wide.softest
        assert np.allclose(*([float(x) for x in one.soft] for one in (narrow, wide)), atol=0.02)

    @settings(max_examples=25, deadline=None)
    @given(st.integers(1, 9_999))
    def test_drawn_matrices_read_well_and_are_reproducible(self, seed):
        lesson = attention_lesson(seed=seed)
        assert all(s.exact for s in lesson.shown)
        first = lesson.look_up.table
        matrices.cache_clear()
        assert np.array_equal(matrices(seed)[0], first)

    def test_both_heads_share_keys_and_values_not_weights(self):
        one, two = attention_lesson().heads
        assert np.array_equal(one.k, two.k) and np.array_equal(one.v, two.v)
        assert not np.allclose(one.weights, two.weights)

    def test_cached_chunk_mask_is_shifted(self):
        assert causal_mask(2, 5).tolist() == [[True] * 4 + [False], [True] * 5]
        with pytest.raises(ValueError, match="offset"):
            causal_mask(5, 2)

    @given(st.integers(1, 5))
    def test_a_chunk_gives_the_rows_of_the_whole(self, cached):
        q, k, v = np.random.default_rng(cached).normal(size=(3, 6, 4))
        assert np.allclose(attend(q[cached:], k, v).output, attend(q, k, v).output[cached:])

    def test_results_are_read_only(self):
        with pytest.raises(ValueError):
            attention_lesson().projection.y[0, 0] = 9

    @pytest.mark.parametrize("ids", [[1, 2], [0, 1, 6], [0, 1, -1], "123", [0, 1, True], 3])
    def test_refuses_ids(self, ids):
        with pytest.raises(ValueError, match=r"ids must be .*0\.\.5"):
            attention_lesson(ids)

    def test_refuses_seed(self):
        with pytest.raises(ValueError, match=r"seed must be an integer in 0\.\.9999"):
            attention_lesson(seed=-1)


class TestElements:
    def test_element_two_goes_as_the_act_says(self):
        two = number_elements(3, 2, 2).elements[2]
        assert (two.flat, two.viewed, two.transposed) == ((0, 0, 2), (0, 0, 1, 0), (0, 1, 0, 0))

    @given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))
    def test_coordinates_find_the_number_and_merging_inverts(self, tokens, heads, width):
        all_ = number_elements(tokens, heads, width)
        for e in all_.elements:
            found = all_.flat[e.flat], all_.viewed[e.viewed], all_.transposed[e.transposed]
            assert found == (e.number,) * 3
        merge = all_.merge
        assert np.array_equal(merge.right, all_.flat[0])
        assert all(set(row) == {t} for t, row in enumerate(merge.right_tokens.tolist()))
        assert bool(merge.mixed_rows) == (tokens > 1 and heads > 1)

    def test_direct_reshape_mixes_tokens(self):
        merge = merge_heads(np.stack([head.output for head in attention_lesson().heads]))
        assert merge.mixed_rows and not np.array_equal(merge.right, merge.wrong)


class TestLayer:
    @given(st.lists(st.floats(1, 9) | st.floats(-9, -1), min_size=4, max_size=4))
    def test_norm_gives_mean_square_one(self, x):
        assert np.isclose((rms_norm(np.array(x)).normalised ** 2).mean(), 1, atol=1e-5)

    def test_default_norm_is_exact_on_screen(self):
        norm = rms_norm()
        assert str(shown(norm.mean_square)) == "2.25" and str(shown(norm.root)) == "1.50"
        assert [*map(str, map(shown, norm.normalised))] == ["0.00", "0.67", "1.33", "1.33"]

    def test_one_row_goes_through_norm_and_mlp(self):
        start, middle, end = row_growth()
        assert np.array_equal(middle, rms_norm().x)
        assert np.allclose(rms_norm().output, swiglu().x, atol=1e-6)
        assert np.allclose(end - middle, swiglu().output) and not np.array_equal(start, middle)

    def test_default_swiglu_adds_up_by_plain_rounding(self):
        token = swiglu()
        written = shown_swiglu(token)
        assert written.mix.exact
        assert written.mix.weights == tuple(map(shown, token.activations))
        assert written.mix.totals == tuple(map(shown, token.output))
        for s, silu, act, gate, up in zip(written.sigmoid, written.silu, written.mix.weights,
                                          token.gate.tolist(), token.up.tolist()):
            assert silu == s * gate and act == silu * up

    def test_widths_of_qwen3(self):
        w = QWEN3_06B
        assert (w.q, w.kv, w.qkv, w.gate_up) == (2048, 1024, 4096, 6144)
        assert w.head_dim != w.hidden // w.query_heads
        assert [name for name, _ in checkpoints(w, 7)][::5] == ["ids", "logits"]
        assert checkpoints(w, 7, 2)[-1][1] == (2, w.vocabulary)
        assert layer_path(w, 7)["merged"] == (7, np.prod(layer_path(w, 7)["attention"][1:]))


class TestKvCache:
    def test_bytes_of_qwen3(self):
        size = kv_bytes()
        assert (size.per_token, size.per_block) == (112 * 1024, 28 * 1024**2)

    def test_three_choices(self):
        sizes = cache_sizes()
        assert [s.ratio for s in sizes] == [8, 2, 1]
        assert [s.tokens for s in sizes] == [1000, 4000, 8000]
        assert sizes[0].bytes_per_token == kv_bytes().per_token

    @given(st.integers(1, 16), st.integers(1, 16))
    def test_groups_partition_the_query_heads(self, query, kv):
        if query % kv:
            with pytest.raises(ValueError, match="KV heads must"):
                head_groups(query, kv)
            return
        groups = head_groups(query, kv)
        assert [q for m in groups.members for q in m] == list(range(query))
        assert all(q in groups.members[k] for q, k in enumerate(groups.kv_of))


class TestRope:
    @given(st.floats(1.1, 1e9), st.integers(0, 400), st.integers(0, 400), st.integers(0, 400))
    def test_score_depends_on_the_distance_only(self, theta, distance, first, second):
        pairs = (first + distance, first), (second + distance, second)
        one, two = rope_lesson(theta, pairs).products
        assert np.isclose(one.score, two.score, atol=1e-9)
        assert np.allclose(one.terms, two.terms) and one.distance == distance

    def test_default_pairs_agree_and_another_distance_does_not(self):
        one, two = rope_lesson().products
        other = dot_product(one.query.x, one.key.x, (7, 3))
        assert shown(one.score) == shown(two.score) != shown(other.score)

    @given(st.integers(0, 40_959))
    def test_rotation_keeps_every_pair_length(self, position):
        r = rotate(np.array([3, 1, 4, 1, 5, 9]), position)
        lengths = np.hypot(r.first, r.second), np.hypot(r.turned_first, r.turned_second)
        assert np.allclose(*lengths)

    def test_frequencies_fall_from_one(self):
        assert np.allclose(frequencies(8, 10_000), [1, 0.1, 0.01, 0.001])

    @pytest.mark.parametrize(
        "bad", [(5, 3, 7, 4), (3, 5, 5, 7), (5, 3), "5,3,7,5", (9, 9, 1, 40_960)]
    )
    def test_refuses_positions(self, bad):
        with pytest.raises(ValueError, match="positions must be"):
            check_positions(bad)

    def test_accepts_flat_and_nested(self):
        assert check_positions([5, 3, 7, 5]) == check_positions(((5, 3), (7, 5)))

    def test_refuses_theta_and_odd_widths(self):
        with pytest.raises(ValueError, match="theta must be above 1"):
            rope_lesson(theta=1)
        with pytest.raises(ValueError, match="even"):
            rotate(np.ones(3), 1)
