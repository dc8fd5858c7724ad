"""Rummikub as nationals play it: rounds at fours, semi-finals 1-3-5-7 and 2-4-6-8, a final."""

from __future__ import annotations

from typing import Final

from scoreboard.tournament.model.tournament_format import Stage, TournamentFormat

FORMAT: Final = TournamentFormat(
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
)
