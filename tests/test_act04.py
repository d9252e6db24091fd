"""Act 04's words are true of every run: their conditions, held against the recorded steps."""

import itertools
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from rehearsal import rehearse

from scenes.act04_scheduler import lecture
from scenes.act04_scheduler.params import Params
from scenes.act04_scheduler.story import tell
from scenes.act04_scheduler.world import CLOSE_STEPS
from scenes.stage import LANGUAGES, parse, plan
from traces.columns import columns_of, idle_seats
from traces.contrast import first_token_steps

# Settings for which words were once wrong, and corners.
KNOWN = [
    {}, {"max_num_seqs": "1"}, {"max_num_seqs": "2"}, {"budget": "4"}, {"budget": "24"},
    {"arrivals": "0,0,0,0,0"}, {"max_tokens": "1,1,1,1,1"},
    {"budget": "12", "max_num_seqs": "2", "prompts": "4,3,3,10", "max_tokens": "7,12,2,11",
     "arrivals": "9,0,7,0"},
    {"prompts": "1,1", "max_tokens": "4,4", "arrivals": "0,0"},
    {"prompts": "12,12", "max_tokens": "4,4", "arrivals": "0,0"},
    {"prompts": "1,1", "max_tokens": "1,1", "arrivals": "0,0"},
    {"prompts": "12,1", "max_tokens": "1,12", "arrivals": "0,20"},
    # No seat is ever empty; done sooner, and nobody pauses.
    {"max_num_seqs": "2", "prompts": "7,6", "max_tokens": "6,6", "arrivals": "0,0"},
    {"budget": "5", "max_num_seqs": "4", "prompts": "5,11,3", "max_tokens": "4,1,1",
     "arrivals": "3,0,1"},
]
rows = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12), st.integers(0, 20)),
                min_size=2, max_size=5)
params = st.builds(lambda requests, budget, cap: Params(budget, cap, *map(tuple, zip(*requests))),
                   rows, st.integers(4, 24), st.integers(1, 4))


def told(chosen):
    return tell(parse(Params, chosen))


@pytest.mark.parametrize("chosen", KNOWN, ids=str)
def test_the_words_are_true_of_the_settings_that_broke_them(chosen):
    true(told(chosen))


@settings(max_examples=60, deadline=None)
@given(params)
def test_the_words_are_true_of_every_run(chosen):
    true(tell(chosen))


def true(story):
    """Every condition that a variant's words name."""
    for claims in (answer, batches, cuts, counters, pauses, budgets, mixing):
        claims(story)


def answer(story):
    """B's answer: a token in every step that yields one; a pause where another's prompt is."""
    steps, (given, causes) = story.trace.steps, story.answer
    assert sum(given) == len([step for step in steps if "B" in step.produced]) == len(
        [token for token in story.tokens if token[0] == "B"]) + 1 - story.prompts["B"]
    first, last = given.index(True), len(given) - 1 - given[::-1].index(True)
    missing = [k for k in range(first, last) if not given[k]]
    assert (story.waiting == "pauses") == bool(causes)
    if causes:  # "sometimes it pauses ... C's prompt went first"
        assert [*causes] == missing
    for k, names in causes.items():
        assert steps[k].phase == "prefill" and names == steps[k].names and "B" not in names
        assert all(f"{name}'s" in story.facts["causes"]["en"] for name in names)


def batches(story):
    steps, static, now = story.trace.steps, story.static, story.continuous
    if story.batching == "idle":  # "a request that finishes early leaves its seat empty"
        assert static.idle > 0 and story.params.max_num_seqs > 1
    if story.batching == "alone":
        assert len(static.seats) == 1
    if story.batching == "full":
        assert static.idle == 0
    assert now.steps == len(steps) == story.facts["steps"]
    assert static.steps == len(story.static_steps) == story.facts["static_steps"]
    one, other = map(columns_of, (story.static_steps, steps))  # "the same tokens"
    assert sorted(itertools.chain(*one)) == sorted(itertools.chain(*other)) == story.tokens
    assert sum(idle_seats(static)) == static.idle and sum(idle_seats(now)) == now.idle


