"""Act 03: what it tells is what the trace and the lesson say, and every outcome has its words."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.act03_sampling import lecture
from scenes.act03_sampling.story import LANES, PROMPTS, Params, tell
from scenes.lessons.shares import column, running_sums, widest_gap
from scenes.stage import ParamError, parse, plan

prompts = st.sampled_from(sorted(PROMPTS))
temperatures = st.floats(0.2, 3).map(lambda t: round(t, 3))


@settings(max_examples=20, deadline=None)
@given(prompts, temperatures)
def test_temperature_moves_the_second_best_by_the_gap_of_the_logits(prompt, temperature):
    story = tell(Params(prompt, temperature))
    first, second = story.logits[:2]
    ratios = [heat.probabilities[1] / heat.probabilities[0] for heat in story.heats]
    for heat, ratio in zip(story.heats, ratios):
        assert ratio == pytest.approx(math.exp((second - first) / heat.temperature))
    assert temperature in [heat.temperature for heat in story.heats]
    assert ratios == sorted(ratios)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_engines_draws_are_those_recorded(prompt):
    """Counted again from the trace: what is shown is a share of the draws among the 64."""
    story = tell(Params(prompt, 1.0))
    events, journey = story.sampler.events, story.journey
    row = next(e for e in events if e.get("prompt") == journey.prompt["text"])
    event = next(e for e in events if e.name == "draws"
                 and (e["row"], e["temperature"]) == (row["row"], 1.0))
    drawn, shares = story.engine, story.engine_shares
    assert drawn.inside == story.sampler.header.workload["draws"] - event["tail_count"]
    assert sum(shares) == pytest.approx(1)
    best = event["counts"][row["top_ids"].index(journey.steps[0]["top_ids"][0])]
    assert shares[0] == best / drawn.inside
    # four standard deviations of a share, and one unit of the digits shown
    error = 4 * np.sqrt(story.contest.field * (1 - story.contest.field) / drawn.inside)
    assert float(widest_gap(shares, story.contest.field)[0]) <= error.max() + 2e-4


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_facts_are_the_traces(prompt):
    story = tell(Params(prompt))
    facts, journey, steps = story.facts, story.journey, story.journey.steps
    assert facts["known"] == len(steps[0]["ids"]) and facts["decodes"] == len(steps) - 1
    # the two best logits are shown exactly, so that the lead and its ratios can be checked
    first, second = steps[0]["top_logits"][:2]
    assert (float(facts["logit_0"]), float(facts["logit_1"])) == (first, second)
    for k, heat in enumerate(story.heats):
        ratio = 100 * math.exp(-float(facts["lead"]) / heat.temperature)
        assert float(facts[f"r{k}"]) == pytest.approx(ratio, rel=5e-3)
    cost = 2 * facts["kv_heads"] * facts["head_dim"] * facts["layers"] * facts["itemsize"]
    assert facts["bytes"] == f"{cost:,}"
    assert journey.shape("logits")[0] == 1 < journey.shape("final norm")[0]


@settings(max_examples=40, deadline=None)
@given(prompts, temperatures)
def test_running_sums_are_the_true_ones_and_the_column_adds_up(prompt, temperature):
    story = tell(Params(prompt, temperature))
    p = story.top_rows
    row, sums = column(p), running_sums(p)
    assert p.sum() == pytest.approx(1) and (p[:-1] == story.p[:len(p) - 1]).all()
    digits = [0.0 if figure.startswith("<") else float(figure) for figure in row]
    assert list(map(float, sums)) == pytest.approx(np.cumsum(digits))
    assert digits == pytest.approx(p, abs=1e-4)


@settings(max_examples=20, deadline=None)
@given(prompts, temperatures)
def test_the_tokens_shown_and_the_others_sum_to_1_at_each_temperature(prompt, temperature):
    story = tell(Params(prompt, temperature))
    assert LANES + story.facts["rest"] == len(story.logits)
    for heat in story.heats:
        field = story.lane_shares(heat.temperature)
        assert field[-1] == pytest.approx(heat.probabilities[LANES:].sum(), abs=1e-12)
        digits = [0.0 if figure.startswith("<") else float(figure) for figure in column(field)]
        assert sum(digits) == pytest.approx(1)


def test_the_default_shows_a_win_of_the_second_best():
    contest = tell(Params()).contest
    assert (contest.favourite_index, contest.second_index, contest.second.winner) == (0, 1, 1)


@pytest.mark.parametrize("settings, words", [
    ({}, "though its p is only"), ({"prompt": "morrow", "temperature": "0.2"}, "wins again"),
])
def test_every_outcome_has_its_words(settings, words):
    lines = plan(lecture, parse(Params, settings)).beat("not-argmax").lines
    assert words in " ".join(line.text["en"] for line in lines)


@pytest.mark.parametrize("settings", [
    {"temperature": "0"}, {"temperature": "nan"}, {"top_k": "0"}, {"top_k": "11"}, {"top_p": "0"},
    {"top_p": "1.1"}, {"seed": "-1"}, {"prompt": "hamlet"},
])
def test_refuses_what_was_not_recorded_or_cannot_be_sampled(settings):
    with pytest.raises(ParamError, match="expected"):
        parse(Params, settings)
