"""The tables of a round as the pages list them, problems first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scoreboard.message import Message, message
from scoreboard.tournament.hub.overview import TableState
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.disputes import objection_told
from scoreboard.tournament.model.scoring import is_complete
from scoreboard.tournament.model.tournament import Objection, Reported, Round, Tournament
from web.hub.hub import Hub

RowPhase = Literal["disputed", "waiting", "playing", "unsigned", "done"]
PHASES: Mapping[RowPhase, Message] = {
    "disputed": message("disputed"),
    "waiting": message("not begun"),
    "playing": message("under way"),
    "unsigned": message("not all signed"),
    "done": message("done"),
}


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table of a round: who sits there, what is in, and how its device does.

    `reported` are its results by game, in order; `device` is None where no device joined; `gone`
    are those who have dropped out since they were seated.
    """

    number: int
    seats: tuple[tuple[int, str], ...]
    games: int
    reported: tuple[tuple[int, Reported], ...]
    phase: RowPhase
    device: TableState | None = None
    gone: tuple[int, ...] = ()

    @property
    def problems(self) -> tuple[Message, ...]:
        """What somebody has to see to, each with its cure."""
        missing = [name for number, name in self.seats if number in self.gone]
        told = (
            message("{name} has dropped out: merge the table, or enter: did not come.", name=name)
            for name in missing
            if self.phase in {"waiting", "playing"}
        )
        return (*told, *(self.device.problems if self.device else ()))

    @property
    def state(self) -> Message:
        """How far the table is, in a word or two."""
        return PHASES[self.phase]

    @property
    def is_problem(self) -> bool:
        """Whether somebody has to go and look."""
        return self.phase == "disputed" or bool(self.problems)


@dataclass(frozen=True, slots=True)
class ForTheReferee:
    """A result that waits for the referee: where it is, and what is told of it."""

    round: int
    table: int
    told: Message


def for_the_referee(state: Tournament) -> tuple[ForTheReferee, ...]:
    """All results that wait for the referee, disputed or to be looked at again, of every round."""
    return tuple(
        ForTheReferee(played.number, table, _told(state, played, table, game, objection))
        for played in state.rounds
        for table, game, objection in played.for_the_referee
    )


def _told(state: Tournament, played: Round, table: int, game: int, objection: Objection) -> Message:
    at = message(
        "Round {round}, table {table}, game {game}", round=played.number, table=table, game=game
    )
    return message("{at}: {told}", at=at, told=objection_told(state, objection))


def table_rows(
    state: Tournament, played: Round, devices: Mapping[int, TableState]
) -> tuple[TableRow, ...]:
    """The tables of a round, those with a problem first, then by number.

    `devices` are those of the round's tables, none for a round that is not the last one.
    """
    results: dict[int, dict[int, Reported]] = {}
    for (at, game), result in played.results.items():
        results.setdefault(at, {})[game] = result
    names, games = state.names_in(played.number), played.games_by_table
    rows = [
        TableRow(
            table.number,
            tuple((seat, names[seat]) for seat in table.seats),
            played.games,
            reported := tuple(sorted(results.get(table.number, {}).items(), key=_game)),
            _phase(
                [each for _, each in reported],
                complete=is_complete(
                    state.format, len(table.seats), played.games, games.get(table.number, ())
                ),
                device=devices.get(table.number),
            ),
            devices.get(table.number),
            tuple(each for each in table.seats if each in state.away),
        )
        for table in played.draw.tables
    ]
    return tuple(sorted(rows, key=lambda row: (not row.is_problem, row.number)))


def rows_of_round(hub: Hub, snapshot: TournamentSnapshot, played: Round) -> tuple[TableRow, ...]:
    """The tables of a round, with their devices where it is the last one."""
    if played.number != len(snapshot.state.rounds):
        return table_rows(snapshot.state, played, {})
    devices = {each.number: each for each in hub.table_api.tables(snapshot.header.tournament_id)}
    return table_rows(snapshot.state, played, devices)


def _game(result: tuple[int, Reported]) -> int:
    return result[0]


def _phase(reported: Sequence[Reported], *, complete: bool, device: TableState | None) -> RowPhase:
    if any(each.phase == "disputed" for each in reported):
        return "disputed"
    if not reported:
        return "playing" if device is not None and device.phase == "playing" else "waiting"
    if not complete:
        return "playing"
    return "unsigned" if any(each.phase == "reported" for each in reported) else "done"
