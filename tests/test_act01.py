"""Act 01: what is written can be redone by the viewer, and every variant has its words."""

import re
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.act01_attention.story import CELL, QUERY, WORDS, Params, tell
from scenes.lessons.attention import COLUMNS
from scenes.stage import LANGUAGES, ParamError, load_act, parse, plan
from studio.render.order import Order

ACT = load_act("act01")
PARAMS = st.builds(Params, ids=st.tuples(*[st.integers(0, 5)] * 3), causal=st.booleans(),
                   scale=st.booleans(), seed=st.integers(0, 30))


def redone(line):
    """`a·b + c·d = e` as (the sum computed anew, e, how far they may differ).

    After "≈" no rounding of the weights adds up: each is less than a unit of 0.01 off.
    """
    terms, sign, total = re.fullmatch(r"(.+) ([=≈]) (\S+)", line).groups()
    pairs = [tuple(map(float, term.split("·"))) for term in terms.split(" + ")]
    slack = 1e-9 if sign == "=" else 0.01 * (1 + sum(b for _, b in pairs))
    return sum(a * b for a, b in pairs), float(total), slack


@settings(max_examples=40, deadline=None)
@given(PARAMS)
def test_the_lines_on_screen_add_up(params):
    story = tell(params)
    for name in ("product", "score", "mix"):
        got, total, slack = redone(story.facts[name])
        assert got == pytest.approx(total, abs=slack), name
    for head in story.heads:
        for row, said in zip(head.weights, head.ones):
            assert (said == "= 1") == (round(sum(map(float, row)), 2) == 1)


def test_every_exponential_and_weight_of_the_screen_can_be_redone_from_the_scores():
    for head in tell(Params()).heads:
        for i, (scaled, exps) in enumerate(zip(head.scaled, head.exps)):
            seen = [float(score) for score in scaled[:i + 1]]
            again = [f"{np.exp(score - max(seen)):.3f}" for score in seen]
            assert [*exps] == again + ["0"] * (2 - i)
            assert [*head.weights[i][:i + 1]] == [f"{float(e) / float(head.sums[i]):.2f}"
                                                  for e in again]


@settings(max_examples=40, deadline=None)
@given(PARAMS)
def test_the_worked_row_of_the_softmax_can_be_redone(params):
    story = tell(params)
    terms, sign, total = re.fullmatch(r"(.+) ([=≈]) (\S+)", story.facts["addition"]).groups()
    powers = [*map(float, terms.split(" + "))]
    assert sum(powers) == pytest.approx(float(total), abs=1e-9 if sign == "=" else 0.002)
    assert [*map(float, story.safety.small)] == powers  # what the cells show is what is added
    for power, weight in zip(powers, story.heads[0].weights[QUERY]):
        assert power / float(total) == pytest.approx(float(weight), abs=0.011)


@settings(max_examples=40, deadline=None)
@given(PARAMS)
def test_the_scaled_values_on_screen_add_up_to_the_answer(params):
    story = tell(params)
    written, mix = story.heads[0], story.lesson.shown[0].mixes[QUERY]
    for products, total in zip(mix.products, written.output[QUERY]):
        assert len(products) == 3
        exact = sum(products) == Decimal(total)
        assert exact or written.equals[QUERY] == "≈"
        assert float(sum(products)) == pytest.approx(float(total), abs=0.1)


@settings(max_examples=20, deadline=None)
@given(PARAMS)
def test_every_parameter_plans_within_the_lecture(params):
    for language in LANGUAGES:
        assert 2300 <= plan(ACT, params, language=language).tenths <= 2700


def test_the_worked_cell_is_a_query_column_and_half_a_strip_is_no_head():
    story = tell(Params())
    assert story.lesson.projection.cell(*CELL).column in range(8)[COLUMNS["Q"]]
    elements = story.lesson.elements
    strip, heads = elements.flat[0].flatten(), elements.transposed[0]
    halves = strip.reshape(2, 3, 2)
    strangers = [{*rows.flatten()} - {*head.flatten()} for rows, head in zip(halves, heads)]
    # as the picture marks them: the middle pair of each half
    assert strangers == [{*halves[0][1]}, {*halves[1][1]}]
    assert not strangers[0] & strangers[1]


