"""The lines for records that fall, from the figures before and the game at hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from scoreboard.games.finished import FinishedGame
from scoreboard.games.records import PlayerRecord, end_records, five_alike_record
from scoreboard.message import message

YAHTZEE = message("Yahtzee")
AT = datetime(2026, 5, 1, 20, tzinfo=UTC)
ANN = FinishedGame("g", "yahtzee", "", AT, 0, "Ann", 2, 312, 1, yahtzees=1)
BEN = replace(ANN, seat=1, name="Ben", total=198, place=2)


@pytest.mark.parametrize(
    ("count", "line"),
    [
        (1, "Ann’s first Yahtzee of the year"),
        (3, "Ann’s third Yahtzee of the year"),
        (5, "Ann’s fifth Yahtzee of the year"),
        (6, "Ann: Yahtzee number 6 of the year"),
    ],
)
def test_yahtzees_of_the_year_are_counted(count: int, line: str) -> None:
    """In words as far as the fifth."""
    assert str(five_alike_record("Ann", YAHTZEE, count)) == line


@pytest.mark.parametrize(
    ("best_of_all", "before", "lines"),
    [
        (None, {}, []),
        (400, {}, []),
        (400, {"Ann": PlayerRecord(best=311)}, ["Ann’s best Yahtzee: 312"]),
        (400, {"Ann": PlayerRecord(best=312)}, []),
        (311, {"Ann": PlayerRecord(best=300)}, ["The best Yahtzee so far: Ann, 312"]),
        (312, {"Ann": PlayerRecord(best=300)}, ["Ann’s best Yahtzee: 312"]),
        (400, {"Ben": PlayerRecord(best=150)}, ["Ben’s best Yahtzee: 198"]),
        (
            190,
            {"Ben": PlayerRecord(best=150)},
            ["The best Yahtzee so far: Ann, 312", "Ben’s best Yahtzee: 198"],
        ),
        (400, {"Ann": PlayerRecord(best=400, running=1, streak=1)}, []),
        (
            400,
            {"Ann": PlayerRecord(best=400, running=2, streak=2)},
            ["Ann: 3 wins in a row, more than ever"],
        ),
        (
            400,
            {"Ann": PlayerRecord(best=400, running=3, streak=7)},
            ["Ann: 4 wins in a row"],
        ),
        (400, {"Ben": PlayerRecord(best=400, running=5, streak=5)}, []),
    ],
)
def test_records_are_told_at_the_end(
    best_of_all: int | None, before: dict[str, PlayerRecord], lines: list[str]
) -> None:
    """The best of all, one's own best, wins in a row; nothing in somebody's first game."""
    told = end_records(YAHTZEE, best_of_all, before, [ANN, BEN])
    assert [str(line) for line in told] == lines


def test_a_lone_player_wins_against_nobody() -> None:
    """Nor does one who left have a total."""
    alone = replace(ANN, players=1, total=None)
    before = {"Ann": PlayerRecord(best=100, running=5, streak=5)}
    assert list(end_records(YAHTZEE, 100, before, [alone])) == []
