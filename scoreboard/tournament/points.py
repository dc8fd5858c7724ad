"""What an entrant is awarded: whole points, or parts of one where places are shared."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from scoreboard.errors import NotationError
from scoreboard.phrase import phrase

Points = int | Fraction

_POINTS: Final = re.compile(r"[+-]?[0-9]{1,9}(/[1-9][0-9]{0,3})?")
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
            phrase("“{text}” is no number of points: write it as 52, -7 or 7/2.", text=text)
        )
    return points(Fraction(plain))


def write_points(value: Points) -> str:
    """The notation that `read_points` reads, and that sheets print."""
    return str(points(value))
