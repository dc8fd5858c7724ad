"""The names at a table."""

from __future__ import annotations

import pytest

from scoreboard.errors import NotationError
from scoreboard.players import LINE_BREAKS, LONGEST_NAME, player_name, player_names


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


@pytest.mark.parametrize("text", ["", "   ", "x" * 31, "A, B", "A\nB", "A\u2028B"])
def test_a_name_that_is_none_is_refused(text: str) -> None:
    """1 to 30 characters, no comma, no line break."""
    with pytest.raises(NotationError):
        player_name(text)


def test_every_line_break_of_python_counts() -> None:
    """A name that `splitlines` would cut cannot be written on one line."""
    breaks = {chr(code) for code in range(0x3000) if len(f"a{chr(code)}b".splitlines()) > 1}
    assert breaks == LINE_BREAKS


def test_names_keep_their_seats() -> None:
    """Seat order is the order told."""
    assert player_names(["South", " North"]) == ("South", "North")


@pytest.mark.parametrize("texts", [[], ["North", "North"], ["North", " North "], ["North", ""]])
def test_a_table_that_cannot_be_is_refused(texts: list[str]) -> None:
    """At least one player, and no two of the same name."""
    with pytest.raises(NotationError):
        player_names(texts)
