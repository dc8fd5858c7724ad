"""Who loses a match is out."""

from __future__ import annotations

from typing import Final

from scoreboard.tournament.model.tournament_format import TournamentFormat

FORMAT: Final = TournamentFormat(
    name="Knockout",
    game="yahtzee",
    system="knockout",
    rounds=10,
    games=3,
    table_size=2,
    smallest_table=2,
    reckoning="wins",
    bye=2,
    tiebreaks=("lasted",),
)