@pytest.mark.parametrize("chosen, beat, words", [
    ({"causal": "false"}, "mask", "Without a mask"),
    ({"causal": "true"}, "mask", "not the token itself"),
    ({"scale": "false"}, "root-d", "scaling is off"),
    ({"scale": "true"}, "root-d", "no width is special"),
    ({"causal": "false"}, "softmax", "Nothing is hidden"),
    ({"causal": "true"}, "softmax", "A hidden score"),
])
def test_variants_say_what_the_picture_shows(chosen, beat, words):
    planned = plan(ACT, parse(Params, chosen)).beat(beat)
    assert words in " ".join([planned.title["en"], *(line.text["en"] for line in planned.lines)])


@settings(max_examples=60, deadline=None)
@given(PARAMS)
def test_the_guess_of_the_beginning_is_answered_by_the_weights_on_screen(params):
    story, said = tell(params), plan(ACT, params).beat("who-matters").lines[1].text["en"]
    weights = [*map(float, story.heads[0].weights[QUERY])]
    leaders = [n for n, weight in enumerate(weights) if weight == max(weights)]
    answer = ["No: “{0}”, with", "Yes: “{1}”, with", "No: “{2}” itself, with"][leaders[0]]
    words = [WORDS["en"][index] for index in params.ids]
    expected = "Nobody alone" if leaders[1:] else f"{answer.format(*words)} {max(weights):.2f}"
    assert said.startswith(expected)


def test_every_answer_to_the_guess_occurs():
    found = {tell(Params(ids=ids, seed=seed)).verdict for seed in range(4)
             for ids in [(2, 0, 4), (3, 3, 3), (5, 1, 3), (1, 2, 0), (4, 0, 2)]}
    assert found == {"first", "guess", "itself", "tie"}


@pytest.mark.parametrize("wrong", [{"ids": "1,2"}, {"ids": "1,2,6"}, {"causal": "maybe"},
                                   {"seed": "-1"}])
def test_what_cannot_be_drawn_is_refused(wrong):
    with pytest.raises(ParamError):
        parse(Params, wrong)


def test_one_key_takes_nearly_all_in_a_wide_head_and_division_undoes_it():
    narrow, wide = tell(Params()).spreads
    assert wide.width == 16 * narrow.width and round(wide.deviation / narrow.deviation) == 4
    assert wide.largest > 0.9 > 0.75 > wide.softest
    for weights in (narrow.weights, wide.weights, wide.soft):
        assert max(weights, key=float) == weights[2]  # the same of the three wins each time


@settings(max_examples=20, deadline=None)
@given(PARAMS)
def test_scores_are_divided_and_lines_anchored_only_where_the_parameters_say_so(params):
    planned, story = plan(ACT, params), tell(params)
    assert bool(planned.beat("root-d").anchors) == params.scale
    assert planned.beat("mask").anchors == (("layers/attention.py:70",) if params.causal else ())
    assert ("undivided" in planned.beat("root-d").title["en"]) != params.scale
    assert (story.heads[0].scaled != story.heads[0].scores) == params.scale


@settings(max_examples=40, deadline=None)
@given(PARAMS)
def test_lifted_scores_overflow_and_subtracting_the_largest_saves_them(params):
    safety = tell(params).safety
    assert set(safety.overflown) == {"∞"} and "∞" not in safety.powers
    assert all(0 <= float(power) <= 1 for power in safety.small)
    assert float(safety.small[safety.top]) == 1


@settings(max_examples=20, deadline=None)
@given(PARAMS)
def test_the_words_name_the_tokens_of_the_picture(params):
    planned = plan(ACT, params)
    asking = WORDS["en"][params.ids[QUERY]]
    assert f"“{asking}” asks" in planned.beat("the-question").lines[0].text["en"]
    assert f"“{WORDS['zh'][params.ids[QUERY]]}”" in planned.beat("who-matters").lines[0].text["zh"]
    assert len(WORDS["en"]) == len(WORDS["zh"]) == len(tell(params).lesson.look_up.table)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chosen", [(("causal", "false"), ("scale", "false"), ("ids", "5,1,3")),
                                    (("ids", "3,3,3"), ("seed", "7"))])
def test_the_variants_have_time_for_their_movements(language, chosen, tmp_path):
    from studio.draw.player import Player

    order = Order("act01", "tiny", None, language, "dark", chosen)
    player = Player(order, str(tmp_path))
    player.start()
    beats = order.planned().beats
    for index, beat in enumerate(beats):
        player.play(index, lambda *_: [], lambda *_: None)
        spans = player.act.spans
        assert sum(span.frames for span in spans) == beat.frames(30)
