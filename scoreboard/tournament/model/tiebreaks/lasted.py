"""In a knockout: the round after which one was out; who is still in stands above all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points, shown_points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreak import Tiebreak

STILL_IN: Final = 1_000_000


def _values(ledger: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: _lasted(ledger, each) for each in level}


def _lasted(ledger: ResultTable, entrant: int) -> int:
    lost = sorted(
        {own.round for own, theirs, _ in ledger.met(entrant) if own.points < theirs.points}
    )
    if ledger.losses_allowed and len(lost) >= ledger.losses_allowed:
        return lost[ledger.losses_allowed - 1]
    return STILL_IN


def _reason(more: Points, less: Points) -> Message:
    if more == STILL_IN:
        return message("never out, against out in round {less}", less=shown_points(less))
    return message(
        "out in round {more} against {less}", more=shown_points(more), less=shown_points(less)
    )


TIEBREAK: Final = Tiebreak("lasted", message("Lasted"), _values, _reason)
