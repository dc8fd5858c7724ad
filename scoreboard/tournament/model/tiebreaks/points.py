"""The points that count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points, shown_points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreak import Tiebreak


def _values(ledger: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: ledger.totals[each] for each in level}


def _reason(more: Points, less: Points) -> Message:
    return message("{more} points against {less}", more=shown_points(more), less=shown_points(less))


TIEBREAK: Final = Tiebreak("points", message("Points"), _values, _reason)
