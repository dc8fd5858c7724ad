"""Buchholz cut 1: the points of all opponents but the weakest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points, share, shown_points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreak import Tiebreak


def _values(ledger: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: share(_cut(ledger.opposition(each)), ledger.scale) for each in level}


def _cut(opposition: list[int]) -> int:
    return sum(opposition) - min(opposition, default=0)


def _reason(more: Points, less: Points) -> Message:
    return message(
        "their opponents but the weakest have {more} points against {less}",
        more=shown_points(more),
        less=shown_points(less),
    )


TIEBREAK: Final = Tiebreak("buchholz-cut-1", message("Buchholz cut 1"), _values, _reason)
