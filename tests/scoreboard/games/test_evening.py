"""Which games are one evening's, and how the players did over all of them."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.games.evening import PAUSE, evenings, headline, podium
from scoreboard.games.finished import FinishedGame

AT = datetime(2026, 11, 25, 20, 0, tzinfo=UTC)


def times(text: str) -> list[tuple[str, datetime]]:
    """Games a, b, ... that ended at these times, each as `25 20:00`, in November."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return [
        (chr(ord("a") + at), datetime.strptime(f"2026-11-{part}", "%Y-%m-%d %H:%M"))  # noqa: DTZ007 -- local times
        for at, part in enumerate(parts)
    ]


@pytest.mark.parametrize(
    ("ended", "parted"),
    [
        ("", {}),
        ("25 20:00", {"2026-11-25": "a"}),
        ("25 20:00, 25 21:00, 26 01:30", {"2026-11-25": "abc"}),  # past midnight
        ("25 20:00, 26 02:00", {"2026-11-25": "ab"}),  # six hours are one evening
        ("25 20:00, 26 02:01", {"2026-11-25": "a", "2026-11-25-2": "b"}),
        ("25 10:00, 25 20:00, 25 21:00", {"2026-11-25": "a", "2026-11-25-2": "bc"}),
        ("26 00:30", {"2026-11-25": "a"}),  # before six it is still the day before
        ("26 05:59, 26 12:01", {"2026-11-25": "a", "2026-11-26": "b"}),
        ("25 23:00, 26 04:00, 26 09:00", {"2026-11-25": "abc"}),  # no pause is long enough
        ("25 21:00, 25 20:00", {"2026-11-25": "ba"}),
    ],
)
def test_a_pause_of_more_than_six_hours_parts_evenings(ended: str, parted: dict[str, str]) -> None:
    """An evening is called by the day on which it began; a day begins at six."""
    assert {key: "".join(ids) for key, ids in evenings(times(ended)).items()} == parted


@given(st.lists(st.integers(0, 60 * 24 * 9), max_size=30))
def test_every_game_is_in_one_evening(minutes: list[int]) -> None:
    """In the order of time; within one no pause is longer, between two each is."""
    ended = [(str(at), AT + timedelta(minutes=each)) for at, each in enumerate(minutes)]
    found, known = evenings(ended), dict(ended)
    groups = [[known[each] for each in group] for group in found.values()]
    assert [at for group in groups for at in group] == sorted(known.values())
    assert sorted(each for group in found.values() for each in group) == sorted(known)
    assert all(b - a <= PAUSE for group in groups for a, b in itertools.pairwise(group))
    assert all(b[0] - a[-1] > PAUSE for a, b in itertools.pairwise(groups))


def played(text: str) -> tuple[FinishedGame, ...]:
    """A game as `Ann 1. 250, Bo 2. 180`; `-` for the total of who left."""
    parts = [part.split() for part in text.split(",")]
    return tuple(
        FinishedGame(
            "g",
            "yahtzee",
            "",
            AT,
            seat,
            name,
            len(parts),
            None if total == "-" else int(total),
            None if place == "-" else int(place[0]),
        )
        for seat, (name, place, total) in enumerate(parts)
    )


@pytest.mark.parametrize(
    ("games", "standing"),
    [
        (["Ann 1. 250, Bo 2. 180"], ["1. Ann 1/1 250", "2. Bo 0/1 180"]),
        # wins count before points
        (
            ["Ann 1. 10, Bo 2. 9", "Ann 2. 10, Bo 1. 200", "Ann 1. 3, Bo 2. 2"],
            ["1. Ann 2/3 23", "2. Bo 1/3 211"],
        ),
        # as many wins: points; equal in both: one place, and the next is left out
        (
            ["Ann 1. 5, Bo 2. 4, Cem 2. 4", "Bo 1. 6, Ann 2. 5, Cem 2. 4"],
            ["1. Ann 1/2 10", "1. Bo 1/2 10", "3. Cem 0/2 8"],
        ),
        (["Ann 1. 7, Bo 1. 7"], ["1. Ann 1/1 7", "1. Bo 1/1 7"]),
        # nobody wins against themselves; who left has no points
        (["Ann 1. 300"], ["1. Ann 0/1 300"]),
        (["Ann 1. 50, Bo - -"], ["1. Ann 1/1 50", "2. Bo 0/1 0"]),
        (["Ann 1. -4, Bo 2. -9"], ["1. Ann 1/1 -4", "2. Bo 0/1 -9"]),
    ],
)
def test_most_wins_then_most_points(games: list[str], standing: list[str]) -> None:
    """Over all games of the evening, whichever each player was in."""
    assert [
        f"{one.place}. {one.name} {one.wins}/{one.games} {one.points}"
        for one in podium(played(game) for game in games)
    ] == standing


@pytest.mark.parametrize(
    ("games", "words"),
    [
        (["Ann 1. 10, Bo 2. 9", "Bo 1. 8, Ann 2. 7", "Ann 1. 3, Bo 2. 2"], "2 of 3 games"),
        (["Ann 1. 250, Bo 2. 180"], "Ann won the evening"),
        (["Ann 1. 7, Bo 1. 7"], "A tie for the evening: Ann, Bo"),
        (["Ann 1. 300"], "Ann’s evening"),
    ],
)
def test_the_evening_in_a_sentence(games: list[str], words: str) -> None:
    assert str(headline(podium(map(played, games)))).endswith(words)
