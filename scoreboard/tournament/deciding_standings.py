"""Orders about the standings: cut, play-off, lot, the end."""

from __future__ import annotations

from typing import assert_never

from scoreboard.phrase import phrase
from scoreboard.tournament.cutting import cut
from scoreboard.tournament.deciding_entries import entered
from scoreboard.tournament.happenings import (
    Finished,
    Happening,
    LotDrawn,
    PlayedOff,
    Reopened,
)
from scoreboard.tournament.lots import lot
from scoreboard.tournament.orders import Cut, DrawLot, Finish, PlayOff, Reopen, StandingOrder
from scoreboard.tournament.refusal import RefusedOrderError
from scoreboard.tournament.tallying import standings_of
from scoreboard.tournament.tournament import Tournament

_FEW = 2


def decide_standing(state: Tournament, order: StandingOrder) -> tuple[Happening, ...]:
    """What an order about the standings leads to. Raises RefusedOrderError."""
    match order:
        case Cut():
            return (cut(state),)
        case PlayOff(order=places):
            _require_group(state, places)
            after = len(state.rounds)
            return (PlayedOff(places, after, by=order.by, at=order.at, why=order.why),)
        case DrawLot():
            return _lots(state, order)
        case Finish():
            _require_closed(state)
            return (Finished(),)
        case Reopen():
            if not state.finished:
                raise RefusedOrderError(phrase("The tournament is not finished."))
            return (Reopened(by=order.by, at=order.at, why=order.why),)
        case _:
            assert_never(order)


def _lots(state: Tournament, order: DrawLot) -> tuple[Happening, ...]:
    if order.entrants:
        _require_group(state, order.entrants)
        groups: tuple[tuple[int, ...], ...] = (order.entrants,)
    else:
        groups = standings_of(state).level
    if not groups:
        raise RefusedOrderError(phrase("Nobody shares a place: there is nothing to draw lots for."))
    after = len(state.rounds)
    return tuple(LotDrawn(lot(group, order.seed), order.seed, after) for group in groups)


def _require_group(state: Tournament, group: tuple[int, ...]) -> None:
    for number in group:
        entered(state, number)
    if len(group) < _FEW or len(set(group)) < len(group):
        raise RefusedOrderError(phrase("Name two entrants or more, each once."))


def _require_closed(state: Tournament) -> None:
    last = state.last_round
    if last is not None and last.phase != "closed":
        raise RefusedOrderError(
            phrase("Round {round} is not closed: close it, or undo it.", round=last.number)
        )
