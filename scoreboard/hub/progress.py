"""How far a followed game is."""

from __future__ import annotations

import logging
from typing import Final

from scoreboard.hub.followed import Followed
from scoreboard.hub.table_state import GameProgress
from scoreboard.wire.told import Opened

LOG: Final = logging.getLogger(__name__)


def progress_of(followed: Followed, before: GameProgress | None = None) -> GameProgress | None:
    """How far a game is, None before it is opened, and where its events make no sheet.

    `before` is what was worked out of it earlier, if anything: within a turn no points change.
    """
    try:
        return _progress(followed, before)
    except Exception as error:  # noqa: BLE001 -- a table may send any events, in any order
        LOG.warning("Game %s has no sheet: %r", followed.game_id, error)
        return None


def _progress(followed: Followed, before: GameProgress | None) -> GameProgress | None:
    opened, turn = followed.opened, followed.turn
    if not isinstance(opened, Opened) or turn is None:
        return None
    seated = None if turn.player is None else opened.players[turn.player]
    progress = GameProgress(
        game_id=followed.game_id,
        number=opened.number,
        players=opened.players,
        totals=(),
        turn=None if seated is None else turn.number + 1,
        player=seated,
        over=followed.outcome is not None,
        abandoned=followed.is_abandoned,
    )
    known = before is not None and progress.same_turn(before)
    return progress.with_totals(before.totals if before and known else _totals(followed))


def _totals(followed: Followed) -> tuple[int, ...]:
    """What each has so far: a sheet's last row adds everything up."""
    if followed.rulebook is None:
        return ()
    last = followed.rulebook.scoresheet(followed.state).rows[-1]
    return tuple(cell.points or 0 for cell in last.cells)
