"""Numbers as people type them: the digits of any script, every minus, blanks around."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import decimal

MOST_DIGITS: Final = 18  # a database's largest; int() ends at 4,300 digits
_WHOLE: Final = re.compile(rf"([+-]?)\s*0*([0-9]{{1,{MOST_DIGITS}}})")
_SLASH: Final = re.compile(r"\s*[/\uff0f]\s*")
# hyphens, dashes and minus signs, a Japanese keyboard's long vowel, full-width signs
_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        **dict.fromkeys("\u30fc\uff70", "-"),
        **dict.fromkeys("\ufe62\uff0b", "+"),
        **dict.fromkeys("\u060c\ufe50\uff0c", ","),
        **dict.fromkeys("\u3001\uff64", ", "),  # they part a list, and no decimals
        **dict.fromkeys("\ufe52\uff0e\u066b", "."),
        "\uff1a": ":",
        **dict.fromkeys("\u00a0\u202f\u3000", " "),
        **dict.fromkeys("\u200b\u200e\u200f\u2060\ufeff"),  # unseen, come with what is copied
    }
)


def plain_digits(text: str) -> str:
    """The text with its digits, and the signs next to them, in ASCII."""
    if text.isascii():
        return text
    return "".join(str(decimal(each, each)) for each in text).translate(_SIGNS)


def typed_number(text: str) -> int | None:
    """A typed whole number, None for anything else and for more than 18 digits."""
    found = _WHOLE.fullmatch(plain_digits(text).strip())
    return None if found is None else int(found[1] + found[2])


def typed_list(text: str) -> list[str]:
    """The parts of a typed list, separated by blanks or commas, or by slashes alone: `4/3/2`."""
    parts = _SLASH.sub("/", plain_digits(text)).replace(",", " ").split()
    return parts if len(parts) > 1 else [each for part in parts for each in part.split("/")]
