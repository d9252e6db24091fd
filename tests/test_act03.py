"""Act 03: what it tells is what the trace and the lesson say, and every outcome has its words."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rehearsal import rehearse

from scenes.act03_sampling import lecture
from scenes.act03_sampling.story import LANES, PROMPTS, SHOWERS, Params, tell
from scenes.geometry import px
from scenes.kit import Chip, KVCell, Label, Slot, visible
from scenes.lessons.shares import standard_errors
from scenes.stage import ParamError, parse, plan

prompts = st.sampled_from(sorted(PROMPTS))
temperatures = st.floats(0.2, 3).map(lambda t: round(t, 3))


@settings(max_examples=20, deadline=None)
@given(prompts, temperatures)
def test_temperature_moves_the_gap_and_keeps_the_order(prompt, temperature):
    story = tell(Params(prompt, temperature))
    first, second = story.logits[:2]
    rows = [story.p(heat) for heat in story.heats]
    ratios = [row[1] / row[0] for row in rows]
    for heat, row, ratio in zip(story.heats, rows, ratios):
        assert ratio == pytest.approx(math.exp((second - first) / heat), rel=1e-4)
        assert (np.diff(row) <= 1e-12).all()
    assert temperature in story.heats and ratios == sorted(ratios)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_probabilities_are_those_of_the_whole_vocabulary_where_it_was_recorded(prompt):
    """What lies outside the 64 is what the trace's own tail says, and the words tell the rest."""
    for temperature in (0.5, 1.0, 1.5):
        story = tell(Params(prompt, temperature))
        tail = next(e["tail"] for e in story.sampler.events if e.name == "draws" and (
            e["log_partition"], e["temperature"]) == (story.engine.log_partition, temperature))
        assert story.whole == "whole" and story.seen == temperature
        # logits are recorded to 4 digits
        assert 1 - story.p(temperature).sum() == pytest.approx(tail, abs=5e-5)
        assert story.shares(story.seen).sum() == pytest.approx(1)
    other = tell(Params(prompt, 0.7))
    assert other.whole == "part" and other.p(0.7).sum() == pytest.approx(1)


@pytest.mark.parametrize("prompt, count", [("romeo", 10), ("richard", 7), ("news", None)])
def test_top_p_counts_in_the_whole_vocabulary(prompt, count):
    story = tell(Params(prompt))
    assert story.top_p_count == count
    assert story.cutting == ("beyond" if count is None else "within")
    if count:
        sums = story.p(1.0).cumsum()
        assert sums[count - 1] >= 0.9 > sums[count - 2]
    assert tell(Params(prompt, top_p=1.0)).cutting == "nothing"


@settings(max_examples=30, deadline=None)
@given(prompts, st.integers(1, 64))
def test_the_line_of_a_cut_keeps_as_much_as_the_tokens_it_keeps(prompt, kept):
    story = tell(Params(prompt))
    rows, part = story.cut(kept)
    shares = story.shares(story.seen)
    drawn = shares[:rows].sum() + (part * shares[LANES] if rows == LANES else 0)
    assert drawn == pytest.approx(story.p(story.seen)[:kept].sum()) and 0 <= part <= 1
    assert rows == min(kept, LANES)


def test_a_top_p_of_1_keeps_every_row_and_one_beyond_the_recorded_keeps_a_part_of_the_last():
    assert tell(Params(top_p=1.0)).cut(None) == (LANES + 1, 1.0)
    rows, part = tell(Params("news")).cut(None)
    assert rows == LANES and 0 < part < 1


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_engines_draws_are_those_recorded_and_the_furthest_is_boxed(prompt):
    story = tell(Params(prompt))
    shares, field, draws = story.engine_shares, story.measured.field, story.engine.total
    assert draws == story.sampler.header.workload["draws"] and sum(shares) == pytest.approx(1)
    row, off = story.verdicts[1]
    errors = np.sqrt(field * (1 - field) / draws)
    assert off == pytest.approx(abs(shares[row] - field[row]) / errors[row])
    for k in range(LANES + 1):
        if min(field[k], 1 - field[k]) * draws >= 5:
            assert abs(shares[k] - field[k]) / errors[k] <= off + 1e-12


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_facts_are_the_traces(prompt):
    story = tell(Params(prompt))
    facts, journey, steps = story.facts, story.journey, story.journey.steps
    assert journey.known == len(steps[0]["ids"])
    # the two best logits are shown exactly, so that the lead and its ratios can be checked
    first, second = steps[0]["top_logits"][:2]
    assert (float(story.logit(0)), float(story.logit(1))) == (first, second)
    for k, heat in enumerate(story.heats):
        ratio = 100 * math.exp(-float(facts["lead"]) / heat)
        assert float(facts[f"r{k}"]) == pytest.approx(ratio, rel=5e-3)
    assert facts["layers"] == journey.trace.header.config["num_hidden_layers"]
    assert journey.shape("logits")[0] == 1 < journey.shape("final norm")[0]


def test_the_default_shows_a_win_of_the_second_best():
    contest = tell(Params()).contest
    assert (contest.favourite_index, contest.second_index, contest.second.winner) == (1, 8, 1)


@pytest.mark.parametrize("settings, words", [
    ({}, "Not this time: “mad” is first"),
    ({"prompt": "morrow", "temperature": "0.2"}, "the others hardly move"),
])
def test_every_outcome_has_its_words(settings, words):
    lines = plan(lecture, parse(Params, settings)).beat("not-argmax").lines
    assert words in " ".join(line.text["en"] for line in lines)


