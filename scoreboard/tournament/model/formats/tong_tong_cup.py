"""Tong Tong at tables of four, the matches’ points added, then a final."""

from __future__ import annotations

from typing import Final

from scoreboard.tournament.model.tournament_format import Stage, TournamentFormat

FORMAT: Final = TournamentFormat(
    name="Tong Tong cup",
    game="tongtong",
    rounds=3,
    games=1,
    tiebreaks=("points", "wins", "best-game", "lot"),
    stages=(Stage("Final", 4, games=1, seating="blocks"),),
)
