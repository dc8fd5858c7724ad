"""Formats to begin from, by stored name; a new one is an entry of FORMATS."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from scoreboard.tournament.model.tournament_format import Stage, TournamentFormat

_DUELS: Final[Mapping[str, Any]] = {"table_size": 2, "smallest_table": 2, "reckoning": "wins"}
_ADDED: Final = ("points", "wins", "best-game")
_KNOCKOUT: Final = TournamentFormat(
    "Knockout", "yahtzee", "knockout", rounds=10, bye=2, tiebreaks=("lasted",), **_DUELS
)
FORMATS: Final[Mapping[str, TournamentFormat]] = {
    # Rummikub as nationals play it: rounds at fours, semi-finals 1-3-5-7 and 2-4-6-8, a final.
    "rummikub-national": TournamentFormat(
        "Rummikub national",
        games=4,
        zero_sum=True,
        tiebreaks=(*_ADDED, "play-off", "lot"),
        stages=(
            Stage("Semi-finals", 8, games=4),
            Stage("Final", 4, games=4, seating="blocks", best_of_table=True),
        ),
    ),
    # A club evening: three rounds at tables of three or four, the points added.
    "club-evening": TournamentFormat("Club evening", games=2, zero_sum=True, tiebreaks=_ADDED),
    # An evening of Yahtzee: places at the table count, so that one lucky game does not decide.
    "yahtzee-evening": TournamentFormat(
        "Yahtzee evening",
        "yahtzee",
        rounds=4,
        games=1,
        reckoning="places",
        tiebreaks=("points", "wins", "score", "best-game"),
    ),
    # Duels of Yahtzee by the Swiss system: five rounds, best of three.
    "yahtzee-duel-swiss": TournamentFormat(
        "Yahtzee duel Swiss",
        "yahtzee",
        "swiss",
        rounds=5,
        bye=2,
        tiebreaks=("points", "buchholz-cut-1", "buchholz", "sonneborn-berger", "score", "lot"),
        **_DUELS,
    ),
    # Everyone meets everyone, one game each.
    "round-robin": TournamentFormat(
        "Round robin",
        system="round-robin",
        rounds=5,
        games=1,
        tiebreaks=("points", "head-to-head", "sonneborn-berger", "wins", "score", "lot"),
        **_DUELS,
    ),
    # Who loses a match is out.
    "knockout": _KNOCKOUT,
    # Who loses two matches is out.
    "double-knockout": replace(
        _KNOCKOUT, name="Double knockout", system="double-knockout", rounds=20
    ),
    # A league of meetings, of which the best count.
    "league": TournamentFormat(
        "League",
        rounds=2,
        meetings=8,
        counted=6,
        games=2,
        zero_sum=True,
        no_show=-100,
        tiebreaks=_ADDED,
    ),
    # Tong Tong at tables of four, the matches’ points added, then a final.
    "tong-tong-cup": TournamentFormat(
        "Tong Tong cup",
        "tongtong",
        games=1,
        tiebreaks=(*_ADDED, "lot"),
        stages=(Stage("Final", 4, games=1, seating="blocks"),),
    ),
    # Everyone plays alone as often as they like; the three best scores are added.
    "blind-high-score": TournamentFormat(
        "Blind high score",
        "yahtzee",
        "blind",
        rounds=1,
        counted=3,
        games=1,
        table_size=1,
        smallest_table=1,
        tiebreaks=("points", "best-game"),
    ),
}
