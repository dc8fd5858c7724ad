"""What a happening makes of a tournament: never refuses, knows no rule, only records."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from scoreboard.tournament.model.attributed import Attributed
from scoreboard.tournament.model.entrant import Entrant, Holder
from scoreboard.tournament.model.events import (
    CutMade,
    Entered,
    EnteredLate,
    EntryCorrected,
    EntryHappening,
    Event,
    Finished,
    LotDrawn,
    PlayedOff,
    Reopened,
    Replaced,
    ResultHappening,
    Returned,
    RoundHappening,
    StandingHappening,
    Withdrew,
)
from scoreboard.tournament.model.result_changes import evolve_result
from scoreboard.tournament.model.round_changes import evolve_round
from scoreboard.tournament.model.tournament import Tournament


def evolve(state: Tournament, event: Event) -> Tournament:
    """The state after a happening; what is kept with who, when and why goes to the annals."""
    if isinstance(event, Attributed):
        state = replace(state, amendments=(*state.amendments, event))
    if isinstance(event, EntryHappening):
        return _evolve_entry(state, event)
    if isinstance(event, RoundHappening):
        return evolve_round(state, event)
    if isinstance(event, ResultHappening):
        return evolve_result(state, event)
    return _evolve_standing(state, event)


def _evolve_entry(state: Tournament, event: EntryHappening) -> Tournament:
    match event:
        case Entered(entrant) | EnteredLate(entrant=entrant):
            return replace(state, entrants=(*state.entrants, entrant))
        case Withdrew(entrant=number):
            return replace(state, away=state.away | {number})
        case Returned(entrant=number):
            return replace(state, away=state.away - {number})
        case Replaced(was=was, entrant=entrant):
            held = state.holders_of(was.number)
            if was.name != entrant.name:
                coming = _coming_round(state)
                played = (each for each in held if each.from_round < coming)
                held = (*played, Holder(entrant.name, entrant.name, coming))
            return _with_entrant(state, was, entrant, held)
        case EntryCorrected(was=was, entrant=entrant):
            *before, last = state.holders_of(was.number)
            return _with_entrant(state, was, entrant, (*before, replace(last, name=entrant.name)))
        case _:
            assert_never(event)


def _with_entrant(
    state: Tournament, was: Entrant, entrant: Entrant, held: tuple[Holder, ...]
) -> Tournament:
    entrants = tuple(entrant if each == was else each for each in state.entrants)
    return replace(state, entrants=entrants, holders={**state.holders, entrant.number: held})


def _coming_round(state: Tournament) -> int:
    """The first round that somebody plays who goes on now: the last one, unless it is over."""
    last = state.last_round
    return len(state.rounds) + (last is None or last.phase == "closed")


def _evolve_standing(state: Tournament, event: StandingHappening) -> Tournament:
    match event:
        case CutMade(stage):
            return replace(state, cuts=(*state.cuts[: stage - 1], event))
        case PlayedOff() | LotDrawn():
            return replace(state, decisions=(*state.decisions, event))
        case Finished():
            return replace(state, finished=True)
        case Reopened():
            return replace(state, finished=False)
        case _:
            assert_never(event)
