"""What happens to rounds, recorded."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.events import (
    RoundClosed,
    RoundDrawn,
    RoundDrawnByHand,
    RoundHappening,
    RoundsReplanned,
    RoundStarted,
    RoundUndone,
    TablesMerged,
    TableSplit,
)
from scoreboard.tournament.model.round_results import round_sittings
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_round import Round


def evolve_round(state: Tournament, event: RoundHappening) -> Tournament:  # noqa: PLR0911 -- one arm a member
    """The state after something happened to a round."""
    match event:
        case RoundDrawn() | RoundDrawnByHand():
            return replace(state, rounds=(*state.rounds, _drawn(event)))
        case RoundStarted(number):
            return with_round(state, replace(state.rounds[number - 1], phase="running"))
        case RoundClosed(number):
            return with_round(state, closed(state, state.rounds[number - 1]))
        case TablesMerged(round=number, table=table, into=into):
            return with_round(state, _merged(state.rounds[number - 1], table, into))
        case TableSplit(round=number, table=table, leaving=leaving, to=to):
            return with_round(state, _split(state.rounds[number - 1], table, leaving, to))
        case RoundUndone(round=number):
            return _undone(state, number)
        case RoundsReplanned(rounds=rounds):
            return replace(state, format=replace(state.format, rounds=rounds))
        case _:
            assert_never(event)


def with_round(state: Tournament, changed: Round) -> Tournament:
    """The state with one of its rounds put in the place of the one with its number."""
    at = changed.number - 1
    return replace(state, rounds=(*state.rounds[:at], changed, *state.rounds[at + 1 :]))


def closed(state: Tournament, played: Round) -> Round:
    """The round closed, with what it brought each worked out."""
    ended = replace(played, phase="closed")
    return replace(ended, brought=round_sittings(state.format, ended))


def merged(draw: Draw, table: int, into: int) -> Draw:
    """The draw with those of one table moved to the end of another."""
    moved = next(each.seats for each in draw.tables if each.number == table)
    return replace(
        draw,
        tables=tuple(
            TableSeats(into, (*each.seats, *moved)) if each.number == into else each
            for each in draw.tables
            if each.number != table
        ),
    )


def split(draw: Draw, table: int, leaving: tuple[int, ...], to: int) -> Draw:
    """The draw with some moved from a table to a new one."""
    left = tuple(
        TableSeats(table, tuple(seat for seat in each.seats if seat not in leaving))
        if each.number == table
        else each
        for each in draw.tables
    )
    return replace(draw, tables=(*left, TableSeats(to, leaving)))


def _drawn(event: RoundDrawn | RoundDrawnByHand) -> Round:
    return Round(
        event.round,
        event.draw,
        event.games,
        event.stage,
        event.meeting,
        event.seed if isinstance(event, RoundDrawn) else None,
    )


def _merged(changed: Round, table: int, into: int) -> Round:
    return replace(changed, draw=merged(changed.draw, table, into))


def _split(changed: Round, table: int, leaving: tuple[int, ...], to: int) -> Round:
    return replace(changed, draw=split(changed.draw, table, leaving, to))


def _undone(state: Tournament, number: int) -> Tournament:
    """Without the round, and without the cuts and decisions made since it was drawn.

    Who came to hold an entry later plays the round that takes its place.
    """
    return replace(
        state,
        rounds=state.rounds[: number - 1],
        cuts=tuple(cut for cut in state.cuts if cut.after_round < number),
        decisions=tuple(each for each in state.decisions if each.after_round < number),
        holders={
            entrant: tuple(replace(each, from_round=min(each.from_round, number)) for each in held)
            for entrant, held in state.holders.items()
        },
    )
