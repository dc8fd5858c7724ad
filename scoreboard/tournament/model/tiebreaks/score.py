"""What all the tables’ own sheets add up to, whatever was awarded for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points, shown_points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreak import Tiebreak


def _values(ledger: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: sum(own.score for own in ledger.sittings[each].values()) for each in level}


def _reason(more: Points, less: Points) -> Message:
    return message(
        "a score of {more} against {less} in all games",
        more=shown_points(more),
        less=shown_points(less),
    )


TIEBREAK: Final = Tiebreak("score", message("Score"), _values, _reason)
