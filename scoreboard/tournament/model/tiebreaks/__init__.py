"""What may decide a standing, one a file; a new one is a file and a line in TIEBREAKS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.tournament.model.tiebreak import Tiebreak
from scoreboard.tournament.model.tiebreaks import (
    best_game,
    buchholz,
    buchholz_cut_1,
    buchholz_median,
    earlier,
    head_to_head,
    lasted,
    lot,
    play_off,
    points,
    score,
    sonneborn_berger,
    wins,
)

TIEBREAKS: Final[Mapping[str, Tiebreak]] = {
    "points": points.TIEBREAK,
    "wins": wins.TIEBREAK,
    "score": score.TIEBREAK,
    "head-to-head": head_to_head.TIEBREAK,
    "buchholz": buchholz.TIEBREAK,
    "buchholz-cut-1": buchholz_cut_1.TIEBREAK,
    "buchholz-median": buchholz_median.TIEBREAK,
    "sonneborn-berger": sonneborn_berger.TIEBREAK,
    "best-game": best_game.TIEBREAK,
    "lasted": lasted.TIEBREAK,
    "earlier": earlier.TIEBREAK,
    "play-off": play_off.TIEBREAK,
    "lot": lot.TIEBREAK,
}
