"""Act 02: what it tells is what the lessons say, and its vectors end where the lesson ends."""

from cmath import phase
from math import atan2, degrees, isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes.act02_layer import lecture
from scenes.act02_layer.gate import EFFECTS
from scenes.act02_layer.story import KIB, Params, tell
from scenes.kit import Plane, bracketed
from scenes.lessons.layer import Widths, layer_path
from scenes.lessons.rope import MAX_POSITION, rope_lesson, shown_dot
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import LANGUAGES, ParamError, parse, plan
from traces import load

pairs = st.tuples(*(st.integers(0, 200),) * 3).map(
    lambda n: (n[0] + n[1], n[0], n[0] + n[1] + n[2] + 1, n[0] + n[2] + 1))
thetas = st.floats(2, 1e9)


def test_the_default_story_names_the_known_figures():
    story = tell(Params())
    facts = story.facts
    assert (facts["kib"], facts["qkv"], facts["even"], facts["q"]) == (112, 4096, 64, 2048)
    assert facts["unturned"] == str(int(story.rope.unturned)) == "12"
    assert [facts[f"ratio_{k}"] for k in range(3)] == [16, 8, 1]
    assert [size.bytes_per_token for size in story.sizes] == [224 * KIB, 112 * KIB, 14 * KIB]
    assert story.sizes[1].bytes_per_token == story.kv.per_token  # the model's own grouping


def test_the_order_of_shapes_is_the_recorded_one():
    """The film shows the lesson's shapes; a recorded prefill of a small Qwen3 has the same."""
    journey = load("token-journey")
    step = next(event for event in journey.events if event.name == "step")
    recorded = {name: tuple(sizes) for name, *sizes in step["shapes"]}
    widths = Widths("tiny", *(journey.header.config[key] for key in (
        "hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
        "head_dim", "intermediate_size", "vocab_size")))
    own = layer_path(widths, len(step["ids"]))
    for key, name in (("hidden", "norm"), ("qkv", "qkv"), ("q", "q"), ("k", "k"),
                      ("attention", "attention output"), ("output", "o_proj")):
        assert own[key] == recorded[name]


def test_a_row_grows_and_ends_as_the_row_that_is_normalised():
    story = tell(Params())
    sizes = np.sqrt((story.growth**2).mean(axis=1))
    assert (np.diff(sizes) > 0).all()
    assert np.array_equal(story.growth[1], story.norm.x)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("compare", [(16, 16, 8, 1), (8, 8, 2, 1), (16, 8, 4, 2), (8, 8, 4, 2),
                                     (4, 4, 2, 1), (12, 6, 3, 1)])
def test_kinds_of_attention_are_named_only_where_all_three_stand(compare, language):
    params = Params(compare=compare)
    story = tell(params)
    kinds = [size.groups.kind for size in story.sizes]
    words = plan(lecture, params, language=language).beat("why-kept").lines[6]
    named = {"en": "Multi-head", "zh": "多头"}[language] in words.text[language]
    assert named == (kinds == ["MHA", "GQA", "MQA"])


@given(st.integers(1, 16).flatmap(lambda heads: st.tuples(st.just(heads), st.lists(
    st.sampled_from([n for n in range(1, heads + 1) if heads % n == 0]), min_size=3, max_size=3,
    unique=True).map(lambda counts: sorted(counts, reverse=True)))
    if sum(heads % n == 0 for n in range(1, heads + 1)) >= 3 else st.nothing()))
def test_fewer_heads_always_cost_less_and_fit_more(compare):
    sizes = tell(Params(compare=(compare[0], *compare[1]))).sizes
    costs, rooms = ([*column] for column in zip(*((s.bytes_per_token, s.tokens) for s in sizes)))
    assert costs == sorted(set(costs), reverse=True) and rooms == sorted(set(rooms))


def test_every_gate_has_the_effect_that_is_written_under_it():
    one = tell(Params()).mlp
    seen = {key: [k for k, gate in enumerate(one.silu) if does(gate)]
            for key, does in EFFECTS.items()}
    assert sorted(k for column in seen.values() for k in column) == [*range(len(one.silu))]
    assert all(seen.values())
    for k in seen["stretch"]:
        assert abs(one.activations[k]) > abs(one.up[k])
    for k in seen["shrink"]:
        assert abs(one.activations[k]) < abs(one.up[k])
    for k in seen["flip"]:
        assert one.activations[k] * one.up[k] < 0  # a partner of 0 would show no flip


@given(thetas, pairs)
def test_the_terms_of_a_distance_are_those_of_the_turned_pairs(theta, positions):
    for product in rope_lesson(theta, positions).products:
        turned = (product.query.turned * product.key.turned).sum(axis=1)
        assert np.allclose(product.terms, turned, atol=1e-9)


@given(thetas, pairs)
def test_pair_zero_is_written_with_equal_products(theta, positions):
    one, two = tell(Params(theta=theta, positions=positions)).shown_pairs
    assert one.terms == two.terms


