"""What an entrant is awarded: whole points, or parts of one where places are shared."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from scoreboard.errors import NotationError
from scoreboard.message import message

Points = int | Fraction

_POINTS: Final = re.compile(r"[+-]?[0-9]{1,9}(/[1-9][0-9]{0,3})?")
_SIGNS: Final = {
    "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/5": "⅕",
    "2/5": "⅖", "3/5": "⅗", "4/5": "⅘", "1/6": "⅙", "5/6": "⅚",
}  # fmt: skip
_PARTS: Final = 60  # a place shared by one to six comes in parts of these
_MINUS: Final = str.maketrans("\u2212\u2013", "--")  # what other programs write for a minus


def points(value: Points) -> Points:
    """The same value, a whole one as an int, so that equal points are written alike."""
    return value.numerator if value.denominator == 1 else value


def total(values: Iterable[Points]) -> Points:
    """All of them added up; parts of at most six, as tables award them, without slow fractions."""
    whole, sixtieths, rest = 0, 0, Fraction(0)
    for value in values:
        numerator, parts = value.as_integer_ratio()
        if parts == 1:
            whole += numerator
        elif _PARTS % parts:
            rest += value
        else:
            sixtieths += numerator * (_PARTS // parts)
    if not sixtieths and not rest:
        return whole
    exact = Fraction(whole * _PARTS + sixtieths, _PARTS)
    return points(exact + rest if rest else exact)


def share(total: Points, among: int) -> Points:
    """What each of `among` entrants gets where they share `total`."""
    return points(Fraction(total, among))


def read_points(text: str) -> Points:
    """Read `52`, `+52`, `-7` or `7/2`; the dashes of other programs are fine.

    Raises:
        NotationError: the text is no such number.
    """
    plain = text.strip().translate(_MINUS)
    if not _POINTS.fullmatch(plain):
        raise NotationError(
            message("“{text}” is no number of points: write it as 52, -7 or 7/2.", text=text)
        )
    return points(Fraction(plain))


def write_points(value: Points) -> str:
    """The notation that `read_points` reads, exact: `7/2`. Records and other programs have it."""
    return str(points(value))


def shown_points(value: Points) -> str:
    """The value as people read it on pages and sheets: `3½`, `-⅓`, `3 7/12`."""
    whole, part = divmod(abs(Fraction(value)), 1)
    if not part:
        return str(points(value))
    sign, before = "-" if value < 0 else "", str(whole) if whole else ""
    written = str(part)
    if written in _SIGNS:
        return f"{sign}{before}{_SIGNS[written]}"
    return f"{sign}{before} {written}" if before else f"{sign}{written}"


def decimal_points(value: Points) -> str:
    """The value as spreadsheets calculate with it: `3.5`, rounded to four places: `0.3333`."""
    if value.denominator == 1:
        return str(points(value))
    return f"{float(value):.4f}".rstrip("0").rstrip(".")