def cuts(story):
    steps, budget = story.trace.steps, story.params.budget
    chunked = [step for step in steps if any(part.is_chunk for part in step.scheduled)]
    for step in chunked:  # "only the first prompt of a step is ever cut"
        assert [part.is_chunk for part in step.scheduled] == [True] + [False] * (
            len(step.scheduled) - 1)
    assert (story.cutting == "whole") == (not chunked) == (story.sampling == "whole")
    if story.cut:
        facts, part = story.facts, story.cut.scheduled[0]
        assert facts["cut_count"] == part.count and facts["cut_count"] <= budget
        assert facts["cut_left"] > 0
        assert facts["cut_left"] + part.start + part.count == facts["cut_known"]
        following = steps[story.cut.index + 1]  # "in the next step it goes on"
        assert following.scheduled[0].request == story.followed
    if story.cutting == "blocked":  # "so part of a budget can stay unused"
        step, blocked = steps[story.cut.index + 1], story.blocked
        assert step.budget - step.used == blocked.unused > 0
        assert blocked.name not in step.names and blocked.need > blocked.unused
        prompt = story.trace.workload[blocked.name].prompt
        assert blocked.need == len(prompt)


def counters(story):
    cut, chunks = story.followed, story.chunks
    assert bool(story.first_decode) == (story.counting_up == "decodes")
    if story.sampling == "cut":
        assert chunks[0].part(cut).is_chunk and cut not in chunks[0].produced
        indices = [step.index for step in chunks]  # "the next step takes those"
        assert indices == [*range(indices[0], indices[-1] + 1)] and len(chunks) <= CLOSE_STEPS
    assert cut in chunks[-1].produced
    name = story.counted_name
    assert name in story.last_chunk.produced
    after, facts = story.last_chunk.after[name], story.facts
    assert facts["count_known"] == after.num_tokens == facts["count_cached"] + 1
    if after.status != "finished":  # "known is now one ahead"
        assert after.num_tokens == after.num_cached + 1
    if story.first_decode:  # "a decode computes just that one"
        assert story.first_decode.planned[name].scheduled == 1
        assert story.first_decode.after[name].num_tokens == after.num_tokens + 1


def pauses(story):
    steps, stall = story.trace.steps, story.stall
    stalled = sum(len(step.stalled) for step in steps if step.phase == "prefill")
    assert story.stalls == (stalled, 0)  # mixed steps: "nobody has to pause any more"
    assert (story.stalling == "none") == (stalled == 0)
    if not stall:
        return
    assert stall.phase == "prefill" and not set(stall.stalled) & set(stall.names)
    for step in story.early_prefills:  # "prefill ..., so ... pauses, though it runs"
        assert story.followed in step.stalled and step.phase == "prefill"
        assert all(name in story.facts["early"] for name in step.names)
    for step in story.early:  # "when nobody waits, all decode: one token each"
        if step.phase == "decode":
            assert not step.planned.waiting and step.names == step.planned.running
    if story.stalling in ("stall", "early"):  # "then it arrives ... this step is all for it"
        before = steps[stall.index - 1]
        assert before.phase == "decode" and len(before.names) == before.used
        assert story.facts["newcomer"] in stall.names
        assert story.facts["newcomer"] in stall.arrived


