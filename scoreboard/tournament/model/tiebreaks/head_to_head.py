"""Who came out ahead where those who are level met each other, if all of them did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points, shown_points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreak import Tiebreak


def _values(ledger: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    """Meetings won less meetings lost against the others; all 0 where two have never met."""
    among = set(level)
    ahead: dict[int, Points] = dict.fromkeys(level, 0)
    for each in level:
        met = set()
        for own, theirs, opponent in ledger.met(each):
            if opponent in among:
                met.add(opponent)
                ahead[each] += (own.points > theirs.points) - (own.points < theirs.points)
        if len(met) < len(level) - 1:
            return dict.fromkeys(level, 0)
    return ahead


def _reason(more: Points, less: Points) -> Message:
    return message(
        "ahead by {more} against {less} where they met",
        more=shown_points(more),
        less=shown_points(less),
    )


TIEBREAK: Final = Tiebreak("head-to-head", message("Head to head"), _values, _reason)
