"""The score of the best single game, whatever was awarded for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points, shown_points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreak import Tiebreak

NOTHING: Final = -1_000_000_000  # who played no game has a worse one than anybody


def _values(ledger: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: _best(ledger, each) for each in level}


def _best(ledger: ResultTable, entrant: int) -> Points:
    games = (game for own in ledger.sittings[entrant].values() for game in own.games)
    return max(games, default=NOTHING)


def _reason(more: Points, less: Points) -> Message:
    return message(
        "a best game of {more} against {less}", more=shown_points(more), less=shown_points(less)
    )


TIEBREAK: Final = Tiebreak("best-game", message("Best game"), _values, _reason)