@pytest.mark.parametrize("settings, beat, words", [
    ({}, "the-cut", "10 tokens here"), ({"prompt": "news"}, "the-cut", "more than the 64 recorded"),
    ({"top_p": "1"}, "the-cut", "keeps all"), ({"temperature": "3"}, "the-race", "not known"),
    ({"temperature": "0.7"}, "ten-thousand-races", "at T = 0.5"),
    ({}, "ten-thousand-races", "no reason to doubt p"),
])
def test_what_a_parameter_makes_false_has_other_words(settings, beat, words):
    lines = plan(lecture, parse(Params, settings)).beat(beat).lines
    assert words in " ".join(line.text["en"] for line in lines)


@pytest.mark.parametrize("settings", [
    {"temperature": "0"}, {"temperature": "nan"}, {"top_k": "0"}, {"top_k": "11"}, {"top_p": "0"},
    {"top_p": "1.1"}, {"seed": "-1"}, {"prompt": "hamlet"},
])
def test_refuses_what_was_not_recorded_or_cannot_be_sampled(settings):
    with pytest.raises(ParamError, match="expected"):
        parse(Params, settings)


@settings(max_examples=20, deadline=None)
@given(prompts, temperatures, st.integers(0, 9999))
def test_the_rain_begins_with_the_favourite_and_is_long_enough_to_be_sorted(prompt, temp, seed):
    story = tell(Params(prompt, temp, seed=seed))
    times, lanes = zip(*story.rain)
    assert lanes[0] == 0 and times[0] == min(story.contest.favourite.times)
    # about one drop a second: 100 on average, by chance a few tens more or fewer
    assert abs(len(lanes) / story.until - 1) < 0.6 and times[-1] <= story.until


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_drops_that_are_shown_have_about_the_shares_p(prompt):
    """The words say "about its share": within three standard errors, for every row."""
    story = tell(Params(prompt))
    lanes = [lane for _, lane in story.rain]
    counted = np.bincount(lanes, minlength=LANES + 1) / len(lanes)
    for shares, drops in ((counted, len(lanes)), (story.first_drops, SHOWERS)):
        assert (np.abs(shares - story.contest.field)
                < 3 * standard_errors(story.contest.field, drops)).all()


def unlikely(p, showers, chance):
    """How far a share of so many first drops lies from `p` but for this `chance` (Bernstein)."""
    depth = math.log(2 / chance) / showers
    return depth / 3 + math.sqrt((depth / 3) ** 2 + 2 * p * (1 - p) * depth)


@settings(max_examples=10, deadline=None)
@given(prompts, temperatures, st.integers(0, 9900))
def test_first_drops_of_many_showers_have_the_shares_p(prompt, temperature, seed):
    """Each seed brings SHOWERS showers; together they come as close to p as their number says."""
    stories = [tell(Params(prompt, temperature, seed=seed + k)) for k in range(100)]
    shares = np.mean([story.first_drops for story in stories], axis=0)
    assert shares.sum() == pytest.approx(1)
    for p, share in zip(stories[0].contest.field, shares):
        assert abs(share - p) <= unlikely(p, len(stories) * SHOWERS, chance=1e-6)


@settings(max_examples=20, deadline=None)
@given(prompts, temperatures, st.integers(0, 9999))
def test_each_shower_that_is_drawn_begins_with_the_drop_that_is_kept(prompt, temperature, seed):
    story = tell(Params(prompt, temperature, seed=seed))
    assert [shower[0][1] for shower in story.showers] == list(
        story.contest.races.winners[:len(story.showers)])


def test_of_the_default_every_row_shows_its_first_drop():
    assert {lane for _, lane in tell(Params()).rain} == set(range(LANES + 1))


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_cells_are_those_that_the_recorded_steps_have_filled(prompt):
    """The newest token is known, has an id and no K and V; all before it are cached."""
    seen = {}
    act = rehearse("act03", {"prompt": prompt},
                   look=lambda act: seen.update({act.beat.name: list(act.mobjects)}))
    family = {m for top in seen["the-newest-token"] for m in top.get_family()}
    journey = act.story.journey
    cells = sum(isinstance(m, KVCell) and m.slot is Slot.CACHED and m.width > px(60)
                for m in family)
    chips = [m.text.text for m in family if isinstance(m, Chip)]
    first = max(journey.known - 3, 0)
    after = journey.states(5)[3]
    assert cells == after.num_cached - first
    assert sorted(chips) == sorted(map(visible, journey.texts[first:after.num_tokens]))


def test_runners_stop_where_their_speed_takes_them_when_the_first_is_at_its_flag():
    found = {}

    def look(act):
        race = getattr(act.kept, "race", None)
        if race and act.beat.name in ("the-race", "not-argmax"):
            found[act.beat.name] = [
                (runner.get_x() - race.at(0)[0]) / px(race.length) * race.limit
                for runner in race.runners]

    contest = rehearse("act03", look=look).story.contest
    for name, drawn in (("the-race", contest.favourite), ("not-argmax", contest.second)):
        time = drawn.times[drawn.winner]
        assert found[name] == pytest.approx(
            np.minimum(contest.field * time, drawn.exponentials), abs=1e-6)


def test_each_closing_line_has_the_stage_to_itself():
    shown = []

    def look(act):
        if act.beat.name == "remember":
            shown.append({line.text["en"] for line in act.beat.lines} & {
                m.text for top in act.mobjects for m in top.get_family() if isinstance(m, Label)})

    lines = rehearse("act03", look=look).plan.beat("remember").lines
    assert max(map(len, shown)) == 1
    assert set().union(*shown) == {line.text["en"] for line in lines}
