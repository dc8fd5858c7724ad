"""Orders about rounds: draw, start, close, undo, merge and split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from scoreboard.message import message
from scoreboard.tournament.model.commands import (
    CloseRound,
    DrawByHand,
    DrawRound,
    MergeTables,
    Replan,
    RoundOrder,
    SplitTable,
    StartRound,
    UndoRound,
)
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.entry_decisions import entered
from scoreboard.tournament.model.events import (
    Event,
    RoundClosed,
    RoundDrawn,
    RoundDrawnByHand,
    RoundsReplanned,
    RoundStarted,
    RoundUndone,
)
from scoreboard.tournament.model.meetings import rounds_of_meeting
from scoreboard.tournament.model.refusal import RefusedOrderError
from scoreboard.tournament.model.round_draw import NextRound, drawn, next_round
from scoreboard.tournament.model.scoring import is_complete, winners
from scoreboard.tournament.model.table_decisions import merge, split
from scoreboard.tournament.model.table_result import GameResult
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_format import KNOCKOUTS, LAID_DOWN
from scoreboard.tournament.model.tournament_round import Round

MOST_ROUNDS = 100


def decide_round(state: Tournament, command: RoundOrder) -> tuple[Event, ...]:  # noqa: PLR0911 -- one arm a member
    """What an order about rounds leads to. Raises RefusedOrderError and DrawError."""
    match command:
        case DrawRound(seed):
            coming = next_round(state)
            draw = drawn(state, coming, seed)
            return (
                RoundDrawn(coming.number, coming.stage, coming.meeting, coming.games, draw, seed),
            )
        case DrawByHand():
            return _by_hand(state, command, next_round(state))
        case StartRound():
            return (RoundStarted(_in_phase(state, "drawn").number),)
        case CloseRound():
            return (_closed(state, _in_phase(state, "running")),)
        case UndoRound():
            number = _last(state).number
            return (RoundUndone(number, by=command.by, at=command.at, why=command.why),)
        case MergeTables():
            return (merge(_last(state), command),)
        case SplitTable():
            return (split(_last(state), command),)
        case Replan():
            return (_replanned(state, command),)
        case _:
            assert_never(command)


def _by_hand(state: Tournament, command: DrawByHand, coming: NextRound) -> tuple[Event, ...]:
    _require_all(state, command.draw, coming)
    return (
        RoundDrawnByHand(
            coming.number,
            coming.stage,
            coming.meeting,
            coming.games,
            command.draw,
            by=command.by,
            at=command.at,
            why=command.why,
        ),
    )


def _require_all(state: Tournament, draw: Draw, coming: NextRound) -> None:
    """Whether everyone who is to play stands in the draw, and nobody else."""
    if state.format.system in LAID_DOWN:
        raise RefusedOrderError(
            message("Who meets whom was laid down by the first draw: draw it, or undo round 1.")
        )
    for number in draw.entrants:
        if number not in coming.entrants:
            raise RefusedOrderError(
                message("{name} does not play this round.", name=entered(state, number).name)
            )
    for number in coming.entrants:
        if number not in draw.entrants:
            raise RefusedOrderError(
                message(
                    "{name} is not in the draw: seat them, or give them a bye.",
                    name=state.names[number],
                )
            )


def _last(state: Tournament) -> Round:
    if state.last_round is None:
        raise RefusedOrderError(message("No round is drawn yet: draw round 1 first."))
    return state.last_round


def _in_phase(state: Tournament, phase: str) -> Round:
    last = _last(state)
    if last.phase == phase:
        return last
    said = {
        "drawn": message("Round {round} has not begun: start it first.", round=last.number),
        "running": message("Round {round} is being played already.", round=last.number),
        "closed": message("Round {round} is closed: draw the next one first.", round=last.number),
    }
    raise RefusedOrderError(said[last.phase])


def _closed(state: Tournament, running: Round) -> RoundClosed:
    """Each table's games are found once: in a large event every table would look through all."""
    disputed = dict(reversed(running.disputed))  # so that of several the first one is named
    games = running.games_by_table
    for table in running.draw.tables:
        if table.number in disputed:
            raise _not_agreed(table.number, disputed[table.number])
        _require_complete(state, running, table, games.get(table.number, ()))
    return RoundClosed(running.number)


def _not_agreed(table: int, game: int) -> RefusedOrderError:
    return RefusedOrderError(
        message(
            "Game {game} at table {table} is disputed: have the referee settle it.",
            game=game,
            table=table,
        )
    )


def _require_complete(
    state: Tournament, running: Round, table: TableSeats, games: Sequence[GameResult]
) -> None:
    if not is_complete(state.format, len(table.seats), running.games, games):
        raise RefusedOrderError(
            message(
                "Table {table} has reported {given} of {games} games: wait, or report them here.",
                table=table.number,
                given=len(games),
                games=running.games,
            )
        )
    if state.format.system in KNOCKOUTS and len(winners(games)) > 1:
        raise RefusedOrderError(
            message(
                "The match at table {table} is drawn: play another game and report it as {game}.",
                table=table.number,
                game=len(games) + 1,
            )
        )


def _replanned(state: Tournament, command: Replan) -> RoundsReplanned:
    least = rounds_of_meeting(state)
    if state.format.system not in {"tables", "swiss"} or state.cuts:
        raise RefusedOrderError(message("The number of rounds is settled and cannot be changed."))
    if not max(least, 1) <= command.rounds <= MOST_ROUNDS:
        raise RefusedOrderError(
            message(
                "{rounds} rounds cannot be planned: plan {least} to {most}.",
                rounds=command.rounds,
                least=max(least, 1),
                most=MOST_ROUNDS,
            )
        )
    was = state.format.rounds
    return RoundsReplanned(was, command.rounds, by=command.by, at=command.at, why=command.why)
