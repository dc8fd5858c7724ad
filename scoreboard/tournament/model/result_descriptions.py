"""What happened to results, in a sentence each."""

from __future__ import annotations

from typing import assert_never

from scoreboard.message import Message, message
from scoreboard.tournament.model.events import (
    Disputed,
    ResultCorrected,
    ResultHappening,
    ResultReported,
    ResultTakenBack,
    ResultUpheld,
    ReviewRequested,
    ScoreCorrected,
    ScoreSubmitted,
    Settled,
    Signed,
)
from scoreboard.tournament.model.names import named, scored
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_round import THE_HUB, Contradiction, Objection


def describe_result(state: Tournament, event: ResultHappening) -> Message:
    """What a happening to a result was, given the state after it."""
    if isinstance(event, ScoreSubmitted):
        name = named(state, event.entrant)
        return message("{name} handed in {score}.", name=name, score=event.score)
    if isinstance(event, ScoreCorrected):
        return message(
            "Score {number} is {score}, not {was}.",
            number=event.number,
            score=event.score,
            was=event.was,
        )
    at = message(
        "Round {round}, table {table}, game {game}",
        round=event.round,
        table=event.table,
        game=event.game,
    )
    return message("{at}: {told}", at=at, told=_told(state, event))


def objection_told(state: Tournament, objection: Objection) -> Message:
    """Who disagrees with a result, and why."""
    if objection.entrant == THE_HUB:
        return message("the hub disagrees: “{why}”", why=_hubs_reason(state, objection.why))
    name = named(state, objection.entrant)
    return message("{name} disagrees: “{why}”", name=name, why=objection.why)


def _hubs_reason(state: Tournament, why: str) -> str | Message:
    contradiction = Contradiction.parse(why)
    if contradiction is None:
        return why
    return message(
        "The hub has {reported}; the table's sheet says {scores}.",
        reported=scored(state, contradiction.reported),
        scores=scored(state, contradiction.sheet),
    )


def _told(  # noqa: PLR0911 -- one arm a member
    state: Tournament,
    event: ResultReported
    | ResultTakenBack
    | Signed
    | Disputed
    | ReviewRequested
    | ResultUpheld
    | Settled
    | ResultCorrected,
) -> Message:
    match event:
        case ResultReported(result=result):
            return message("{scores}.", scores=scored(state, result.scores))
        case ResultTakenBack():
            return message("the table took the result back.")
        case Signed(entrant=entrant):
            return message("{name} signed.", name=named(state, entrant))
        case Disputed(entrant=entrant, why=why):
            return objection_told(state, Objection(entrant, why))
        case ReviewRequested(entrant=entrant, why=why):
            asked = objection_told(state, Objection(entrant, why))
            return message("the referee is asked to look again: {asked}", asked=asked)
        case ResultUpheld():
            return message("the referee looked again, and the result stands.")
        case Settled(result=result):
            return message("the referee decided: {scores}.", scores=scored(state, result.scores))
        case ResultCorrected(was=was, result=result):
            return message(
                "{scores}, not {was}.",
                scores=scored(state, result.scores),
                was=scored(state, was.scores),
            )
        case _:
            assert_never(event)
