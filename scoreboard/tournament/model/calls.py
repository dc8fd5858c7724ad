"""A knockout's matches called one by one, taken back, and the automatic events that follow."""

from __future__ import annotations

from dataclasses import replace

from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import Attributed, refused
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.round_draw import due_matches, undecided_tables
from scoreboard.tournament.model.rounds import RoundClosed, RoundUndone
from scoreboard.tournament.model.tournament import Command, Event, Round, Tournament, evolve


class CallMatch(Command):
    """Have two who are free begin their next match at a table."""

    seats: tuple[int, ...]
    table: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        due = next((each for each in due_matches(state) if each.seats == self.seats), None)
        if due is None:
            raise refused("No match of {names} is due now.", names=state.listed(self.seats))
        taken = [
            table.number
            for played in state.rounds
            for table in undecided_tables(state, played)
            + (played.draw.tables if played.number >= due.round else ())
        ]
        if self.table < 1 or self.table in taken:
            raise refused("Table {table} is taken: name one that is free.", table=self.table)
        return (MatchCalled(due.round, self.table, due.seats, state.stage_format.games),)


class MatchCalled(Event):
    """Two were called to a table for a match of a round, which may be the first one of it."""

    round: int
    table: int
    seats: tuple[int, ...]
    games: int

    def apply(self, state: Tournament) -> Tournament:
        """A round begun this way has the seed of the first draw, which fixed the bracket."""
        called = TableSeats(self.table, self.seats)
        if self.round > len(state.rounds):
            seed, stage = state.stage_rounds[0].seed, state.stage
            fresh = Round(self.round, Draw((called,)), self.games, stage, 1, seed, "running")
            return replace(state, rounds=(*state.rounds, fresh))
        tables = (*state.rounds[self.round - 1].draw.tables, called)
        return state.with_tables(self.round, sorted(tables, key=lambda table: table.number))

    def describe(self, state: Tournament) -> Message:
        return message(
            "{names} were called to table {table} for a match of round {round}.",
            names=state.listed(self.seats),
            table=self.table,
            round=self.round,
        )


class TakeMatchBack(Command, Attributed):
    """Take back a match that was called and has no result yet; it is called again by hand."""

    table: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        played = state.round_at(self.table)
        table = played.table(self.table) if played and state.stage_format.calls_matches else None
        called = bool(played) and played in state.stage_rounds[1:]
        if not played or not table or not called or played.has_result(self.table):
            raise refused("No called match without a result is at table {table}.", table=self.table)
        return (MatchTakenBack(played.number, self.table, table.seats, **self.attribution),)


class MatchTakenBack(Event, Attributed):
    """A called match is off; a round without other matches is removed."""

    round: int
    table: int
    seats: tuple[int, ...]

    def apply(self, state: Tournament) -> Tournament:
        tables = state.rounds[self.round - 1].draw.tables
        left = [each for each in tables if each.number != self.table]
        if not left and self.round == len(state.rounds):
            return replace(state, rounds=state.rounds[:-1])
        return state.with_tables(self.round, left)

    def describe(self, state: Tournament) -> Message:
        return message(
            "The match of {names} at table {table} was taken back.",
            names=state.listed(self.seats),
            table=self.table,
        )


def following_events(state: Tournament) -> tuple[Event, ...]:
    """The events where matches are called: rounds close without one to come, due ones begin."""
    form, events = state.stage_format, list[Event]()
    taken_back = {
        each.seats if isinstance(each, MatchTakenBack) else each.round
        for each in state.amendments
        if isinstance(each, MatchTakenBack | RoundUndone)
    }
    while form.calls_matches and state.rounds and not state.finished:
        first, due = state.current_rounds[0], due_matches(state)
        called = (
            MatchCalled(each.round, each.table, each.seats, form.games)
            for each in due
            if form.next_match == "automatic" and each.table
            if taken_back.isdisjoint({each.seats, each.round})
        )
        left = undecided_tables(state, first) or any(each.round == first.number for each in due)
        event: Event | None = next(called, None)
        if first.phase == "running" and not left:
            event = RoundClosed(first.number)
        if event is None:
            break
        events.append(event)
        state = evolve(state, event)
    return tuple(events)
