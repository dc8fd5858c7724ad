"""The games won; a shared win counts in part, a bye as its format says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points, shown_points, total
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreak import Tiebreak


def _values(ledger: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: total([own.wins for own in ledger.sittings[each].values()]) for each in level}


def _reason(more: Points, less: Points) -> Message:
    return message(
        "{more} games won against {less}", more=shown_points(more), less=shown_points(less)
    )


TIEBREAK: Final = Tiebreak("wins", message("Games won"), _values, _reason)
