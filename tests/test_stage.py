"""Time: beats are whole, words agree, every parameter in range plans, every other is refused."""

import string
from copy import deepcopy
from dataclasses import dataclass, fields, replace

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from rehearsal import rehearse

from scenes.stage import (
    LANGUAGES,
    OverspentError,
    ParamError,
    act_folder,
    act_names,
    load_act,
    parse,
    plan,
    words,
)
from scenes.stage.params import describe, param, shown
from scenes.stage.words import Words, WordsError

ACTS = act_names()


def values(field):
    """A strategy for the texts that `--set` may give a parameter."""
    bounds, default = field.metadata["bounds"], field.default
    sample = default[0] if isinstance(default, tuple) else default
    if isinstance(sample, bool):
        one = st.booleans()
    elif isinstance(sample, str):
        one = st.sampled_from(bounds.choices)
    elif isinstance(sample, int):
        one = st.integers(int(bounds.low), int(bounds.high))
    else:
        one = st.floats(bounds.low, bounds.high, allow_nan=False)
    if isinstance(default, tuple):
        one = st.lists(one, min_size=bounds.least, max_size=bounds.most).map(tuple)
    return one.map(shown)


def settings_of(act):
    return st.fixed_dictionaries({}, optional={f.name: values(f) for f in fields(act.params)})


@pytest.mark.parametrize("name", ACTS)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_parameter_in_range_plans(name, data):
    act = load_act(name)
    chosen = data.draw(settings_of(act))
    try:
        params = parse(act.params, chosen)
    except ParamError:  # a rule between parameters, such as lists of one length
        assume(False)
    planned = plan(act, params)
    ends = [beat.start + beat.tenths for beat in planned.beats]
    assert [beat.start for beat in planned.beats] == [0, *ends[:-1]]
    assert planned.frames(60) == 2 * planned.frames(30) == sum(b.frames(60) for b in planned.beats)
    for beat in planned.beats:
        assert sum(line.tenths for line in beat.lines) == beat.tenths
        assert all("{" not in text for text in beat.title.values())


@pytest.mark.parametrize("name", ACTS)
def test_an_act_is_a_lecture_of_its_length(name):
    act = load_act(name)
    planned = plan(act, act.params())
    assert 150 <= planned.tenths / 10 <= 330
    assert 10 <= len(planned.beats) <= 18
    assert len({beat.name for beat in planned.beats}) == len(planned.beats)


def skeleton(entry):
    """The keys and counts of a words file, and which facts each text names."""
    if isinstance(entry, dict):
        return {key: skeleton(value) for key, value in entry.items()}
    if isinstance(entry, list):
        return [skeleton(value) for value in entry]
    return sorted({name for _, name, _, _ in string.Formatter().parse(str(entry)) if name})


@pytest.mark.parametrize("name", ACTS)
def test_languages_have_the_same_words(name):
    one, *others = (skeleton(yaml.safe_load((act_folder(name) / f"{lang}.yaml").read_text("utf-8")))
                    for lang in LANGUAGES)
    assert one.keys() >= {"title", "beats", "labels", "leaves_out"}
    for other in others:
        assert other == one


@pytest.mark.parametrize("fps", [30, 60])
def test_half_a_frame_lands_on_every_whole_number(fps):
    """How manim 0.22 counts: play by arange (up), a frozen wait by int (down)."""
    for n in range(1, 3601):
        assert len(np.arange(0, (n - 0.5) / fps, 1 / fps)) == n
        assert int(((n + 0.5) / fps) / (1 / fps)) == n


@dataclass(frozen=True)
class Knobs:
    budget: int = param(6, 4, 24)
    lists: tuple = param((1, 2), 0, 9, least=2, most=3)
    causal: bool = param(True)
    prompt: str = param("romeo", choices=("romeo", "horse"))


