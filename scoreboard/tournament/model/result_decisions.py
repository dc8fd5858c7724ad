"""Orders about results: report, sign, dispute, settle, correct."""

from __future__ import annotations

from typing import TypeVar, assert_never

from scoreboard.message import message
from scoreboard.tournament.model.commands import (
    CorrectResult,
    CorrectScore,
    Dispute,
    ReportResult,
    ResultOrder,
    Settle,
    Sign,
    SubmitScore,
    TakeResultBack,
    UpholdResult,
)
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.entry_decisions import entered
from scoreboard.tournament.model.events import (
    Disputed,
    Event,
    ResultCorrected,
    ResultReported,
    ResultTakenBack,
    ResultUpheld,
    ReviewRequested,
    ScoreCorrected,
    ScoreSubmitted,
    Settled,
    Signed,
)
from scoreboard.tournament.model.refusal import RefusedOrderError
from scoreboard.tournament.model.scoring import awarded, is_complete, winners
from scoreboard.tournament.model.table_result import GameResult
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_format import KNOCKOUTS
from scoreboard.tournament.model.tournament_round import THE_HUB, Reported, Round

Replacing = TypeVar("Replacing", Settled, ResultCorrected)
Found = ReportResult | TakeResultBack | Sign | Dispute | UpholdResult | Settle | CorrectResult


def decide_result(state: Tournament, command: ResultOrder) -> tuple[Event, ...]:  # noqa: C901, PLR0911 -- one arm a member
    """What an order about results leads to. Raises RefusedOrderError."""
    match command:
        case ReportResult():
            return (_report(state, command),)
        case TakeResultBack():
            return (_take_back(state, command),)
        case Sign():
            return (_sign(state, command),)
        case Dispute():
            return (_dispute(state, command),)
        case UpholdResult():
            return (_uphold(state, command),)
        case Settle():
            return (_settle(state, command),)
        case CorrectResult():
            return (_correct(state, command),)
        case SubmitScore(number, score):
            _require_blind(state)
            if entered(state, number).number in state.away:
                raise RefusedOrderError(
                    message("{name} has dropped out.", name=state.names[number])
                )
            return (ScoreSubmitted(len(state.solo) + 1, number, score),)
        case CorrectScore():
            return (_correct_score(state, command),)
        case _:
            assert_never(command)


def _report(state: Tournament, command: ReportResult) -> ResultReported:
    played, table = _place(state, command)
    if played.phase != "running":
        raise RefusedOrderError(message("Round {round} is not being played.", round=played.number))
    if (command.table, command.game) in played.results:
        raise RefusedOrderError(
            message(
                "Game {game} at table {table} is reported already: dispute it, or correct it.",
                game=command.game,
                table=command.table,
            )
        )
    _require_next(state, played, table, command.game)
    result = awarded(state.format, table, command.scores)
    return ResultReported(command.round, command.table, command.game, result)


def _require_next(state: Tournament, played: Round, table: TableSeats, game: int) -> None:
    """Games come in order; more than planned only where a knockout match is drawn."""
    reported = sum(at == table.number for at, _ in played.results)
    if game != reported + 1:
        raise RefusedOrderError(
            message(
                "Game {game} cannot be reported before game {next} at table {table}.",
                game=game,
                next=reported + 1,
                table=table.number,
            )
        )
    games = played.games_of(table.number)
    drawn = state.format.system in KNOCKOUTS and bool(games) and len(winners(games)) > 1
    if is_complete(state.format, len(table.seats), played.games, games) and not drawn:
        raise RefusedOrderError(
            message("Table {table} has played all its games of this round.", table=table.number)
        )


def _take_back(state: Tournament, command: TakeResultBack) -> ResultTakenBack:
    reported = _reported(state, command)
    played, _ = _place(state, command)
    if played.phase != "running" or reported.phase != "reported" or reported.signed:
        raise RefusedOrderError(
            message("This result is agreed on: have the referee correct it instead.")
        )
    if (command.table, command.game + 1) in played.results:
        raise RefusedOrderError(
            message(
                "Game {next} at table {table} is reported too: have the referee correct this one.",
                next=command.game + 1,
                table=command.table,
            )
        )
    return ResultTakenBack(command.round, command.table, command.game)