def budgets(story):
    small, large = story.budgets.values()
    facts, (late, before, after) = story.facts, story.gain
    assert [facts["steps_0"], facts["steps_1"]] == [len(small.steps), len(large.steps)]
    assert facts["budget_0"] < facts["budget_1"] and story.params.budget in story.budgets
    if story.counting != "same":  # "budget ... only", "in step ..., not ...", "the price: ..."
        assert facts["steps_1"] < facts["steps_0"] and facts["full_0"] < facts["full_1"]
        firsts = [first_token_steps(run.steps)[late] + 1 for run in (small, large)]
        assert [before, after] == firsts and after < before
        assert not any(part.is_chunk for step in large.steps  # "prompts fit whole"
                       for part in step.scheduled)
    if story.delayed:  # "now ... waits longer", each step as long as its tokens
        waits = [sum(step.used for step in run.steps[:story.first_tokens[budget][story.delayed]])
                 for budget, run in story.budgets.items()]
        assert waits[0] < waits[1]
        assert facts["delay"] == waits[1] - waits[0]  # "7 tokens sooner"


def mixing(story):
    here, there = map(first_token_steps, (story.trace.steps, story.mixed))
    later = [name for name in here if there[name] > here[name]]
    if story.mixing in ("taken", "paid"):
        name, ours, theirs = story.price
        assert (ours, theirs) == (here[name] + 1, there[name] + 1) and theirs > ours
    if story.mixing == "taken":  # "your B takes a place here, so D's prompt is cut"
        step, prompts = story.mixed[ours - 1], story.prompts
        (start, count), = [part[1:] for part in step.parts if part[0] == name]
        decodes = {other: many for other, begin, many in step.parts if begin >= prompts[other]}
        assert set(story.takers) == set(decodes) and theirs == ours + 1
        left = prompts[name] - start - count
        assert 0 < left <= sum(decodes.values())  # without them it would have fitted
    assert story.facts["steps_mixed"] == len(story.mixed)
    if story.mixing == "free":  # "prompts can be a step later; with these requests none is"
        assert not later and story.stalls[0]
    if story.mixing == "none":  # "with these requests nobody has to pause"
        assert not story.stalls[0]
    for step in story.mixed:  # "the one that meets the budget's end is cut"
        prompts = {name: len(story.trace.workload[name].prompt) for name in step.names}
        cut = [name for name, start, count in step.parts if start + count < prompts[name]]
        assert len(cut) <= 1
        if cut:
            assert sum(count for *_, count in step.parts) == story.params.budget


# A few settings that choose every variant between them: only these are played.
PLAYED = [KNOWN[k] for k in (1, 3, 4, 6, 12, 13)]
VARIED = ("batching", "cutting", "sampling", "sampling", "counting_up", "stalling",
          "counting", "mixing", "waiting", "waiting")
BEATS = ("static-batching", "only-the-first", "chunked-prefill", "the-discarded-sample",
         "three-counters", "prefill-first", "two-budgets", "mixed-steps", "the-question",
         "remember")


@pytest.mark.parametrize("number", range(len(PLAYED)))
def test_every_variant_plays(number):
    """Every cue is used, no movement needs more time than its line has; languages take turns."""
    rehearse("act04", PLAYED[number], LANGUAGES[number % len(LANGUAGES)])


def test_every_variant_is_among_them():
    words = yaml.safe_load((Path(__file__).parent.parent / "scenes/act04_scheduler/en.yaml")
                           .read_text(encoding="utf-8"))["beats"]
    stories = [told(chosen) for chosen in ({}, *PLAYED)]
    for name, beat in zip(VARIED, BEATS):
        assert {getattr(story, name) for story in stories} == set(words[beat]["variants"]), name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chosen", KNOWN, ids=str)
def test_every_setting_plans(chosen, language):
    """Facts for every name in the words, in the variants that the story chooses."""
    planned = plan(lecture, parse(Params, chosen), told(chosen), language)
    lines = [line.text[language] for beat in planned.beats for line in beat.lines]
    assert not [line for line in lines if "{" in line]


@pytest.mark.parametrize("chosen", KNOWN, ids=str)
def test_the_words_name_numbers_of_the_run(chosen):
    story = told(chosen)
    lines = plan(lecture, parse(Params, chosen), story).beat("mixed-steps").lines
    said = " ".join(line.text["en"] for line in lines)
    assert (f"{story.stalls[0]} times" in said) == (story.mixing != "none")
