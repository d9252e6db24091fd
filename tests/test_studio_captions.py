"""Subtitles: readable, on the grid, with every word of the plan."""

from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.stage.plan import Line
from scenes.stage.words import reading_tenths
from studio.deliver.captions import Cue, cues
from studio.deliver.subtitles import ass, read_vtt, srt, vtt

LATIN = st.lists(st.text("abcdefghij", min_size=1, max_size=14), min_size=1, max_size=60).map(
    lambda words: " ".join(w + ("," if k % 7 == 6 else "") for k, w in enumerate(words)) + ".")
CHINESE = st.lists(st.text("调度器从左边走过等待队列", min_size=1, max_size=12), min_size=1,
                   max_size=12).map(lambda parts: "，".join(parts) + "。")


def plan_of(text, language):
    tenths = reading_tenths(language, text)
    line = Line(30, tenths, {language: text}, {})
    return SimpleNamespace(beats=[SimpleNamespace(lines=[line])], language=language), line


@pytest.mark.parametrize("language, texts, width, pace", [("en", LATIN, 42, 17),
                                                         ("zh", CHINESE, 18, 9)])
def test_cues_can_be_read(language, texts, width, pace):
    @settings(deadline=None)  # the first text reads the dictionary
    @given(texts)
    def holds(text):
        planned, line = plan_of(text, language)
        found = cues(planned, language)
        words = "".join("".join(cue.rows) for cue in found)
        assert words.replace(" ", "") == text.replace(" ", "")
        for cue in found:
            assert 1 <= len(cue.rows) <= 2
            assert max(map(len, cue.rows)) <= width
            assert sum(map(len, cue.rows)) / ((cue.end - cue.start) / 10) <= pace
        assert found[0].start == line.start
        assert found[-1].end <= line.start + line.tenths
        assert all(a.end <= b.start for a, b in pairwise(found))

    holds()


def test_rows_do_not_begin_with_a_stop_or_cut_a_name():
    planned, _ = plan_of("调度器从左边走过等待队列，"
                         "只要预算 max_num_seqs 允许，就继续取下一个序列。", "zh")
    rows = [row for cue in cues(planned, "zh") for row in cue.rows]
    assert not any(row[0] in "，。 " for row in rows)
    assert any("max_num_seqs" in row for row in rows)


def test_a_line_too_short_to_read_is_an_error():
    line = Line(0, 3, {"en": "This cannot be read in three tenths of a second."}, {})
    plan = SimpleNamespace(beats=[SimpleNamespace(name="a", lines=[line])], language="en")
    with pytest.raises(ValueError, match=r"beat a, line 1 in en: .*too short to read"):
        cues(plan, "en")


def test_another_languages_cues_share_the_time_that_there_is():
    words = "This is said in far less time than anybody needs to read so many words. " * 2
    line = Line(10, 31, {"zh": "短短一句。", "en": words.strip()}, {})
    plan = SimpleNamespace(beats=[SimpleNamespace(lines=[line])], language="zh")
    found = cues(plan, "en")
    assert (found[0].start, found[-1].end) == (10, 41)
    assert all(a.end <= b.start < b.end for a, b in pairwise(found))


def test_chinese_words_stay_whole():
    """Where the review of 2 December found words cut."""
    text = ("键说的是它凭什么被找到，查询问的是要找什么，"
            "旋转之后融合的核函数把分数累计起来再交给请求。")
    planned, _ = plan_of(text, "zh")
    rows = [row for cue in cues(planned, "zh") for row in cue.rows]
    for word in ("什么", "查询", "旋转", "融合", "累计", "请求"):
        assert text.count(word) == sum(row.count(word) for row in rows), word


ITEMS = (Cue(0, 12, ("a < b & {c}",)), Cue(36_105, 36_137, ("one", "14")))


def test_files_say_the_same_times():
    assert vtt(ITEMS) == ("WEBVTT\n\n1\n00:00:00.000 --> 00:00:01.200\na &lt; b &amp; {c}\n\n"
                          "2\n01:00:10.500 --> 01:00:13.700\none\n14\n")
    assert srt(ITEMS) == ("1\n00:00:00,000 --> 00:00:01,200\na < b & {c}\n\n"
                          "2\n01:00:10,500 --> 01:00:13,700\none\n14\n")
    lines = ass(ITEMS, "Inter", 50, "#17202B", "#FFFFFF").splitlines()
    assert [line for line in lines if line.startswith("Dialogue")] == [
        "Dialogue: 0,0:00:00.00,0:00:01.20,Words,,0,0,0,,a < b & \\{c}",
        "Dialogue: 0,1:00:10.50,1:00:13.70,Words,,0,0,0,,one\\N14"]
    style = next(line for line in lines if line.startswith("Style: Words"))
    assert style.startswith("Style: Words,Inter,50,&H002B2017,") and "&H00FFFFFF" in style


ROWS = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=20)


@given(st.lists(st.lists(ROWS, min_size=1, max_size=2), max_size=5))
def test_webvtt_is_read_back_as_it_was_written(texts):
    items = tuple(Cue(40 * k, 40 * k + 35, tuple(rows)) for k, rows in enumerate(texts))
    assert read_vtt(vtt(items)) == items
