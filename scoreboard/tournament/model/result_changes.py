"""What happens to results, recorded."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

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
from scoreboard.tournament.model.round_changes import closed, with_round
from scoreboard.tournament.model.tournament import SoloScore, Tournament
from scoreboard.tournament.model.tournament_format import KNOCKOUTS, TournamentFormat
from scoreboard.tournament.model.tournament_round import Objection, Reported, Round


def evolve_result(state: Tournament, event: ResultHappening) -> Tournament:  # noqa: PLR0911 -- one arm a member
    """The state after something happened to a result."""
    match event:
        case ResultReported(number, table, game, result):
            return _with_result(state, number, (table, game), Reported(result))
        case ResultTakenBack(number, table, game):
            return _without_result(state, number, (table, game))
        case Signed(number, table, game, entrant):
            reported = _reported(state, number, (table, game))
            signed = replace(reported, signed=reported.signed | {entrant})
            return _with_result(state, number, (table, game), signed)
        case Disputed(number, table, game, entrant, why):
            reported = _reported(state, number, (table, game))
            disputed = replace(reported, objection=Objection(entrant, why))
            return _with_result(state, number, (table, game), disputed)
        case ReviewRequested(number, table, game, entrant, why):
            reported = _reported(state, number, (table, game))
            asked = replace(reported, request=Objection(entrant, why))
            return _with_result(state, number, (table, game), asked)
        case ResultUpheld(round=number, table=table, game=game):
            reported = _reported(state, number, (table, game))
            upheld = replace(reported, request=None, settled=True)
            return _with_result(state, number, (table, game), upheld)
        case Settled() | ResultCorrected():
            return _decided(state, event)
        case ScoreSubmitted(entrant=entrant, score=score):
            return replace(state, solo=(*state.solo, SoloScore(entrant, score)))
        case ScoreCorrected(number=number, score=score):
            return _with_solo(state, number, score)
        case _:
            assert_never(event)


def _decided(state: Tournament, event: Settled | ResultCorrected) -> Tournament:
    """The new result stands as settled; draws made from it since are kept, and marked."""
    at = event.table, event.game
    state = _with_result(state, event.round, at, Reported(event.result, settled=True))
    marked = tuple(_marked(state.format, each, event.round) for each in state.rounds)
    return replace(state, rounds=marked)


def _marked(form: TournamentFormat, later: Round, corrected: int) -> Round:
    known = later.number <= corrected or corrected in later.corrected_before
    if known or not _looked_at_results(form, later):
        return later
    return replace(later, corrected_before=tuple(sorted((*later.corrected_before, corrected))))


def _looked_at_results(form: TournamentFormat, drawn: Round) -> bool:
    """Whether a draw depended on results, or may have, being made by hand."""
    by_standing = bool(form.by_standing_from) and drawn.number >= form.by_standing_from
    from_results = form.system in {"swiss", *KNOCKOUTS}
    return drawn.stage > 0 or drawn.seed is None or by_standing or from_results


def _reported(state: Tournament, number: int, at: tuple[int, int]) -> Reported:
    return state.rounds[number - 1].results[at]


def _with_result(
    state: Tournament, number: int, at: tuple[int, int], reported: Reported
) -> Tournament:
    was = state.rounds[number - 1]
    changed = replace(was, results={**was.results, at: reported})
    if was.phase == "closed" and _counts_otherwise(was.results.get(at), reported):
        changed = closed(state, changed)
    return with_round(state, changed)


def _without_result(state: Tournament, number: int, at: tuple[int, int]) -> Tournament:
    was = state.rounds[number - 1]
    left = {each: reported for each, reported in was.results.items() if each != at}
    return with_round(state, replace(was, results=left))


def _counts_otherwise(was: Reported | None, now: Reported) -> bool:
    """Whether the standings see a difference: a signature is none."""
    before = None if was is None or was.objection else was.result
    return before != (None if now.objection else now.result)


def _with_solo(state: Tournament, number: int, score: int) -> Tournament:
    at = number - 1
    mended = replace(state.solo[at], score=score)
    return replace(state, solo=(*state.solo[:at], mended, *state.solo[at + 1 :]))
