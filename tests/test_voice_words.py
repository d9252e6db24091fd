"""From written lines to spoken words: nothing is dropped, numbers and signs are read aloud."""

import re
from functools import cache

import pytest

from scenes.stage.numerals import chinese, english
from scenes.stage.speech import speaking_seconds, speech_tenths
from scenes.stage.spoken import SpeechError, lexicon, spoken
from studio.voice.base import load_voice
from studio.voice.chinese import missing as no_chinese
from studio.voice.english import phonemes
from studio.voice.samples import narration
from studio.voice.sound import trim

WORDS = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
STOPS = {"en": " .,;:?!'’“”-", "zh": " .,;:?!'’“”-，。；：？！、"}
lines = cache(narration)


@pytest.mark.parametrize("number, en, zh", [
    ("0", "zero", "零"), ("10", "ten", "十"), ("12", "twelve", "十二"),
    ("20", "twenty", "二十"), ("21", "twenty-one", "二十一"),
    ("101", "one hundred one", "一百零一"),
    ("110", "one hundred ten", "一百一十"), ("202", "two hundred two", "两百零二"),
    ("2,048", "two thousand forty-eight", "两千零四十八"),
    ("10,010", "ten thousand ten", "一万零一十"),
    ("151936", "one hundred fifty-one thousand nine hundred thirty-six", "十五万一千九百三十六"),
    ("120000", "one hundred twenty thousand", "十二万"),
    ("200000000", "two hundred million", "两亿"), ("0.80", "zero point eight zero", "零点八零"),
])
def test_numbers_in_words(number, en, zh):
    assert (english(number), chinese(number)) == (en, zh)


@pytest.mark.parametrize("written, said", [
    ("2,048 in 26.6 ms", "two thousand forty-eight in twenty-six point six milliseconds"),
    ("1 ms", "one millisecond"), ("[3, 4] is left.", "three by four is left."),
    ("[tokens, heads, head_dim]", "tokens by heads by head dim"),
    ("positions (5, 2) score", "positions five and two score"),
    ("20.4–38.2 %", "twenty point four to thirty-eight point two percent"),
    ("2^10", "two to the ten"), ("e^(−p·t)", "e to the minus p times t"),
    ("divide Q·Kᵀ by √d", "divide Q times K transposed by the root of d"),
    ("e^(−∞) = 0", "e to the minus infinity equals zero"), ("-3 − 4", "minus three minus four"),
    ("a ≈ b → c", "a is about b to c"), ("x² + y³", "x squared plus y cubed"),
    ("max_num_seqs", "max num seeks"), ("Linear.weight", "Linear dot weight"),
    ("layers/sampler.py:8", "layers slash sampler dot py, line eight"),
    ("step() calls run()", "step calls run"), ("heads (act 02).", "heads, act two."),
    ("one kernel (GPU program). Same", "one kernel, GPU program. Same"),
    ("16 : 8 : 1", "sixteen to eight to one"), ("K/V heads", "K V heads"),
    ("“the” leads", "“the” leads"), ("slot-steps", "slot steps"), ("After “-” comes",
                                                                 "After “a hyphen” comes"),
])
def test_english_reads_as_a_lecturer_would(written, said):
    assert spoken("en", written) == said


@pytest.mark.parametrize("written, said", [
    ("2,048 个 token 用了 26.6 ms", "两千零四十八个token用了二十六点六毫秒"),
    ("剩下 [3, 4]。", "剩下三乘四。"), ("2 个，第 2 个，12 步", "两个，第二个，十二步"),
    ("20.4–38.2 %", "百分之二十点四到三十八点二"), ("2^10", "二的十次方"),
    ("e^(−∞) = 0", "e的负无穷次方等于零"), ("除以 √d", "除以根号d"),
    ("Q·Kᵀ ≈ 0.8", "Q乘K的转置约等于零点八"), ("GPU 上的 KV 缓存", "GPU上的K V缓存"),
    ("每个 token 做 softmax", "每个token做soft max"), ("（第 02 幕）。", "第二幕。"),
    ("max_num_seqs", "max num seeks"), ("第 0 对", "第零对"), ("d/2", "二分之d"),
])
def test_chinese_reads_latin_words_numbers_and_signs(written, said):
    assert spoken("zh", written) == said


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("text, code", [("A snowman ☃ melts", "2603"), ("one - two", "002D")])
def test_what_nobody_says_is_an_error(language, text, code):
    with pytest.raises(SpeechError, match=f"U\\+{code}"):
        spoken(language, text)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_character_of_every_line_is_said(language):
    """In all variants: nothing is left that a voice would pass over in silence."""
    for line in lines(language):
        words = spoken(language, line)
        left = set(re.sub(r"[A-Za-z\u4e00-\u9fff]", "", words)) - set(STOPS[language])
        assert not left, f"{left} in {words!r}"
        letters = len(re.findall(r"[\u4e00-\u9fff]", line))
        assert len(re.findall(r"[\u4e00-\u9fff]", words)) >= letters, words
        changed = {*lexicon(language)["words"], *lexicon(language)["units"]}
        for word in {*WORDS.findall(line)} - {each.capitalize() for each in changed}:
            if not any(word in each for each in changed):  # the rest is said as it is written
                assert word in words, f"{word} of {line!r}"


def test_every_word_reaches_the_english_voice():
    voice = load_voice("hibari")
    words = {word for line in lines("en") for word in WORDS.findall(spoken("en", line))}
    silent = [word for word in sorted(words) if not "".join(phonemes(voice._model, word)).strip()]
    assert not silent
    for line in lines("en"):
        assert phonemes(voice._model, spoken("en", line))  # raises where a sound is lost


def test_every_word_reaches_the_chinese_voice():
    if lacks := no_chinese():
        pytest.skip(lacks)
    voice = load_voice("kokoro")
    for line in lines("zh"):
        words = spoken("zh", line)
        said = voice.phonemes(words)  # raises where a sound is lost
        syllables = len(re.findall(r"[\u4e00-\u9fff]", words))
        assert len(re.findall(r"[→↗↓↘]", said)) > 0.7 * syllables, said  # but neutral tones


def test_a_capital_a_is_a_name_inside_a_sentence():
    model = load_voice("hibari")._model
    assert "ˈA" in phonemes(model, "There is no token for A, B.")[0]
    assert phonemes(model, "A token waits.")[0].startswith("ɐ")


def test_planned_speaking_time_holds_what_the_voice_says():
    voice, several = load_voice("hibari"), lines("en")
    for text in several[::len(several) // 8]:
        said = trim(voice.speak(spoken("en", text)), voice.rate)
        assert 1 <= speech_tenths("en", text) / 10 / (len(said) / voice.rate) < 1.5, text


@pytest.mark.parametrize("language, text", [("en", "Prefill computes the prompt, many at once."),
                                            ("zh", "预填充计算提示词，一次许多个 token。")])
def test_speaking_time_grows_with_the_line(language, text):
    times = [speaking_seconds(language, text[:k]) for k in range(1, len(text) + 1)]
    assert times[-1] == max(times) and times[0] < 0.5 < times[-1] < 5
    assert speech_tenths(language, text + text) > speech_tenths(language, text)
