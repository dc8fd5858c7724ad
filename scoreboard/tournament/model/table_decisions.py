"""Orders about tables: merge two, split one."""

from __future__ import annotations

from scoreboard.message import message
from scoreboard.tournament.model.commands import MergeTables, SplitTable
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.events import TablesMerged, TableSplit
from scoreboard.tournament.model.refusal import RefusedOrderError
from scoreboard.tournament.model.tournament_round import Round

MOST_SEATS = 6


def merge(last: Round, command: MergeTables) -> TablesMerged:
    """What merging two tables leads to. Raises RefusedOrderError."""
    _require_open(last)
    one, other = fresh_table(last, command.table), fresh_table(last, command.into)
    if one == other:
        raise RefusedOrderError(message("A table cannot be merged into itself: name two tables."))
    if len(one.seats) + len(other.seats) > MOST_SEATS:
        raise RefusedOrderError(
            message(
                "{seats} do not fit at a table of {most}: split one of them first.",
                seats=len(one.seats) + len(other.seats),
                most=MOST_SEATS,
            )
        )
    return TablesMerged(
        last.number, command.table, command.into, by=command.by, at=command.at, why=command.why
    )


def split(last: Round, command: SplitTable) -> TableSplit:
    """What splitting a table leads to. Raises RefusedOrderError."""
    _require_open(last)
    table = fresh_table(last, command.table)
    if last.table(command.to) is not None:
        raise RefusedOrderError(
            message("Table {table} is taken: name one that is free.", table=command.to)
        )
    if command.to < 1:
        raise RefusedOrderError(message("Tables are numbered from 1."))
    _require_some(table, command.leaving)
    return TableSplit(
        last.number,
        command.table,
        command.leaving,
        command.to,
        by=command.by,
        at=command.at,
        why=command.why,
    )


def fresh_table(last: Round, number: int) -> TableSeats:
    """A table of the round without a result yet. Raises RefusedOrderError."""
    table = last.table(number)
    if table is None:
        raise RefusedOrderError(
            message("Round {round} has no table {table}.", round=last.number, table=number)
        )
    if any(at == number for at, _ in last.results):
        raise RefusedOrderError(
            message("Table {table} has a result already: it plays on as it is.", table=number)
        )
    return table


def _require_open(last: Round) -> None:
    if last.phase == "closed":
        raise RefusedOrderError(
            message("Round {round} is closed: draw the next one first.", round=last.number)
        )


def _require_some(table: TableSeats, leaving: tuple[int, ...]) -> None:
    strangers = [each for each in leaving if each not in table.seats]
    if strangers:
        raise RefusedOrderError(
            message(
                "Entrant {entrant} does not sit at table {table}: check the number.",
                entrant=strangers[0],
                table=table.number,
            )
        )
    if not leaving or len(set(leaving)) < len(leaving) or len(leaving) == len(table.seats):
        raise RefusedOrderError(
            message("Name those who leave table {table}, each once, not all.", table=table.number)
        )
