"""The place in the stage before the cut."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points, shown_points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreak import Tiebreak


def _values(ledger: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: -ledger.earlier.get(each, 0) for each in level}


def _reason(more: Points, less: Points) -> Message:
    return message(
        "place {better} against {worse} in the stage before",
        better=shown_points(-more),
        worse=shown_points(-less),
    )


TIEBREAK: Final = Tiebreak("earlier", message("Stage before"), _values, _reason)
