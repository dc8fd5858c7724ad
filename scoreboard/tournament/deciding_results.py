"""Orders about results: report, sign, dispute, settle, correct."""

from __future__ import annotations

from typing import TypeVar, assert_never

from scoreboard.phrase import phrase
from scoreboard.tournament.deciding_entries import entered
from scoreboard.tournament.draw import TableSeats
from scoreboard.tournament.happenings import (
    Disputed,
    Happening,
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
from scoreboard.tournament.orders import (
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
from scoreboard.tournament.refusal import RefusedOrderError
from scoreboard.tournament.scoring import awarded, is_complete, winners
from scoreboard.tournament.table_result import GameResult
from scoreboard.tournament.tournament import Tournament
from scoreboard.tournament.tournament_format import KNOCKOUTS
from scoreboard.tournament.tournament_round import THE_HUB, Reported, Round

Replacing = TypeVar("Replacing", Settled, ResultCorrected)
Found = ReportResult | TakeResultBack | Sign | Dispute | UpholdResult | Settle | CorrectResult


def decide_result(state: Tournament, order: ResultOrder) -> tuple[Happening, ...]:  # noqa: C901, PLR0911 -- one arm a member
    """What an order about results leads to. Raises RefusedOrderError."""
    match order:
        case ReportResult():
            return (_report(state, order),)
        case TakeResultBack():
            return (_take_back(state, order),)
        case Sign():
            return (_sign(state, order),)
        case Dispute():
            return (_dispute(state, order),)
        case UpholdResult():
            return (_uphold(state, order),)
        case Settle():
            return (_settle(state, order),)
        case CorrectResult():
            return (_correct(state, order),)
        case SubmitScore(number, score):
            _require_blind(state)
            if entered(state, number).number in state.away:
                raise RefusedOrderError(phrase("{name} has dropped out.", name=state.names[number]))
            return (ScoreSubmitted(len(state.solo) + 1, number, score),)
        case CorrectScore():
            return (_correct_score(state, order),)
        case _:
            assert_never(order)


def _report(state: Tournament, order: ReportResult) -> ResultReported:
    played, table = _place(state, order)
    if played.phase != "running":
        raise RefusedOrderError(phrase("Round {round} is not being played.", round=played.number))
    if (order.table, order.game) in played.results:
        raise RefusedOrderError(
            phrase(
                "Game {game} at table {table} is reported already: dispute it, or correct it.",
                game=order.game,
                table=order.table,
            )
        )
    _require_next(state, played, table, order.game)
    result = awarded(state.format, table, order.scores)
    return ResultReported(order.round, order.table, order.game, result)


def _require_next(state: Tournament, played: Round, table: TableSeats, game: int) -> None:
    """Games come in order; more than planned only where a knockout match is drawn."""
    reported = sum(at == table.number for at, _ in played.results)
    if game != reported + 1:
        raise RefusedOrderError(
            phrase(
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
            phrase("Table {table} has played all its games of this round.", table=table.number)
        )


def _take_back(state: Tournament, order: TakeResultBack) -> ResultTakenBack:
    reported = _reported(state, order)
    played, _ = _place(state, order)
    if played.phase != "running" or reported.phase != "reported" or reported.signed:
        raise RefusedOrderError(
            phrase("This result is agreed on: have the referee correct it instead.")
        )
    if (order.table, order.game + 1) in played.results:
        raise RefusedOrderError(
            phrase(
                "Game {next} at table {table} is reported too: have the referee correct this one.",
                next=order.game + 1,
                table=order.table,
            )
        )
    return ResultTakenBack(order.round, order.table, order.game)


def _sign(state: Tournament, order: Sign) -> Signed:
    reported = _reported(state, order)
    _require_signer(state, reported, order.entrant)
    if reported.phase == "disputed":
        raise RefusedOrderError(
            phrase("This result is disputed: the referee has to settle it first.")
        )
    if order.entrant in reported.signed:
        raise RefusedOrderError(
            phrase("{name} has signed already.", name=state.names[order.entrant])
        )
    return Signed(order.round, order.table, order.game, order.entrant)


def _dispute(state: Tournament, order: Dispute) -> Disputed | ReviewRequested:
    """While others build on a closed round, no word of one player takes a result out of it."""
    reported = _reported(state, order)
    if order.entrant not in {THE_HUB, *reported.result.scores.entrants}:
        _require_signer(state, reported, order.entrant)
    if reported.phase in {"disputed", "settled"} or reported.request is not None:
        raise RefusedOrderError(
            phrase("This result is in the referee's hands already: speak to the referee.")
        )
    if not order.why.strip():
        raise RefusedOrderError(phrase("Say what is wrong with the result, in a few words."))
    played, _ = _place(state, order)
    kind = ReviewRequested if played.phase == "closed" else Disputed
    return kind(order.round, order.table, order.game, order.entrant, order.why)


def _uphold(state: Tournament, order: UpholdResult) -> ResultUpheld:
    if _reported(state, order).request is None:
        raise RefusedOrderError(phrase("Nobody asks for another look at this result: it stands."))
    return ResultUpheld(
        order.round, order.table, order.game, by=order.by, at=order.at, why=order.why
    )


def _settle(state: Tournament, order: Settle) -> Settled:
    reported = _reported(state, order)
    if reported.phase != "disputed":
        raise RefusedOrderError(phrase("Nobody disputes this result: correct it instead."))
    _, table = _place(state, order)
    result = awarded(state.format, table, order.scores)
    return _in_place_of(Settled, reported.result, order, result)


def _correct(state: Tournament, order: CorrectResult) -> ResultCorrected:
    reported = _reported(state, order)
    if reported.phase == "disputed":
        raise RefusedOrderError(phrase("This result is disputed: settle it instead."))
    _, table = _place(state, order)
    result = awarded(state.format, table, order.scores)
    if result == reported.result:
        raise RefusedOrderError(
            phrase("The result stands so already: there is nothing to correct.")
        )
    return _in_place_of(ResultCorrected, reported.result, order, result)


def _in_place_of(
    kind: type[Replacing], was: GameResult, order: Settle | CorrectResult, result: GameResult
) -> Replacing:
    return kind(
        order.round,
        order.table,
        order.game,
        was,
        result,
        by=order.by,
        at=order.at,
        why=order.why,
    )


def _correct_score(state: Tournament, order: CorrectScore) -> ScoreCorrected:
    _require_blind(state)
    if not 1 <= order.number <= len(state.solo):
        raise RefusedOrderError(
            phrase("No score {number} was handed in: look it up.", number=order.number)
        )
    was = state.solo[order.number - 1].score
    if was == order.score:
        raise RefusedOrderError(phrase("The score stands so already: there is nothing to correct."))
    return ScoreCorrected(order.number, was, order.score, by=order.by, at=order.at, why=order.why)


def _place(state: Tournament, order: Found) -> tuple[Round, TableSeats]:
    if not 1 <= order.round <= len(state.rounds):
        raise RefusedOrderError(phrase("Round {round} is not drawn.", round=order.round))
    played = state.rounds[order.round - 1]
    table = played.table(order.table)
    if table is None:
        raise RefusedOrderError(
            phrase("Round {round} has no table {table}.", round=order.round, table=order.table)
        )
    return played, table


def _reported(state: Tournament, order: Found) -> Reported:
    played, _ = _place(state, order)
    reported = played.results.get((order.table, order.game))
    if reported is None:
        raise RefusedOrderError(
            phrase(
                "Game {game} at table {table} has no result yet: report it first.",
                game=order.game,
                table=order.table,
            )
        )
    return reported


def _require_signer(state: Tournament, reported: Reported, number: int) -> None:
    if number not in reported.signers:
        raise RefusedOrderError(
            phrase("{name} did not play this game.", name=entered(state, number).name)
        )


def _require_blind(state: Tournament) -> None:
    if state.format.system != "blind":
        raise RefusedOrderError(
            phrase("Scores are handed in alone only in a blind event: report the table's result.")
        )
