"""Everyone meets everyone, one game each."""

from __future__ import annotations

from typing import Final

from scoreboard.tournament.model.tournament_format import TournamentFormat

FORMAT: Final = TournamentFormat(
    name="Round robin",
    game="rummikub",
    system="round-robin",
    rounds=5,
    games=1,
    table_size=2,
    smallest_table=2,
    reckoning="wins",
    tiebreaks=("points", "head-to-head", "sonneborn-berger", "wins", "score", "lot"),
)
