"""What happened to results, in a sentence each."""

from __future__ import annotations

from typing import assert_never

from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.happenings import (
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
from scoreboard.tournament.naming import named, scored
from scoreboard.tournament.tournament import Tournament
from scoreboard.tournament.tournament_round import THE_HUB, Objection


def describe_result(state: Tournament, happening: ResultHappening) -> Phrase:
    """What a happening to a result was, given the state after it."""
    if isinstance(happening, ScoreSubmitted):
        name = named(state, happening.entrant)
        return phrase("{name} handed in {score}.", name=name, score=happening.score)
    if isinstance(happening, ScoreCorrected):
        return phrase(
            "Score {number} is {score}, not {was}.",
            number=happening.number,
            score=happening.score,
            was=happening.was,
        )
    at = phrase(
        "Round {round}, table {table}, game {game}",
        round=happening.round,
        table=happening.table,
        game=happening.game,
    )
    return phrase("{at}: {told}", at=at, told=_told(state, happening))


def objection_told(state: Tournament, objection: Objection) -> Phrase:
    """Who disagrees with a result, and why."""
    if objection.entrant == THE_HUB:
        return phrase("the hub disagrees: “{why}”", why=objection.why)
    name = named(state, objection.entrant)
    return phrase("{name} disagrees: “{why}”", name=name, why=objection.why)


def _told(  # noqa: PLR0911 -- one arm a member
    state: Tournament,
    happening: ResultReported
    | ResultTakenBack
    | Signed
    | Disputed
    | ReviewRequested
    | ResultUpheld
    | Settled
    | ResultCorrected,
) -> Phrase:
    match happening:
        case ResultReported(result=result):
            return phrase("{scores}.", scores=scored(state, result))
        case ResultTakenBack():
            return phrase("the table took the result back.")
        case Signed(entrant=entrant):
            return phrase("{name} signed.", name=named(state, entrant))
        case Disputed(entrant=entrant, why=why):
            return objection_told(state, Objection(entrant, why))
        case ReviewRequested(entrant=entrant, why=why):
            asked = objection_told(state, Objection(entrant, why))
            return phrase("the referee is asked to look again: {asked}", asked=asked)
        case ResultUpheld():
            return phrase("the referee looked again, and the result stands.")
        case Settled(result=result):
            return phrase("the referee decided: {scores}.", scores=scored(state, result))
        case ResultCorrected(was=was, result=result):
            return phrase(
                "{scores}, not {was}.", scores=scored(state, result), was=scored(state, was)
            )
        case _:
            assert_never(happening)
