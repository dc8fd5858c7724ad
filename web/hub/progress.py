"""Progress of an event: the director's next step, and a round's tables, problems first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Literal

from scoreboard.message import Message, listed, message
from scoreboard.tournament.hub.overview import TableState
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.table_updates import coming_game, results_at
from scoreboard.tournament.model import round_draw
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.disputes import objection_message
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.scoring import is_complete
from scoreboard.tournament.model.tournament import Reported, Round, Tournament
from web.hub.hub import Hub

Step = Literal[
    "enter", "draw", "proposed", "start", "play", "close", "call", "cut", "finish", "scores", "over"
]
RowPhase = Literal["disputed", "waiting", "playing", "unsigned", "done"]
PHASES: Mapping[RowPhase, Message] = {
    "disputed": message("disputed"),
    "waiting": message("not started"),
    "playing": message("under way"),
    "unsigned": message("not all signed"),
    "done": message("done"),
}


def next_step(state: Tournament) -> Step:
    """The director's next step."""
    if state.finished:
        return "over"
    if state.format.system == "blind":
        return "scores" if state.entrants else "enter"
    if not state.rounds:
        return _between_rounds(state)
    first, due = state.current_rounds[0], round_draw.due_matches(state)
    if first.phase == "drawn":
        return "start"
    if first.phase == "running":
        to_come = tables_left(state, first) or any(each.round == first.number for each in due)
        return "play" if to_come else "close"
    return "call" if due else _between_rounds(state)


def _between_rounds(state: Tournament) -> Step:
    if state.proposed is not None:
        return "proposed"
    if not state.rounds:
        return "draw" if len(state.present) >= max(state.format.smallest_table, 2) else "enter"
    try:
        round_draw.next_round(state)
        if state.format.lays_down(state.stage):
            round_draw.draw_fixed(state, 0)
    except CommandRefusedError:
        return "cut" if state.stage < len(state.format.stages) else "finish"
    return "draw"


def tables_left(state: Tournament, played: Round) -> tuple[int, ...]:
    """The tables of a round with missing or disputed results."""
    games, form = played.games_by_table, state.format.in_stage(played.stage)
    disputed = {table for table, _ in played.disputed}
    return tuple(
        table.number
        for table in played.draw.tables
        if table.number in disputed
        or not is_complete(form, len(table.seats), played.games, games.get(table.number, ()))
    )


def standing_now(state: Tournament) -> Message:
    """The event's progress in a sentence."""
    last = state.last_round
    if state.finished:
        return message("The event is over.")
    if state.format.system == "blind":
        return message("Scores handed in: {scores}.", scores=len(state.solo))
    if last is None:
        return message("Players: {entries}. Round 1 is not drawn yet.", entries=len(state.entrants))
    match last.phase:
        case "drawn":
            return message("Round {round} is drawn: find your table.", round=last.number)
        case "running":
            each_round = (_under_way(state, each) for each in state.current_rounds)
            return reduce(lambda one, two: message("{one} {two}", one=one, two=two), each_round)
        case _:
            return message("Round {round} is over.", round=last.number)


def _under_way(state: Tournament, played: Round) -> Message:
    return message(
        "Round {round} is under way; tables done: {done} of {tables}.",
        round=played.number,
        done=len(played.draw.tables) - len(tables_left(state, played)),
        tables=len(played.draw.tables),
    )


def current_name(state: Tournament) -> Message:
    """The names of the current rounds: of several where matches are called one by one."""
    return listed(round_name(state, each) for each in state.current_rounds)


def seated_tables(state: Tournament) -> tuple[tuple[Round, TableSeats], ...]:
    """The tables of the current rounds; of several those where a match is still played."""
    current = state.current_rounds
    return tuple(
        (played, table)
        for played in current
        for table in (
            played.draw.tables if len(current) == 1 else round_draw.undecided_tables(state, played)
        )
    )


def numbered_round(state: Tournament, number: int) -> Round | None:
    """The round of that number; None if there is none."""
    return state.rounds[number - 1] if 1 <= number <= len(state.rounds) else None


