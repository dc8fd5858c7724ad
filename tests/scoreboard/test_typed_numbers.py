"""Numbers as people type them, on whatever keyboard."""

from __future__ import annotations

import pytest

from scoreboard.typed_numbers import MOST_DIGITS, typed_list, typed_number


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("12", 12),
        (" +12 ", 12),
        ("\uff11\uff12", 12),
        ("\u3000\uff11\uff12\u00a0", 12),
        ("\uff0b\uff11\uff12", 12),
        ("\u0661\u0662", 12),  # Arabic
        ("\u06f1\u06f2", 12),  # Persian
        ("\u0967\u0968", 12),  # Devanagari
        ("\u200e12\ufeff", 12),
        ("- 12", -12),
        *(
            (f"{minus}\uff11\uff12", -12)
            for minus in "-\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d\u30fc"
        ),
        ("9" * MOST_DIGITS, 10**MOST_DIGITS - 1),
        ("0" * 30 + "7", 7),
        ("9" * (MOST_DIGITS + 1), None),
        ("9" * 5000, None),
        ("1,5", None),
        ("1 200", None),
        ("1_000", None),
        ("--1", None),
        ("\u00b2", None),
        ("", None),
        ("ten", None),
    ],
)
def test_a_whole_number_is_read_in_any_script(typed: str, number: int | None) -> None:
    """Nothing that could mean another number is taken."""
    assert typed_number(typed) == number


@pytest.mark.parametrize(
    "typed",
    [
        "10, 6, 3, 1",
        "10 6 3 1",
        "10,6,3,1",
        "\uff11\uff10\u30016\uff0c3 1",
        "10/6/3/1",
        "10 / 6 /3/ 1",
    ],
)
def test_a_list_has_blanks_or_commas_or_slashes(typed: str) -> None:
    assert typed_list(typed) == ["10", "6", "3", "1"]


def test_a_slash_within_a_longer_list_is_a_fraction() -> None:
    assert typed_list("10, 7/2, 1") == ["10", "7/2", "1"]
    assert typed_list(" ") == []