@pytest.mark.parametrize("given_, words", [
    ({"budgt": "8"}, "budget"), ({"budget": "3"}, "int 4..24"), ({"budget": "six"}, "int 4..24"),
    ({"lists": "1"}, "2..3 of int 0..9"), ({"lists": "1,12"}, "2..3 of int 0..9"),
    ({"causal": "maybe"}, "true or false"), ({"prompt": "hamlet"}, "romeo, horse"),
])
def test_a_wrong_setting_is_refused_with_the_range(given_, words):
    with pytest.raises(ParamError, match=words):
        parse(Knobs, given_)


def test_settings_are_read_back_as_shown():
    for f in fields(Knobs):
        assert parse(Knobs, {f.name: shown(f.default)}) == Knobs()
        assert describe(f)


def test_overspending_names_act_and_beat(monkeypatch):
    name = ACTS[0]
    lecture = load_act(name)
    beat, mark = plan(lecture, lecture.params()).beats[0], next(iter(lecture.beats.values()))

    def too_long(act):
        act.rest(3 * beat.tenths + 1)

    too_long.__name__ = mark.play.__name__
    monkeypatch.setitem(lecture.beats, beat.name, replace(mark, play=too_long))
    with pytest.raises(OverspentError, match=f"{name}, beat {beat.name}"):
        rehearse(name)


@pytest.mark.parametrize("change, complaint", [
    (lambda words, beat: words["beats"].pop(beat), r"zh\.yaml:\d+: beats lacks 'back-to-the-map'"),
    (lambda words, beat: words["beats"][beat].pop("lines"),
     r"zh\.yaml:\d+: beat back-to-the-map has no lines"),
    (lambda words, beat: words["beats"][beat]["lines"].pop(), "differ in lines or cues"),
    (lambda words, beat: words.pop("beats"), r"zh\.yaml:1: it lacks 'beats'"),
])
def test_another_languages_words_may_lack_where_that_is_asked_for(monkeypatch, change, complaint):
    original, name, lecture = words._load, "back-to-the-map", load_act("act04")

    def load(language, act):
        found = deepcopy(original(language, act))
        if language == "zh":
            change(found, name)
        return found

    whole = plan(lecture, lecture.params())
    monkeypatch.setattr(words, "_load", load)
    with pytest.raises(WordsError, match=complaint):
        plan(lecture, lecture.params())
    alone = plan(lecture, lecture.params(), all_languages=False)
    assert {*alone.beat(name).lines[0].text} == {"en"}
    for ours, theirs in zip(alone.beats, whole.beats):
        assert (ours.start, ours.tenths, ours.title["en"]) == (
            theirs.start, theirs.tenths, theirs.title["en"])


def test_a_text_that_names_no_fact_is_an_error():
    with pytest.raises(WordsError, match="no fact 'budget'"):
        Words("en", "act04")._fill("at most {budget} tokens", {"cap": 3})


def test_a_line_is_followed_by_the_silence_that_its_mark_asks_for(monkeypatch):
    original, lecture = words._load, load_act("act04")

    def load(language, act):
        found = deepcopy(original(language, act))
        found["beats"]["back-to-the-map"]["lines"][0] += " [rest-12]"
        return found

    before = plan(lecture, lecture.params()).beat("back-to-the-map").lines
    monkeypatch.setattr(words, "_load", load)
    after = plan(lecture, lecture.params()).beat("back-to-the-map").lines
    assert [b.tenths - a.tenths for a, b in zip(before, after)] == [12, *[0] * (len(before) - 1)]
    assert after[0].text == before[0].text and after[0].cues == before[0].cues


def test_a_beat_named_remember_ends_an_act_instead_of_the_usual_one():
    own, usual = load_act("act04"), load_act("act01")
    assert [*own.beats][-1] == [*usual.beats][-1] == "remember"
    assert own.beats["remember"].module == "scenes.act04_scheduler.closing"
    assert usual.beats["remember"].module == "scenes.stage.lecture"
