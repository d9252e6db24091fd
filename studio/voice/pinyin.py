"""Chinese characters to pinyin, with the lexicon's readings of characters that have several."""

from functools import cache
from typing import Any

from scenes.stage.spoken import lexicon

__all__ = ["pinyin"]


def pinyin(text: str) -> list[list[str]]:
    """The syllables of each word of a run of Chinese characters, as "hang2", in sandhi."""
    from pypinyin import Style, lazy_pinyin

    return [lazy_pinyin(word, style=Style.TONE3, neutral_tone_with_five=True, tone_sandhi=True)
            for word in _segmenter().lcut(text)]


@cache
def _segmenter() -> Any:
    """A jieba of its own, told the lexicon's words (the subtitles' one is not); pypinyin is told
    their readings.
    """
    import jieba
    from pypinyin import load_phrases_dict, load_single_dict

    jieba.setLogLevel("ERROR")
    readings = lexicon("zh")["pinyin"]
    load_single_dict({ord(word): reading for word, reading in readings.items() if len(word) == 1})
    load_phrases_dict({word: [[syllable] for syllable in reading.split()]
                       for word, reading in readings.items() if len(word) > 1})
    segmenter = jieba.Tokenizer()
    for word in readings:
        segmenter.add_word(word)
    return segmenter
