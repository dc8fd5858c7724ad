"""Sonneborn-Berger: the points of those beaten, and half of those drawn with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points, share, shown_points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreak import Tiebreak


def _values(ledger: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: _berger(ledger, each) for each in level}


def _berger(ledger: ResultTable, entrant: int) -> Points:
    twice = 0
    for own, theirs, opponent in ledger.met(entrant):
        if own.points == theirs.points:
            twice += ledger.parts[opponent]
        elif own.points > theirs.points:
            twice += 2 * ledger.parts[opponent]
    return share(twice, 2 * ledger.scale)


def _reason(more: Points, less: Points) -> Message:
    return message(
        "the opponents they beat have {more} points against {less}, half counted where drawn",
        more=shown_points(more),
        less=shown_points(less),
    )


TIEBREAK: Final = Tiebreak("sonneborn-berger", message("Sonneborn-Berger"), _values, _reason)
