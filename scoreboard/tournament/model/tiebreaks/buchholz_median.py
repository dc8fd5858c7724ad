"""Median Buchholz: the points of all opponents but the weakest and the strongest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points, share, shown_points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreak import Tiebreak

BOTH: Final = 2  # the weakest and the strongest


def _values(ledger: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: share(_median(ledger.opposition(each)), ledger.scale) for each in level}


def _median(opposition: list[int]) -> int:
    if len(opposition) < BOTH:
        return 0
    return sum(opposition) - min(opposition) - max(opposition)


def _reason(more: Points, less: Points) -> Message:
    return message(
        "their opponents but the weakest and the strongest have {more} points against {less}",
        more=shown_points(more),
        less=shown_points(less),
    )


TIEBREAK: Final = Tiebreak("buchholz-median", message("Median Buchholz"), _values, _reason)