@given(st.integers(0, 40), st.integers(1, 40))
def test_the_written_angle_is_that_of_the_vectors_at_both_places(key, shift):
    story = tell(Params(positions=(key + 2, key, key + 2 + shift, key + shift)))
    one, two = story.rope.products
    q, k = (complex(r.turned_first[0], r.turned_second[0]) for r in (two.query, two.key))
    assert story.angles[0] == story.angles[1] == f"{text(shown(degrees(phase(q / k)), 1))}°"
    plane = Plane()
    spokes = [plane.spoke((z.real, z.imag), "q") for z in (k, q)]
    assert isclose(plane.angle(*spokes), one.between[0], abs_tol=1e-9)


@given(thetas, pairs)
def test_the_angle_at_the_start_and_what_is_added_make_the_written_angle(theta, positions):
    story = tell(Params(theta=theta, positions=positions))
    one = story.rope.products[0]
    q, k = (complex(*turned.pairs[0]) for turned in (one.query, one.key))
    start, added, end = story.opening
    assert start == f"{text(shown(degrees(phase(q / k)), 1))}°"
    assert end[2:] == story.angles[0]
    gained = degrees(one.between[0] - phase(q / k))
    turned = degrees(one.distance * float(one.query.frequencies[0]))
    assert abs((gained - turned + 180) % 360 - 180) < 1e-6
    sign = {"+": 1, "−": -1}[added[0]]
    written = float(added[2:-1])
    assert isclose(sign * written, gained, abs_tol=0.051)
    figures = [float(word.replace("−", "-")) for word in (start[:-1], end[2:-1])]
    assert (end[0] == "=") == isclose(figures[0] + sign * written, figures[1], abs_tol=1e-9)


def test_the_default_angles_add_up_as_written():
    assert tell(Params()).opening == ("−53.1°", "+ 114.6°", "= 61.5°")


def test_the_default_angles_are_plain():
    one, two = tell(Params()).rope.products
    far = tell(Params()).rope.elsewhere
    for product in (one, two, far):
        assert ((product.between > 0.5) & (product.between < 3.1)).all()
    assert (abs(far.between - one.between) > 0.2).all()


@given(thetas, pairs)
def test_equal_distances_are_written_with_equal_scores(theta, positions):
    one, two = tell(Params(theta=theta, positions=positions)).shown_dots
    assert one.total == two.total and one.terms == two.terms


@given(thetas, pairs)
def test_every_written_number_is_rounded_on_its_own(theta, positions):
    for product in rope_lesson(theta, positions).products:
        dot = shown_dot(product)
        assert dot.terms == tuple(shown(term, 3) for term in product.terms)
        assert dot.total == shown(product.score, 3)
        assert dot.adds == (sum(dot.terms) == dot.total)
        for q, k, term, exact in zip(dot.query, dot.key, dot.terms, dot.exact):
            assert (shown(q[0] * k[0] + q[1] * k[1], 3) == term) == exact


def test_the_default_scores_add_up_as_written():
    story = tell(Params())
    assert all(dot.adds for dot in story.shown_dots)
    assert all(dot.exact[0] for dot in story.shown_pairs)


def test_only_the_first_number_of_a_sum_has_no_brackets():
    terms = bracketed(["−1", "−1", "2"], ["−1", "0", "3"])
    assert terms == [("−1", "(−1)"), ("(−1)", "0"), ("2", "3")]


@given(st.floats(1e-9, 1e9))
def test_significant_keeps_three_digits(value):
    written = significant(value)
    assert isclose(float(written), value, rel_tol=0.005)
    digits = written.partition("e")[0].replace(".", "").strip("0")
    assert len(digits) <= 3 and not ("." in written and written.partition("e")[0].endswith("0"))


@pytest.mark.parametrize("settings, reason", [
    ({"positions": "5,3,7,4"}, "same distance"), ({"positions": "7,5,5,3"}, "further on"),
    ({"positions": f"1,0,{MAX_POSITION + 1},{MAX_POSITION}"}, "expected"),
    ({"compare": "6,4,2,1"}, "divide"), ({"compare": "8,1,2,4"}, "falling"),
    ({"theta": "1"}, "expected"),
])
def test_refuses_what_it_cannot_show(settings, reason):
    with pytest.raises(ParamError, match=reason):
        parse(Params, settings)


@pytest.mark.parametrize("steps", [1, 7, 60])
def test_a_turned_vector_ends_at_its_angle_whatever_the_frames(steps):
    plane = Plane()
    spoke = plane.spoke((1, 2), "q", "q")
    (turn,) = plane.turn(spoke, by=5.0)
    turn.begin()
    for k in range(1, steps + 1):
        turn.interpolate(k / steps)
    tip = spoke.stem.get_end() - plane.centre
    assert isclose(atan2(tip[1], tip[0]), atan2(2, 1) + 5 - 2 * 3.141592653589793, abs_tol=1e-6)
    assert isclose(spoke.direction, atan2(2, 1) + 5)
