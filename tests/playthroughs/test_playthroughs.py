"""Whole games of each rulebook, each totalled by hand in the comments of its file."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path

import pytest

from scoreboard.games.engine.printout import summary
from scoreboard.games.notation import export_text, replay_text

FOLDER = Path(__file__).parent
# Everyone's place and the totals of their sheet, in its order, as each file's comments add them up:
# for Yahtzee upper, bonus, upper-total, lower, yahtzee-bonus, grand; for Yams upper, bonus, delta,
# grand; for Chaser its one; for Rummikub the sum of the rounds; for Tong Tong that after each game
# and what decides; for a free sheet its one.
ENDS = """
solo | 1. Solo: 74 35 109 217 300 626
duel | 1. North: 80 35 115 168 100 383, 2. South: 64 35 99 160 0 259
leaving | 1. East: 62 0 62 143 0 205, 1. South: 63 35 98 107 0 205, 3. West: 0 0 0 22 0 22
bga-duel | 1. Ann: 58 0 58 108 100 266, 1. Ben: 59 0 59 107 100 266
bga-full-house-25 | 1. Solo: 46 0 46 119 0 165
bga-jokers | 1. Ann: 105 35 140 189 1000 1329, 2. Ben: 79 35 114 197 800 1111
yams-duel | 2. Ann: 51 0 5 160, 1. Ben: 71 41 0 217
yams-small-straight-45 | 1. Solo: 57 0 7 158
yams-three | 1. Ann: 45 0 1 236, 3. Ben: 34 0 3 199, 2. Cem: 59 0 2 226
chaser-duel | 1. Ann: 96, 2. Ben: 83
chaser-strict | 1. Solo: 81
chaser-three | 1. Ann: 145, 2. Ben: 133, 3. Cem: 125
rummikub-building | 1. Ann: 65, 2. Ben: -65
rummikub-clock | 3. Ann: -31, 1. Ben: 61, 2. Cem: -30
rummikub-club | 2. Ann: -26, 1. Ben: 244, 3. Cem: -118
rummikub-duel | 1. Ann: 4, 2. Ben: -4
rummikub-four-sheet | 3. A: -14, 4. B: -29, 2. C: 4, 1. D: 39
rummikub-nobody | 2. A: -1, 4. B: -50, 1. C: 100, 3. D: -49
rummikub-stalemate | 2. Ann: 3, 1. Ben: 4, 3. Cem: -7
rummikub-stalemate-four | 2. A: -13, 1. B: 50, 4. C: -20, 3. D: -17
rummikub-uncounted | 1. Ann: 137, 3. Ben #2: -72, 2. Cem: -65
rummikub-xp-six | 2. Ann: -73, 6. Ben: -110, 4. Cem: -92, 1. Dan: 471, 5. Eve: -109, 3. Fay: -87
tongtong-three | 3. Ann: 3 4 6 6, 2. Ben: 7 7 17 17, 1. Cem: 10 22 32 32
tongtong-four-teams | 1. Ann: 0 11 11 28, 2. Ben: 4 10 11 13, 1. Cem: 6 17 17 28, 2. Dora: 1 1 2 13
tongtong-quick | 1. Ann: 11 15 25 25, 2. Ben: 7 18 25 25, 5. Cem: 0 2 3 3, 3. Dora: 6 7 11 11, \
    4. Eve: 1 9 11 11
tongtong-points | 1. Ann: 12 14 24 24, 2. Ben: 9 15 24 24, 3. Cem: 4 7 12 12
free-sheet-hearts | 1. Ann: 18, 2. Ben: 34
free-sheet-three | 3. Ann: 22, 1. Ben: 15, 2. Cem: 18
tongtong-basic | 3. Ann: 1 10 11 11, 1. Ben: 1 8 18 18, 1. Cem: 1 8 18 18
"""


def _ends() -> Iterator[tuple[str, dict[str, tuple[int, ...]], list[tuple[int, str]]]]:
    for line in ENDS.strip().splitlines():
        name, _, players = line.partition(" | ")
        totals, places = dict[str, tuple[int, ...]](), list[tuple[int, str]]()
        for each in players.split(", "):
            (place, player), figures = each.partition(": ")[0].split(". "), each.partition(": ")[2]
            totals[player.strip()] = tuple(map(int, figures.split()))
            places.append((int(place), player.strip()))
        yield name, totals, sorted(places, key=itemgetter(0))


TOTALS = {name: totals for name, totals, _ in _ends()}
RANKING = {name: places for name, _, places in _ends()}


def text_of(name: str) -> str:
    """The playthrough as it was written."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_playthrough_is_played() -> None:
    """A playthrough without its totals here would prove nothing."""
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(TOTALS)


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
