"""The tables of a round that is drawn: two are merged, one is split."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import Attributed, CommandRefusedError
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.tournament import Command, Event, Round, Tournament

MOST_SEATS = 6


@dataclass(frozen=True, slots=True)
class MergeTables(Command, Attributed):
    """Seat those of `table` at the end of table `into`, before either has a result."""

    table: int
    into: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        last = _open_round(state)
        one, other = _fresh_table(last, self.table), _fresh_table(last, self.into)
        if one == other:
            raise CommandRefusedError(
                message("A table cannot be merged into itself: name two tables.")
            )
        if len(one.seats) + len(other.seats) > MOST_SEATS:
            raise CommandRefusedError(
                message(
                    "{seats} do not fit at a table of {most}: split one of them first.",
                    seats=len(one.seats) + len(other.seats),
                    most=MOST_SEATS,
                )
            )
        return (TablesMerged(last.number, self.table, self.into, **self.attribution),)


@dataclass(frozen=True, slots=True)
class TablesMerged(Event, Attributed):
    """Those of `table` moved to the end of table `into`."""

    round: int
    table: int
    into: int

    def apply(self, state: Tournament) -> Tournament:
        draw = state.rounds[self.round - 1].draw
        moved = next(each.seats for each in draw.tables if each.number == self.table)
        tables = tuple(
            TableSeats(self.into, (*each.seats, *moved)) if each.number == self.into else each
            for each in draw.tables
            if each.number != self.table
        )
        return state.with_tables(self.round, tables)

    def describe(self, state: Tournament) -> Message:
        return message("Table {table} moved to table {into}.", table=self.table, into=self.into)


@dataclass(frozen=True, slots=True)
class SplitTable(Command, Attributed):
    """Seat those `leaving` a table at a new table `to`, before it has a result."""

    table: int
    leaving: tuple[int, ...]
    to: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        last = _open_round(state)
        table = _fresh_table(last, self.table)
        if last.table(self.to) is not None:
            raise CommandRefusedError(
                message("Table {table} is taken: name one that is free.", table=self.to)
            )
        if self.to < 1:
            raise CommandRefusedError(message("Tables are numbered from 1."))
        strangers = [each for each in self.leaving if each not in table.seats]
        if strangers:
            raise CommandRefusedError(
                message(
                    "Entrant {entrant} does not sit at table {table}: check the number.",
                    entrant=strangers[0],
                    table=table.number,
                )
            )
        different = len(set(self.leaving))
        if not different or different < len(self.leaving) or different == len(table.seats):
            raise CommandRefusedError(
                message(
                    "Name those who leave table {table}, each once, not all.", table=table.number
                )
            )
        return (TableSplit(last.number, self.table, self.leaving, self.to, **self.attribution),)


@dataclass(frozen=True, slots=True)
class TableSplit(Event, Attributed):
    """Those `leaving` moved from `table` to the new table `to`."""

    round: int
    table: int
    leaving: tuple[int, ...]
    to: int

    def apply(self, state: Tournament) -> Tournament:
        staying = tuple(
            replace(each, seats=tuple(seat for seat in each.seats if seat not in self.leaving))
            if each.number == self.table
            else each
            for each in state.rounds[self.round - 1].draw.tables
        )
        return state.with_tables(self.round, (*staying, TableSeats(self.to, self.leaving)))

    def describe(self, state: Tournament) -> Message:
        return message(
            "{names} moved from table {table} to {to}.",
            names=state.listed(self.leaving),
            table=self.table,
            to=self.to,
        )


def _open_round(state: Tournament) -> Round:
    last = state.drawn_round()
    if last.phase == "closed":
        raise CommandRefusedError(
            message("Round {round} is closed: draw the next one first.", round=last.number)
        )
    return last


def _fresh_table(last: Round, number: int) -> TableSeats:
    """A table of the round without a result yet. Raises CommandRefusedError."""
    table = last.table(number)
    if table is None:
        raise CommandRefusedError(
            message("Round {round} has no table {table}.", round=last.number, table=number)
        )
    if any(at == number for at, _ in last.results):
        raise CommandRefusedError(
            message("Table {table} has a result already: it plays on as it is.", table=number)
        )
    return table
