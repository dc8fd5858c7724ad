"""A game as plain figures."""

from __future__ import annotations

import csv
import io
import json

import pytest

from scoreboard.games.engine.printout import neutralised, score_table, summary
from scoreboard.games.notation import replay_text

TEXT = "game yahtzee\nplayers =1+1, 홍길동\nroll 55521\nscore fives\nroll 11111\n"


def test_a_game_under_way_is_told_in_figures() -> None:
    """Boxes are null while empty, totals stand from the start, the second turn is open."""
    replayed = replay_text(TEXT)
    figures = json.loads(json.dumps(summary(replayed.game, replayed.state)))
    first, second = figures["players"]
    assert {key: points for key, points in first["boxes"].items() if points is not None} == {
        "fives": 15
    }
    assert len(first["boxes"]) == len(second["boxes"]) == 13
    assert first["totals"] == {
        "upper": 15,
        "bonus": 0,
        "upper-total": 15,
        "lower": 0,
        "yahtzee-bonus": 0,
        "grand": 15,
    }
    assert (first["name"], second["name"]) == ("=1+1", "홍길동")
    assert (figures["game"], figures["turn"], figures["finished"]) == ("yahtzee", 2, False)
    assert figures["ranking"] == []


def test_a_finished_game_has_a_ranking_and_no_turn() -> None:
    """When all have left, the game is over."""
    replayed = replay_text(TEXT + "leave =1+1\nleave 홍길동\n")
    figures = summary(replayed.game, replayed.state)
    assert (figures["turn"], figures["finished"]) == (None, True)
    assert figures["ranking"] == [
        {"place": 1, "player": "=1+1", "points": 15},
        {"place": 2, "player": "홍길동", "points": 0},
    ]


def test_the_table_is_read_back_from_csv() -> None:
    """A head with the names, then a line a row; the name that is a formula is neutralised."""
    replayed = replay_text(TEXT)
    file = io.StringIO()
    csv.writer(file).writerows(score_table(replayed.game.scoresheet(replayed.state)))
    head, *rows = csv.reader(io.StringIO(file.getvalue()))
    assert head == ["row", "'=1+1", "홍길동"]
    assert ["fives", "15", ""] in rows
    assert ["grand", "15", "0"] in rows
    assert len(rows) == 19


@pytest.mark.parametrize(
    ("name", "harmless"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@A1", "'@A1"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("North", "North"),
        ("a=b", "a=b"),
    ],
)
def test_no_name_is_taken_for_a_formula(name: str, harmless: str) -> None:
    """A spreadsheet computes what begins with = + - @, also after a tab."""
    assert neutralised(name) == harmless