def round_name(state: Tournament, played: Round) -> Message:
    """A round's name: its number, and its stage, meeting, or a knockout's matches."""
    names = list(dict.fromkeys(round_draw.matches_of(state, played).values()))
    if played.stage:
        names.insert(0, message("{stage}", stage=state.format.stages[played.stage - 1].name))
    elif state.format.meetings > 1:
        return message(
            "Round {round}, meeting {meeting}", round=played.number, meeting=played.meeting
        )
    if names:
        return message("Round {round}: {stage}", round=played.number, stage=listed(names))
    return message("Round {round}", round=played.number)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table of a round: its players, its results, and its device.

    `reported` holds its results by game, in order; `device` is None if none joined; `gone` lists
    players who have dropped out since the draw, and `match` names that of a knockout. The next of
    its `games` is `coming`, a number above once all are played.
    """

    number: int
    seats: tuple[tuple[int, str], ...]
    games: int
    reported: tuple[tuple[int, Reported], ...]
    phase: RowPhase
    device: TableState | None = None
    gone: tuple[int, ...] = ()
    match: Message | None = None
    coming: int = 1

    @property
    def problems(self) -> tuple[Message, ...]:
        missing = [name for number, name in self.seats if number in self.gone]
        problems = (
            message("Merge the table, or enter “did not come”: {name} has dropped out.", name=name)
            for name in missing
            if self.phase in {"waiting", "playing"}
        )
        return (*problems, *(self.device.problems if self.device else ()))

    @property
    def state(self) -> Message:
        return PHASES[self.phase]

    @property
    def is_problem(self) -> bool:
        """Whether an official has to go to the table."""
        return self.phase == "disputed" or bool(self.problems)


@dataclass(frozen=True, slots=True)
class ForTheReferee:
    """A result that waits for the referee, and the objection to it."""

    round: int
    table: int
    message: Message


def for_the_referee(state: Tournament) -> tuple[ForTheReferee, ...]:
    """Every round's results that wait for the referee, disputed or to be reviewed."""
    found = []
    for played in state.rounds:
        number = played.number
        for table, game, objection in played.for_the_referee:
            place = {"round": number, "table": table, "game": game}
            at = message("Round {round}, table {table}, game {game}", **place)
            sentence = message("{at}: {told}", at=at, told=objection_message(state, objection))
            found.append(ForTheReferee(number, table, sentence))
    return tuple(found)


def table_rows(
    state: Tournament, played: Round, devices: Mapping[int, TableState], only: int | None = None
) -> tuple[TableRow, ...]:
    """The tables of a round, or `only` one, with `devices` by number, problems first."""
    names, matches = state.names_in(played.number), round_draw.matches_of(state, played)
    rows = []
    for table in (each for each in played.draw.tables if only in {None, each.number}):
        number, results = table.number, results_at(played, table.number)
        coming, games = coming_game(state, played, table, results)
        reported, device, match = tuple(results.items()), devices.get(number), matches.get(number)
        phase = _phase([*results.values()], complete=coming > games, device=device)
        seats = tuple((seat, names[seat]) for seat in table.seats)
        gone = tuple(each for each in table.seats if each in state.away)
        rows.append(TableRow(number, seats, games, reported, phase, device, gone, match, coming))
    return tuple(sorted(rows, key=lambda row: (not row.is_problem, row.number)))


def rows_of_round(
    hub: Hub, snapshot: TournamentSnapshot, played: Round, only: int | None = None
) -> tuple[TableRow, ...]:
    """The tables of a round, or `only` one; with its device where it is the newest round there."""
    current = snapshot.state.current_rounds
    newest = {table.number: each.number for each in current for table in each.draw.tables}
    if played.number not in newest.values():
        return table_rows(snapshot.state, played, {}, only)
    tables = hub.table_api.tables(snapshot.header.tournament_id)
    devices = {each.number: each for each in tables if newest.get(each.number) == played.number}
    return table_rows(snapshot.state, played, devices, only)


def _phase(reported: Sequence[Reported], *, complete: bool, device: TableState | None) -> RowPhase:
    if any(each.phase == "disputed" for each in reported):
        return "disputed"
    if not reported:
        return "playing" if device is not None and device.phase == "playing" else "waiting"
    if not complete:
        return "playing"
    return "unsigned" if any(each.phase == "reported" for each in reported) else "done"
