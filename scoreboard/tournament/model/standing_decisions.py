"""Orders about the standings: cut, play-off, lot, the end."""

from __future__ import annotations

from typing import assert_never

from scoreboard.message import message
from scoreboard.tournament.model.commands import (
    Cut,
    DrawLot,
    Finish,
    PlayOff,
    Reopen,
    StandingOrder,
)
from scoreboard.tournament.model.cut import cut
from scoreboard.tournament.model.entry_decisions import entered
from scoreboard.tournament.model.events import (
    Event,
    Finished,
    LotDrawn,
    PlayedOff,
    Reopened,
)
from scoreboard.tournament.model.random_order import random_order
from scoreboard.tournament.model.refusal import RefusedOrderError
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_standings import standings_of

_FEW = 2


def decide_standing(state: Tournament, command: StandingOrder) -> tuple[Event, ...]:
    """What an order about the standings leads to. Raises RefusedOrderError."""
    match command:
        case Cut():
            return (cut(state),)
        case PlayOff(order=places):
            _require_group(state, places)
            after = len(state.rounds)
            return (PlayedOff(places, after, by=command.by, at=command.at, why=command.why),)
        case DrawLot():
            return _lots(state, command)
        case Finish():
            _require_closed(state)
            return (Finished(),)
        case Reopen():
            if not state.finished:
                raise RefusedOrderError(message("The tournament is not finished."))
            return (Reopened(by=command.by, at=command.at, why=command.why),)
        case _:
            assert_never(command)


def _lots(state: Tournament, command: DrawLot) -> tuple[Event, ...]:
    if command.entrants:
        _require_group(state, command.entrants)
        groups: tuple[tuple[int, ...], ...] = (command.entrants,)
    else:
        groups = standings_of(state).level
    if not groups:
        raise RefusedOrderError(
            message("Nobody shares a place: there is nothing to draw lots for.")
        )
    after = len(state.rounds)
    return tuple(
        LotDrawn(random_order(group, command.seed), command.seed, after) for group in groups
    )


def _require_group(state: Tournament, group: tuple[int, ...]) -> None:
    for number in group:
        entered(state, number)
    if len(group) < _FEW or len(set(group)) < len(group):
        raise RefusedOrderError(message("Name two entrants or more, each once."))


def _require_closed(state: Tournament) -> None:
    last = state.last_round
    if last is not None and last.phase != "closed":
        raise RefusedOrderError(
            message("Round {round} is not closed: close it, or undo it.", round=last.number)
        )
