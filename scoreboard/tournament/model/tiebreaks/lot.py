"""A lot that was drawn and recorded: the latest one among all who are level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreak import Tiebreak, latest_order


def _values(ledger: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    return latest_order(ledger.lots, level)


def _reason(_more: Points, _less: Points) -> Message:
    return message("the lot decided")


TIEBREAK: Final = Tiebreak("lot", message("Lot"), _values, _reason)
