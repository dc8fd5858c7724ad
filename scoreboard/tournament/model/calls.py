"""A knockout's matches called one by one, taken back, and what follows by itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import Attributed, CommandRefusedError
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.due_matches import (
    NO_TABLE,
    DueMatch,
    due_matches,
    undecided_tables,
)
from scoreboard.tournament.model.rounds import RoundClosed
from scoreboard.tournament.model.tournament import Command, Event, Round, Tournament, evolve

# -- called


@dataclass(frozen=True, slots=True)
class CallMatch(Command):
    """Have two who are free begin their next match at a table."""

    seats: tuple[int, ...]
    table: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        due = next((each for each in due_matches(state) if each.seats == self.seats), None)
        if due is None:
            raise CommandRefusedError(
                message("No match of {names} is due now.", names=state.listed(self.seats))
            )
        self._require_free(state, due)
        return (MatchCalled(due.round, self.table, due.seats, state.format.games),)

    def _require_free(self, state: Tournament, due: DueMatch) -> None:
        if self.table < 1:
            raise CommandRefusedError(message("Tables are numbered from 1."))
        for played in state.rounds:
            at = [each.number for each in undecided_tables(state, played)]
            if self.table in at or (played.number == due.round and played.table(self.table)):
                raise CommandRefusedError(
                    message(
                        "Table {table} has a match of round {round}: name another table.",
                        table=self.table,
                        round=played.number,
                    )
                )
        needing = [
            each.name
            for each in state.entrants
            if each.number in due.seats and each.needs_accessible_table
        ]
        if needing and self.table not in state.format.accessible_tables:
            raise CommandRefusedError(
                message(
                    "{name} needs step-free access, which table {table} does not have.",
                    name=needing[0],
                    table=self.table,
                )
            )


@dataclass(frozen=True, slots=True)
class MatchCalled(Event):
    """Two were called to a table for a match of a round, which may be the first one of it."""

    round: int
    table: int
    seats: tuple[int, ...]
    games: int

    def apply(self, state: Tournament) -> Tournament:
        """A round that begins so has the seed of the first draw, which laid the bracket down."""
        state = replace(state, held_back=state.held_back - {frozenset(self.seats)})
        called = TableSeats(self.table, self.seats)
        if self.round > len(state.rounds):
            seed = state.rounds[0].seed
            fresh = Round(self.round, Draw((called,)), self.games, seed=seed, phase="running")
            return replace(state, rounds=(*state.rounds, fresh))
        return _with_tables(state, self.round, (*state.rounds[self.round - 1].draw.tables, called))

    def describe(self, state: Tournament) -> Message:
        return message(
            "{names} were called to table {table} for a match of round {round}.",
            names=state.listed(self.seats),
            table=self.table,
            round=self.round,
        )


# -- and taken back


@dataclass(frozen=True, slots=True)
class TakeMatchBack(Command, Attributed):
    """Take back a match that was called and has no result yet; it is called again by hand."""

    round: int
    table: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        found = [each for each in state.rounds[1:] if each.number == self.round]
        if not state.format.calls_matches or not found or found[0].table(self.table) is None:
            raise CommandRefusedError(
                message("No match was called to table {table}.", table=self.table)
            )
        if found[0].has_result(self.table) or found[0].phase != "running":
            raise CommandRefusedError(
                message(
                    "The match at table {table} has a result: undo the round, or have the referee "
                    "correct it.",
                    table=self.table,
                )
            )
        return (MatchTakenBack(self.round, self.table, **self.attribution),)


@dataclass(frozen=True, slots=True)
class MatchTakenBack(Event, Attributed):
    """A match was not to begin yet, or not there; a round that has no other is none any more."""

    round: int
    table: int

    def apply(self, state: Tournament) -> Tournament:
        draw = state.rounds[self.round - 1].draw
        gone = {frozenset(each.seats) for each in draw.tables if each.number == self.table}
        state = replace(state, held_back=state.held_back | gone)
        left = tuple(each for each in draw.tables if each.number != self.table)
        if not left and self.round == len(state.rounds):
            return replace(state, rounds=state.rounds[:-1])
        return _with_tables(state, self.round, left)

    def describe(self, state: Tournament) -> Message:
        return message(
            "The match at table {table} in round {round} was taken back.",
            table=self.table,
            round=self.round,
        )


def _with_tables(state: Tournament, number: int, tables: tuple[TableSeats, ...]) -> Tournament:
    was = state.rounds[number - 1]
    in_order = tuple(sorted(tables, key=lambda table: table.number))
    return state.with_round(replace(was, draw=Draw(in_order, was.draw.byes)))


# -- what follows by itself


def following_events(state: Tournament) -> tuple[Event, ...]:
    """What follows by itself where matches are called one by one.

    A round closes once all its matches are decided and none is to come. Where the format has
    matches called by themselves, those that are due are, unless they were taken back.
    """
    events = list[Event]()
    while (event := _following(state)) is not None:
        events.append(event)
        state = evolve(state, event)
    return tuple(events)


def _following(state: Tournament) -> Event | None:
    if not state.format.calls_matches or not state.rounds or state.finished:
        return None
    first, due = state.current_rounds[0], due_matches(state)
    over = first.phase == "running" and not undecided_tables(state, first)
    if over and all(each.round != first.number for each in due):
        return RoundClosed(first.number)
    if state.format.next_match != "automatic":
        return None
    games = state.format.games
    called = (
        MatchCalled(each.round, each.table, each.seats, games)
        for each in due
        if each.table != NO_TABLE and frozenset(each.seats) not in state.held_back
    )
    return next(called, None)
