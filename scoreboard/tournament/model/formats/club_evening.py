"""A club evening: three rounds at tables of three or four, the points added."""

from __future__ import annotations

from typing import Final

from scoreboard.tournament.model.tournament_format import TournamentFormat

FORMAT: Final = TournamentFormat(
    name="Club evening",
    game="rummikub",
    rounds=3,
    games=2,
    zero_sum=True,
    tiebreaks=("points", "wins", "best-game"),
)
