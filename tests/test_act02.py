"""Act 02: what it tells is what the lessons say, and its vectors end where the lesson ends."""

from cmath import phase
from math import atan2, degrees, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes.act02_layer import lecture
from scenes.act02_layer.story import KIB, Params, tell
from scenes.kit import Plane, bracketed
from scenes.lessons.layer import Widths, layer_path
from scenes.lessons.rope import MAX_POSITION, rope_lesson, shown_dot
from scenes.lessons.rounding import shown, significant
from scenes.stage import ParamError, parse, plan

pairs = st.tuples(*(st.integers(0, 200),) * 3).map(
    lambda n: (n[0] + n[1], n[0], n[0] + n[1] + n[2] + 1, n[0] + n[2] + 1))
thetas = st.floats(2, 1e9)


def test_the_default_story_names_the_known_figures():
    story = tell(Params())
    facts = story.facts
    assert (facts["kib"], facts["mib"], facts["qkv"], facts["even"]) == (112, 28, 4096, 64)
    assert [facts[f"ratio_{k}"] for k in range(3)] == [8, 2, 1]
    assert [size.bytes_per_token for size in story.sizes] == [112 * KIB, 28 * KIB, 14 * KIB]


def test_recorded_shapes_are_those_of_the_lesson():
    story = tell(Params())
    config = story.journey.header.config
    widths = Widths("tiny", *(config[key] for key in (
        "hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
        "head_dim", "intermediate_size", "vocab_size")))
    own = layer_path(widths, story.facts["prompt_tokens"])
    assert {key: own[key] for key in story.path} == story.path


@given(st.integers(0, 40), st.integers(1, 40))
def test_the_written_angle_is_that_of_the_vectors_at_both_places(key, shift):
    story = tell(Params(positions=(key + 2, key, key + 2 + shift, key + shift)))
    one, two = story.rope.products
    q, k = (complex(r.turned_first[0], r.turned_second[0]) for r in (two.query, two.key))
    assert story.angles[0] == story.angles[1] == f"{shown(degrees(phase(q / k)), 0)}°"
    plane = Plane()
    spokes = [plane.spoke((z.real, z.imag), "q") for z in (k, q)]
    assert isclose(plane.angle(*spokes), one.between[0], abs_tol=1e-9)


def test_the_default_angles_are_plain():
    one, two = tell(Params()).rope.products
    far = tell(Params()).rope.elsewhere
    for product in (one, two, far):
        assert ((product.between > 0.5) & (product.between < 3.1)).all()
    assert (abs(far.between - one.between) > 0.2).all()


@given(thetas, pairs)
def test_equal_distances_are_written_with_equal_scores(theta, positions):
    one, two, _ = tell(Params(theta=theta, positions=positions)).shown_dots
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
    ({"heads": "6,4"}, "divide"), ({"compare": "8,1,2,4"}, "falling"), ({"theta": "1"}, "expected"),
])
def test_refuses_what_it_cannot_show(settings, reason):
    with pytest.raises(ParamError, match=reason):
        parse(Params, settings)


@pytest.mark.parametrize("heads, claim", [((4, 2), "share"), ((4, 4), "of its own")])
def test_the_claim_follows_the_heads(heads, claim):
    assert claim in plan(lecture, Params(heads=heads)).beat("shared-heads").title["en"]


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
