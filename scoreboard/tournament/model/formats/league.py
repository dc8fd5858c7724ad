"""A league of meetings, of which the best count."""

from __future__ import annotations

from typing import Final

from scoreboard.tournament.model.tournament_format import TournamentFormat

FORMAT: Final = TournamentFormat(
    name="League",
    game="rummikub",
    rounds=2,
    meetings=8,
    counted=6,
    games=2,
    zero_sum=True,
    no_show=-100,
    tiebreaks=("points", "wins", "best-game"),
)
