"""Formats to begin from, one a file; a new one is a file and a line in FORMATS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.tournament.model.formats import (
    blind_high_score,
    club_evening,
    double_knockout,
    knockout,
    league,
    round_robin,
    rummikub_national,
    tong_tong_cup,
    yahtzee_duel_swiss,
    yahtzee_evening,
)
from scoreboard.tournament.model.tournament_format import TournamentFormat

FORMATS: Final[Mapping[str, TournamentFormat]] = {
    "rummikub-national": rummikub_national.FORMAT,
    "club-evening": club_evening.FORMAT,
    "yahtzee-evening": yahtzee_evening.FORMAT,
    "yahtzee-duel-swiss": yahtzee_duel_swiss.FORMAT,
    "round-robin": round_robin.FORMAT,
    "knockout": knockout.FORMAT,
    "double-knockout": double_knockout.FORMAT,
    "league": league.FORMAT,
    "tong-tong-cup": tong_tong_cup.FORMAT,
    "blind-high-score": blind_high_score.FORMAT,
}
