"""Everyone plays alone as often as they like; the three best scores are added."""

from __future__ import annotations

from typing import Final

from scoreboard.tournament.model.tournament_format import TournamentFormat

FORMAT: Final = TournamentFormat(
    name="Blind high score",
    game="yahtzee",
    system="blind",
    rounds=1,
    counted=3,
    games=1,
    table_size=1,
    smallest_table=1,
    tiebreaks=("points", "best-game"),
)
