"""Numbers in words, as they are read aloud in English and Chinese."""

__all__ = ["NUMERALS", "chinese", "english"]

_ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
         "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
         "nineteen"]
_TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_GROUPS = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand"))
_DIGITS = "零一二三四五六七八九"


def english(number: str) -> str:
    """"2,048" -> "two thousand forty-eight", "0.80" -> "zero point eight zero"."""
    whole, _, decimals = number.replace(",", "").partition(".")
    words = _english(int(whole))
    return " ".join([words, "point", *(_ONES[int(d)] for d in decimals)]) if decimals else words


def _english(n: int) -> str:
    if n < 20:
        return _ONES[n]
    if n < 100:
        return _TENS[n // 10] + ("-" + _ONES[n % 10] if n % 10 else "")
    size, name = next(((size, name) for size, name in _GROUPS if n >= size), (100, "hundred"))
    rest = f" {_english(n % size)}" if n % size else ""
    return f"{_english(n // size)} {name}{rest}"


def chinese(number: str) -> str:
    """"2,048" -> "两千零四十八", "0.80" -> "零点八零"."""
    whole, _, decimals = number.replace(",", "").partition(".")
    words = _chinese(int(whole))
    return words + "点" + "".join(_DIGITS[int(d)] for d in decimals) if decimals else words


def _chinese(n: int) -> str:
    if n < 10:
        return _DIGITS[n]
    for size, name in ((10**8, "亿"), (10**4, "万"), (1000, "千"), (100, "百"), (10, "十")):
        if n >= size:
            many, rest = divmod(n, size)
            # 12 is 十二, not 一十二; 2000 is 两千, but 20 is 二十
            head = "" if n < 20 else "两" if many == 2 and size > 10 else _chinese(many)
            gap = "零" if rest and rest < size // 10 else ""
            return head + name + (gap + _chinese_rest(rest) if rest else "")
    raise AssertionError(n)


def _chinese_rest(n: int) -> str:
    """A number after a larger unit: 110 is 一百一十."""
    return "一" + _chinese(n) if 10 <= n < 20 else _chinese(n)


NUMERALS = {"en": english, "zh": chinese}
