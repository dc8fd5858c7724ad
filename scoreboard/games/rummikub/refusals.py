"""How Rummikub refuses what the moment does not allow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.errors import RuleViolationError
from scoreboard.games.rummikub.state import Stage, State
from scoreboard.message import Message, message

_NOT_NOW: Final[Mapping[Stage, Message]] = {
    "drawing": message("First it must be known who begins the round."),
    "playing": message("The round is still being played."),
    "restoring": message("First the table must be put back as it stood."),
    "counting": message("The round is over: tell what is left on the racks."),
}


def refused(rule: str, why: Message) -> RuleViolationError:
    """The refusal of a command by a rule."""
    return RuleViolationError(rule, why)


def require_stage(state: State, stage: Stage, rule: str) -> None:
    """Refuse by the rule unless the round is at that stage.

    Raises:
        RuleViolationError: it is at another.
    """
    if state.round.stage != stage:
        raise refused(rule, _NOT_NOW[state.round.stage])


def require_player(state: State, player: str, rule: str) -> int:
    """The seat of a player.

    Raises:
        RuleViolationError: nobody of that name plays.
    """
    if player not in state.players:
        raise refused(rule, message("{player} does not play here.", player=player))
    return state.players.index(player)
