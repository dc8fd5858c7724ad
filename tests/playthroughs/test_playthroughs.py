"""Whole games of each rulebook, each totalled by hand in the comments of its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoreboard.games.engine.printout import summary
from scoreboard.games.notation import export_text, replay_text

FOLDER = Path(__file__).parent
# The totals of each sheet, in its order, as the comments add them up: for Yahtzee upper, bonus,
# upper-total, lower, yahtzee-bonus, grand; for Yams upper, bonus, delta, grand; for Chaser its one;
# for Rummikub the sum of the rounds, for Tong Tong that after each game and what decides; for a
# free sheet its one.
TOTALS = {
    "solo": {"Solo": (74, 35, 109, 217, 300, 626)},
    "duel": {"North": (80, 35, 115, 168, 100, 383), "South": (64, 35, 99, 160, 0, 259)},
    "leaving": {
        "East": (62, 0, 62, 143, 0, 205),
        "South": (63, 35, 98, 107, 0, 205),
        "West": (0, 0, 0, 22, 0, 22),
    },
    "bga-duel": {"Ann": (58, 0, 58, 108, 100, 266), "Ben": (59, 0, 59, 107, 100, 266)},
    "bga-full-house-25": {"Solo": (46, 0, 46, 119, 0, 165)},
    "bga-jokers": {"Ann": (105, 35, 140, 189, 1000, 1329), "Ben": (79, 35, 114, 197, 800, 1111)},
    "yams-duel": {"Ann": (51, 0, 5, 160), "Ben": (71, 41, 0, 217)},
    "yams-small-straight-45": {"Solo": (57, 0, 7, 158)},
    "yams-three": {"Ann": (45, 0, 1, 236), "Ben": (34, 0, 3, 199), "Cem": (59, 0, 2, 226)},
    "chaser-duel": {"Ann": (96,), "Ben": (83,)},
    "chaser-strict": {"Solo": (81,)},
    "chaser-three": {"Ann": (145,), "Ben": (133,), "Cem": (125,)},
    "rummikub-building": {"Ann": (65,), "Ben": (-65,)},
    "rummikub-clock": {"Ann": (-31,), "Ben": (61,), "Cem": (-30,)},
    "rummikub-duel": {"Ann": (4,), "Ben": (-4,)},
    "rummikub-four-sheet": {"A": (-14,), "B": (-29,), "C": (4,), "D": (39,)},
    "rummikub-nobody": {"A": (-1,), "B": (-50,), "C": (100,), "D": (-49,)},
    "rummikub-stalemate": {"Ann": (3,), "Ben": (4,), "Cem": (-7,)},
    "rummikub-stalemate-four": {"A": (-13,), "B": (50,), "C": (-20,), "D": (-17,)},
    "rummikub-uncounted": {"Ann": (137,), "Ben #2": (-72,), "Cem": (-65,)},
    "rummikub-xp-six": {
        "Ann": (-73,),
        "Ben": (-110,),
        "Cem": (-92,),
        "Dan": (471,),
        "Eve": (-109,),
        "Fay": (-87,),
    },
    "tongtong-three": {"Ann": (3, 4, 6, 6), "Ben": (7, 7, 17, 17), "Cem": (10, 22, 32, 32)},
    "tongtong-four-teams": {
        "Ann": (0, 11, 11, 28),
        "Ben": (4, 10, 11, 13),
        "Cem": (6, 17, 17, 28),
        "Dora": (1, 1, 2, 13),
    },
    "tongtong-quick": {
        "Ann": (11, 15, 25, 25),
        "Ben": (7, 18, 25, 25),
        "Cem": (0, 2, 3, 3),
        "Dora": (6, 7, 11, 11),
        "Eve": (1, 9, 11, 11),
    },
    "tongtong-points": {"Ann": (12, 14, 24, 24), "Ben": (9, 15, 24, 24), "Cem": (4, 7, 12, 12)},
    "free-sheet-three": {"Ann": (22,), "Ben": (15,), "Cem": (18,)},
    "tongtong-basic": {"Ann": (1, 10, 11, 11), "Ben": (1, 8, 18, 18), "Cem": (1, 8, 18, 18)},
}
RANKING = {
    "solo": [(1, "Solo")],
    "duel": [(1, "North"), (2, "South")],
    "leaving": [(1, "East"), (1, "South"), (3, "West")],
    "bga-duel": [(1, "Ann"), (1, "Ben")],
    "bga-full-house-25": [(1, "Solo")],
    "bga-jokers": [(1, "Ann"), (2, "Ben")],
    "yams-duel": [(1, "Ben"), (2, "Ann")],
    "yams-small-straight-45": [(1, "Solo")],
    "yams-three": [(1, "Ann"), (2, "Cem"), (3, "Ben")],
    "chaser-duel": [(1, "Ann"), (2, "Ben")],
    "chaser-strict": [(1, "Solo")],
    "chaser-three": [(1, "Ann"), (2, "Ben"), (3, "Cem")],
    "rummikub-building": [(1, "Ann"), (2, "Ben")],
    "rummikub-clock": [(1, "Ben"), (2, "Cem"), (3, "Ann")],
    "rummikub-duel": [(1, "Ann"), (2, "Ben")],
    "rummikub-four-sheet": [(1, "D"), (2, "C"), (3, "A"), (4, "B")],
    "rummikub-nobody": [(1, "C"), (2, "A"), (3, "D"), (4, "B")],
    "rummikub-stalemate": [(1, "Ben"), (2, "Ann"), (3, "Cem")],
    "rummikub-stalemate-four": [(1, "B"), (2, "A"), (3, "D"), (4, "C")],
    "rummikub-uncounted": [(1, "Ann"), (2, "Cem"), (3, "Ben #2")],
    "rummikub-xp-six": [
        (1, "Dan"),
        (2, "Ann"),
        (3, "Fay"),
        (4, "Cem"),
        (5, "Eve"),
        (6, "Ben"),
    ],
    "tongtong-three": [(1, "Cem"), (2, "Ben"), (3, "Ann")],
    "tongtong-four-teams": [(1, "Ann"), (1, "Cem"), (2, "Ben"), (2, "Dora")],
    "tongtong-quick": [(1, "Ann"), (2, "Ben"), (3, "Dora"), (4, "Eve"), (5, "Cem")],
    "tongtong-points": [(1, "Ann"), (2, "Ben"), (3, "Cem")],
    "free-sheet-three": [(1, "Ben"), (2, "Cem"), (3, "Ann")],
    "tongtong-basic": [(1, "Ben"), (1, "Cem"), (3, "Ann")],
}


def text_of(name: str) -> str:
    """The playthrough as it was written."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_playthrough_is_played() -> None:
    """A playthrough without its totals here would prove nothing."""
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(TOTALS) == set(RANKING)


@pytest.mark.parametrize("name", TOTALS)
def test_a_playthrough_comes_to_its_totals(name: str) -> None:
    """YZ-19: every total and the ranking are those worked out by hand."""
    replayed = replay_text(text_of(name))
    figures = summary(replayed.game, replayed.state)
    totals = {player["name"]: tuple(player["totals"].values()) for player in figures["players"]}
    assert totals == TOTALS[name]
    assert figures["finished"]
    assert [(place["place"], place["player"]) for place in figures["ranking"]] == RANKING[name]


@pytest.mark.parametrize("name", TOTALS)
def test_a_playthrough_survives_its_export(name: str) -> None:
    """Written out and played again, it has the same events and stands where it stood."""
    replayed = replay_text(text_of(name))
    again = replay_text(export_text(replayed.header, replayed.records))
    assert again.records == replayed.records
    assert again.state == replayed.state
