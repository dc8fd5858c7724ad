"""Duels of Yahtzee by the Swiss system: five rounds, best of three."""

from __future__ import annotations

from typing import Final

from scoreboard.tournament.model.tournament_format import TournamentFormat

FORMAT: Final = TournamentFormat(
    name="Yahtzee duel Swiss",
    game="yahtzee",
    system="swiss",
    rounds=5,
    games=3,
    table_size=2,
    smallest_table=2,
    reckoning="wins",
    bye=2,
    tiebreaks=("points", "buchholz-cut-1", "buchholz", "sonneborn-berger", "score", "lot"),
)
