"""How far a followed game is."""

from __future__ import annotations

import logging
from typing import Final

from scoreboard.tournament.hub.replayed_game import ReplayedGame
from scoreboard.tournament.hub.table_state import GameProgress
from scoreboard.tournament.protocol.items import Opened

LOG: Final = logging.getLogger(__name__)


def progress_of(
    replayed_game: ReplayedGame, before: GameProgress | None = None
) -> GameProgress | None:
    """How far a game is, None before it is opened, and where its events make no sheet.

    `before` is what was worked out of it earlier, if anything: within a turn no points change.
    """
    try:
        return _progress(replayed_game, before)
    except Exception as error:  # noqa: BLE001 -- a table may send any events, in any order
        LOG.warning("Game %s has no sheet: %r", replayed_game.game_id, error)
        return None


def _progress(replayed_game: ReplayedGame, before: GameProgress | None) -> GameProgress | None:
    opened, turn = replayed_game.opened, replayed_game.turn
    if not isinstance(opened, Opened) or turn is None:
        return None
    seated = None if turn.player is None else opened.players[turn.player]
    progress = GameProgress(
        game_id=replayed_game.game_id,
        number=opened.number,
        players=opened.players,
        totals=(),
        turn=None if seated is None else turn.number + 1,
        player=seated,
        over=replayed_game.outcome is not None,
        abandoned=replayed_game.is_abandoned,
    )
    known = before is not None and progress.same_turn(before)
    return progress.with_totals(before.totals if before and known else _totals(replayed_game))


def _totals(replayed_game: ReplayedGame) -> tuple[int, ...]:
    """What each has so far: a sheet's last row adds everything up."""
    if replayed_game.rulebook is None:
        return ()
    last = replayed_game.rulebook.scoresheet(replayed_game.state).rows[-1]
    return tuple(cell.points or 0 for cell in last.cells)
