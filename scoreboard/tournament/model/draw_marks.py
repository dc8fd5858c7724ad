"""What a director should know of each table of a draw: meetings again, club mates, byes, floats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from scoreboard.message import Message, message
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.standings import qualifying_results
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_format import KNOCKOUTS


@dataclass(frozen=True, slots=True)
class MarkedSeat:
    """An entrant's place in a draw, with what the rounds before brought: byes, floats."""

    entrant: int
    name: str
    past: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkedTable:
    """A table of a draw with its problems; `number` is 0 for those with a bye."""

    number: int
    seats: tuple[MarkedSeat, ...]
    problems: tuple[Message, ...] = ()


def marked_tables(state: Tournament, draw: Draw) -> tuple[MarkedTable, ...]:
    """Every table of a draw that is no round of the event yet, those with a bye last."""
    past = _past(state)
    met: dict[tuple[int, int], list[int]] = {}
    for played in state.rounds:
        for pair in played.draw.meetings():
            met.setdefault(pair, []).append(played.number)

    def seats(entrants: tuple[int, ...]) -> tuple[MarkedSeat, ...]:
        return tuple(MarkedSeat(each, state.named(each), past.get(each, ())) for each in entrants)

    tables = [
        MarkedTable(table.number, seats(table.seats), tuple(_problems(state, table, met)))
        for table in draw.tables
    ]
    again = (each for each in draw.byes if any(each in other.byes for other in state.draws))
    problems = (message("{name} had a bye before.", name=state.named(each)) for each in again)
    gone = (_gone(state, each) for each in draw.byes if each in state.away)
    return (*tables, MarkedTable(0, seats(draw.byes), (*problems, *gone)))


def missing(state: Tournament, draw: Draw) -> tuple[str, ...]:
    """Names of those present who came after the draw; nobody after a cut or in a knockout."""
    if state.stage or state.format.system in KNOCKOUTS:
        return ()
    there = set(draw.entrants)
    return tuple(state.named(each) for each in state.present if each not in there)


def _past(state: Tournament) -> Mapping[int, tuple[Message, ...]]:
    """What to know of each entrant's earlier rounds."""
    found: dict[int, list[Message]] = {each: [] for each in state.numbers}
    floats = qualifying_results(state).floats if state.format.system == "swiss" else {}
    for played in state.rounds:
        for each in state.numbers:
            if each in played.draw.byes:
                found[each].append(message("bye in {round}", round=played.number))
            elif floated := floats.get(each, {}).get(played.number):
                down = message("down in {round}", round=played.number)
                up = message("up in {round}", round=played.number)
                found[each].append(down if floated > 0 else up)
    return {each: tuple(marks) for each, marks in found.items()}


def _problems(
    state: Tournament, table: TableSeats, met: Mapping[tuple[int, int], list[int]]
) -> Iterator[Message]:
    entrants = {each.number: each for each in state.entrants}
    for one, other in combinations(table.seats, 2):
        pair, clubs = (min(one, other), max(one, other)), {entrants[one].club, entrants[other].club}
        names = state.listed((one, other))
        if pair in met:
            rounds = ", ".join(map(str, met[pair]))
            yield message("{names} met before: round {rounds}.", names=names, rounds=rounds)
        if len(clubs) == 1 and "" not in clubs:
            yield message("{names} are of one club: {club}.", names=names, club=clubs.pop())
    for each in table.seats:
        own = entrants[each]
        if own.needs_accessible_table and table.number not in state.format.accessible_tables:
            yield message("{name} needs a table with step-free access.", name=own.name)
        if own.table not in {None, table.number}:
            yield message("{name} always sits at table {table}.", name=own.name, table=own.table)
        if each in state.away:
            yield _gone(state, each)
    form = state.stage_format
    if len(table.seats) == 1:
        yield message("Nobody plays here with {name}.", name=state.named(table.seats[0]))
    elif not form.smallest_table <= len(table.seats) <= form.table_size:
        yield message("Players at this table: {players}.", players=len(table.seats))


def _gone(state: Tournament, entrant: int) -> Message:
    return message("{name} has dropped out.", name=state.named(entrant))
