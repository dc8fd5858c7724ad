"""The names at a table."""

from __future__ import annotations

import pytest

from scoreboard.errors import NotationError
from scoreboard.players import LINE_BREAKS, LONGEST_NAME, plain_text, player_name, player_names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("North", "North"),
        ("  North  ", "North"),
        ("홍길동", "홍길동"),
        ("x" * LONGEST_NAME, "x" * LONGEST_NAME),
        ("\xa0#1\xa0", "#1"),
    ],
)
def test_a_name_is_taken_without_the_blanks_around_it(text: str, name: str) -> None:
    """Any script and any sign may stand in a name."""
    assert player_name(text) == name


@pytest.mark.parametrize("text", ["", "   ", "x" * 61, "A, B", "A\nB", "A\u2028B"])
def test_a_name_that_is_none_is_refused(text: str) -> None:
    """1 to 60 characters, no comma, no line break."""
    with pytest.raises(NotationError):
        player_name(text)


def test_every_line_break_of_python_counts() -> None:
    """A name that `splitlines` would cut cannot be written on one line."""
    breaks = {chr(code) for code in range(0x3000) if len(f"a{chr(code)}b".splitlines()) > 1}
    assert breaks == LINE_BREAKS


def test_names_keep_their_seats() -> None:
    assert player_names(["South", " North"]) == ("South", "North")


@pytest.mark.parametrize("texts", [[], ["North", "North"], ["North", " North "], ["North", ""]])
def test_a_table_that_cannot_be_is_refused(texts: list[str]) -> None:
    with pytest.raises(NotationError):
        player_names(texts)


@pytest.mark.parametrize(
    "name",
    [
        "شیرین\u200cگل", "ශ්\u200dරී ලාල්", "അവന്\u200d", "র\u200d্যাম", "क्\u200cष", "می\u064f\u200cشود",
        "👩\u200d👩\u200d👧", "👩🏽\u200d🚀", "❤\ufe0f\u200d🔥",
    ],
)  # fmt: skip
def test_joiners_that_spell_are_kept(name: str) -> None:
    """Persian, Sinhala, Malayalam, Bengali, Hindi and emoji are written with them."""
    assert plain_text(name) == name


@pytest.mark.parametrize(
    ("pasted", "name"),
    [
        ("No\u200bra", "Nora"), ("\ufeffNora\u200e", "Nora"), ("\u2068Nora\u2069", "Nora"),
        ("No\u00adra", "Nora"), ("\u202eNora", "Nora"), ("No\u200cra", "Nora"),
        ("\u200d\u200cNora\u200d", "Nora"), ("김\u200d철수", "김철수"), ("A\u200b\u0301ne", "Áne"),
        ("شیرین\u200f\u200c\u200cگل", "شیرین\u200cگل"), ("علی\u200c", "علی"), ("A\u200d👩", "A👩"),
    ],
)  # fmt: skip
def test_signs_that_only_a_paste_brings_are_dropped(pasted: str, name: str) -> None:
    """Nobody sees them, so nobody could find them to take them out."""
    assert plain_text(pasted) == name


@pytest.mark.parametrize("text", ["An\x07n", "An\tn", "An\nn", "\u3164", "A\u034fn"])
def test_controls_and_fillers_are_refused(text: str) -> None:
    """They come with no paste; the sentence names them by number."""
    with pytest.raises(NotationError, match=rf"U\+{ord(text.strip('An') or text[-1]):04X}"):
        plain_text(text)
