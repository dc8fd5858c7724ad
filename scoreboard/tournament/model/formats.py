"""Formats to begin from, by stored name; a new one is an entry of FORMATS."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from scoreboard.tournament.model.tournament_format import Stage, TournamentFormat

_DUELS: Final[Mapping[str, Any]] = {"table_size": 2, "smallest_table": 2, "reckoning": "wins"}
_KNOCKOUT: Final = TournamentFormat(
    name="Knockout",
    game="yahtzee",
    system="knockout",
    rounds=10,
    games=3,
    bye=2,
    tiebreaks=("lasted",),
    **_DUELS,
)
FORMATS: Final[Mapping[str, TournamentFormat]] = {
    # Rummikub as nationals play it: rounds at fours, semi-finals 1-3-5-7 and 2-4-6-8, a final.
    "rummikub-national": TournamentFormat(
        name="Rummikub national",
        game="rummikub",
        rounds=3,
        games=4,
        table_size=4,
        smallest_table=3,
        zero_sum=True,
        tiebreaks=("points", "wins", "best-game", "play-off", "lot"),
        stages=(
            Stage("Semi-finals", 8, games=4, seating="odd-even", best_of_table=False),
            Stage("Final", 4, games=4, seating="blocks", best_of_table=True),
        ),
    ),
    # A club evening: three rounds at tables of three or four, the points added.
    "club-evening": TournamentFormat(
        name="Club evening",
        game="rummikub",
        rounds=3,
        games=2,
        zero_sum=True,
        tiebreaks=("points", "wins", "best-game"),
    ),
    # An evening of Yahtzee: places at the table count, so that one lucky game does not decide.
    "yahtzee-evening": TournamentFormat(
        name="Yahtzee evening",
        game="yahtzee",
        rounds=4,
        games=1,
        reckoning="places",
        tiebreaks=("points", "wins", "score", "best-game"),
    ),
    # Duels of Yahtzee by the Swiss system: five rounds, best of three.
    "yahtzee-duel-swiss": TournamentFormat(
        name="Yahtzee duel Swiss",
        game="yahtzee",
        system="swiss",
        rounds=5,
        games=3,
        **_DUELS,
        bye=2,
        tiebreaks=("points", "buchholz-cut-1", "buchholz", "sonneborn-berger", "score", "lot"),
    ),
    # Everyone meets everyone, one game each.
    "round-robin": TournamentFormat(
        name="Round robin",
        game="rummikub",
        system="round-robin",
        rounds=5,
        games=1,
        **_DUELS,
        tiebreaks=("points", "head-to-head", "sonneborn-berger", "wins", "score", "lot"),
    ),
    # Who loses a match is out.
    "knockout": _KNOCKOUT,
    # Who loses two matches is out.
    "double-knockout": replace(
        _KNOCKOUT, name="Double knockout", system="double-knockout", rounds=20
    ),
    # A league of meetings, of which the best count.
    "league": TournamentFormat(
        name="League",
        game="rummikub",
        rounds=2,
        meetings=8,
        counted=6,
        games=2,
        zero_sum=True,
        no_show=-100,
        tiebreaks=("points", "wins", "best-game"),
    ),
    # Tong Tong at tables of four, the matches’ points added, then a final.
    "tong-tong-cup": TournamentFormat(
        name="Tong Tong cup",
        game="tongtong",
        rounds=3,
        games=1,
        tiebreaks=("points", "wins", "best-game", "lot"),
        stages=(Stage("Final", 4, games=1, seating="blocks"),),
    ),
    # Everyone plays alone as often as they like; the three best scores are added.
    "blind-high-score": TournamentFormat(
        name="Blind high score",
        game="yahtzee",
        system="blind",
        rounds=1,
        counted=3,
        games=1,
        table_size=1,
        smallest_table=1,
        tiebreaks=("points", "best-game"),
    ),
}
