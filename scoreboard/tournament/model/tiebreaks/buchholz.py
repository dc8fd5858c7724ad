"""Buchholz: the points of all opponents; who had the harder ones stands above."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points, share, shown_points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreak import Tiebreak


def _values(ledger: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: share(sum(ledger.opposition(each)), ledger.scale) for each in level}


def _reason(more: Points, less: Points) -> Message:
    return message(
        "their opponents have {more} points against {less}",
        more=shown_points(more),
        less=shown_points(less),
    )


TIEBREAK: Final = Tiebreak("buchholz", message("Buchholz"), _values, _reason)
