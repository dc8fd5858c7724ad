"""An evening of Yahtzee: places at the table count, so that one lucky game does not decide."""

from __future__ import annotations

from typing import Final

from scoreboard.tournament.model.tournament_format import TournamentFormat

FORMAT: Final = TournamentFormat(
    name="Yahtzee evening",
    game="yahtzee",
    rounds=4,
    games=1,
    reckoning="places",
    tiebreaks=("points", "wins", "score", "best-game"),
)
