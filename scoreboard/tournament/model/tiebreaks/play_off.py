"""A play-off: the latest one that all who are level took part in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreak import Tiebreak, latest_order


def _values(ledger: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    return latest_order(ledger.play_offs, level)


def _reason(_more: Points, _less: Points) -> Message:
    return message("the play-off decided")


TIEBREAK: Final = Tiebreak("play-off", message("Play-off"), _values, _reason)