def _sign(state: Tournament, command: Sign) -> Signed:
    reported = _reported(state, command)
    _require_signer(state, reported, command.entrant)
    if reported.phase == "disputed":
        raise RefusedOrderError(
            message("This result is disputed: the referee has to settle it first.")
        )
    if command.entrant in reported.signed:
        raise RefusedOrderError(
            message("{name} has signed already.", name=state.names[command.entrant])
        )
    return Signed(command.round, command.table, command.game, command.entrant)


def _dispute(state: Tournament, command: Dispute) -> Disputed | ReviewRequested:
    """While others build on a closed round, no word of one player takes a result out of it."""
    reported = _reported(state, command)
    if command.entrant not in {THE_HUB, *reported.result.scores.entrants}:
        _require_signer(state, reported, command.entrant)
    if reported.phase in {"disputed", "settled"} or reported.request is not None:
        raise RefusedOrderError(
            message("This result is in the referee's hands already: speak to the referee.")
        )
    if not command.why.strip():
        raise RefusedOrderError(message("Say what is wrong with the result, in a few words."))
    played, _ = _place(state, command)
    kind = ReviewRequested if played.phase == "closed" else Disputed
    return kind(command.round, command.table, command.game, command.entrant, command.why)


def _uphold(state: Tournament, command: UpholdResult) -> ResultUpheld:
    if _reported(state, command).request is None:
        raise RefusedOrderError(message("Nobody asks for another look at this result: it stands."))
    return ResultUpheld(
        command.round, command.table, command.game, by=command.by, at=command.at, why=command.why
    )


def _settle(state: Tournament, command: Settle) -> Settled:
    reported = _reported(state, command)
    if reported.phase != "disputed":
        raise RefusedOrderError(message("Nobody disputes this result: correct it instead."))
    _, table = _place(state, command)
    result = awarded(state.format, table, command.scores)
    return _in_place_of(Settled, reported.result, command, result)


def _correct(state: Tournament, command: CorrectResult) -> ResultCorrected:
    reported = _reported(state, command)
    if reported.phase == "disputed":
        raise RefusedOrderError(message("This result is disputed: settle it instead."))
    _, table = _place(state, command)
    result = awarded(state.format, table, command.scores)
    if result == reported.result:
        raise RefusedOrderError(
            message("The result stands so already: there is nothing to correct.")
        )
    return _in_place_of(ResultCorrected, reported.result, command, result)


def _in_place_of(
    kind: type[Replacing], was: GameResult, command: Settle | CorrectResult, result: GameResult
) -> Replacing:
    return kind(
        command.round,
        command.table,
        command.game,
        was,
        result,
        by=command.by,
        at=command.at,
        why=command.why,
    )


def _correct_score(state: Tournament, command: CorrectScore) -> ScoreCorrected:
    _require_blind(state)
    if not 1 <= command.number <= len(state.solo):
        raise RefusedOrderError(
            message("No score {number} was handed in: look it up.", number=command.number)
        )
    was = state.solo[command.number - 1].score
    if was == command.score:
        raise RefusedOrderError(
            message("The score stands so already: there is nothing to correct.")
        )
    return ScoreCorrected(
        command.number, was, command.score, by=command.by, at=command.at, why=command.why
    )


def _place(state: Tournament, command: Found) -> tuple[Round, TableSeats]:
    if not 1 <= command.round <= len(state.rounds):
        raise RefusedOrderError(message("Round {round} is not drawn.", round=command.round))
    played = state.rounds[command.round - 1]
    table = played.table(command.table)
    if table is None:
        raise RefusedOrderError(
            message("Round {round} has no table {table}.", round=command.round, table=command.table)
        )
    return played, table


def _reported(state: Tournament, command: Found) -> Reported:
    played, _ = _place(state, command)
    reported = played.results.get((command.table, command.game))
    if reported is None:
        raise RefusedOrderError(
            message(
                "Game {game} at table {table} has no result yet: report it first.",
                game=command.game,
                table=command.table,
            )
        )
    return reported


def _require_signer(state: Tournament, reported: Reported, number: int) -> None:
    if number not in reported.signers:
        raise RefusedOrderError(
            message("{name} did not play this game.", name=entered(state, number).name)
        )


def _require_blind(state: Tournament) -> None:
    if state.format.system != "blind":
        raise RefusedOrderError(
            message("Scores are handed in alone only in a blind event: report the table's result.")
        )
