"""How far a followed game is, worked out once for every step of it."""

from __future__ import annotations

from collections.abc import Iterable

from scoreboard.hub.followed import Followed
from scoreboard.hub.table_state import GameProgress
from scoreboard.scoresheet import Scoresheet


def progress_of(followed: Followed) -> GameProgress | None:
    """How far a game is, None before it is opened."""
    opened, rulebook, turn = followed.opened, followed.rulebook, followed.turn
    if opened is None or rulebook is None or turn is None:
        return None
    seated = None if turn.player is None else opened.players[turn.player]
    return GameProgress(
        game_id=followed.game_id,
        number=opened.number,
        players=opened.players,
        totals=_totals(rulebook.scoresheet(followed.state)),
        turn=None if seated is None else turn.number + 1,
        player=seated,
        over=followed.outcome is not None,
        abandoned=followed.is_abandoned,
    )


def newest(games: Iterable[Followed], number: int) -> Followed | None:
    """Of a table's games, in the order in which they came, the one played last in a round."""
    of_round = [each for each in games if each.opened is not None and each.opened.round == number]
    return max(reversed(of_round), key=_number, default=None)


def _number(followed: Followed) -> int:
    return 0 if followed.opened is None else followed.opened.number


def _totals(sheet: Scoresheet) -> tuple[int, ...]:
    """What each has so far: a sheet's last row adds everything up."""
    return tuple(cell.points or 0 for cell in sheet.rows[-1].cells)
