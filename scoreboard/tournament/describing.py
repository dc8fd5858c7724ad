"""What happened, in a sentence each: the log that the director reads."""

from __future__ import annotations

from itertools import pairwise
from typing import assert_never

from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.attributed import Attributed
from scoreboard.tournament.describing_results import describe_result
from scoreboard.tournament.happenings import (
    CutMade,
    Entered,
    EnteredLate,
    EntryCorrected,
    EntryHappening,
    Finished,
    Happening,
    LotDrawn,
    PlayedOff,
    Reopened,
    Replaced,
    ResultHappening,
    Returned,
    RoundClosed,
    RoundDrawn,
    RoundDrawnByHand,
    RoundHappening,
    RoundsReplanned,
    RoundStarted,
    RoundUndone,
    StandingHappening,
    TablesMerged,
    TableSplit,
    Withdrew,
)
from scoreboard.tournament.naming import named
from scoreboard.tournament.tournament import Tournament


def describe(state: Tournament, happening: Happening) -> Phrase:
    """What a happening was, given the state after it; who and why follow where they are kept."""
    told = _told(state, happening)
    if isinstance(happening, Attributed):
        return phrase("{told} {by}: “{why}”", told=told, by=happening.by, why=happening.why)
    return told


def _told(state: Tournament, happening: Happening) -> Phrase:
    if isinstance(happening, EntryHappening):
        return _entry(state, happening)
    if isinstance(happening, RoundHappening):
        return _round(state, happening)
    if isinstance(happening, ResultHappening):
        return describe_result(state, happening)
    return _standing(state, happening)


def _entry(state: Tournament, happening: EntryHappening) -> Phrase:
    match happening:
        case Entered(entrant):
            return phrase("{name} entered as {number}.", name=entrant.name, number=entrant.number)
        case EnteredLate(entrant=entrant):
            return phrase(
                "{name} entered late as {number}.", name=entrant.name, number=entrant.number
            )
        case Withdrew(entrant=number):
            return phrase("{name} dropped out.", name=named(state, number))
        case Returned(entrant=number):
            return phrase("{name} came back.", name=named(state, number))
        case Replaced(was=was, entrant=entrant):
            return phrase("{name} goes on for {was}.", name=entrant.name, was=was.name)
        case EntryCorrected(was=was, entrant=entrant):
            return phrase(
                "An entry was corrected: {entrant}, not {was}.", entrant=str(entrant), was=str(was)
            )
        case _:
            assert_never(happening)


def replacement_told(state: Tournament, number: int) -> Phrase | None:
    """For whom somebody goes on, and from which round; None for who always held the entry."""
    told = None
    for was, now in pairwise(state.holders.get(number, ())):
        if was.from_round == now.from_round:  # a round taken back left the first one nothing
            continue
        one = phrase("for {was}, from round {round}", was=was.name, round=now.from_round)
        told = one if told is None else phrase("{one}, {other}", one=told, other=one)
    return told


def _round(state: Tournament, happening: RoundHappening) -> Phrase:  # noqa: PLR0911 -- one arm a member
    match happening:
        case RoundDrawn():
            return phrase(
                "Round {round} was drawn with seed {seed}.",
                round=happening.round,
                seed=happening.seed,
            )
        case RoundDrawnByHand():
            return phrase("Round {round} was seated by hand.", round=happening.round)
        case RoundStarted(number):
            return phrase("Round {round} began.", round=number)
        case RoundClosed(number):
            return phrase("Round {round} ended.", round=number)
        case RoundUndone(round=number):
            return phrase("Round {round} was taken back.", round=number)
        case TablesMerged(table=table, into=into):
            return phrase("Table {table} moved to table {into}.", table=table, into=into)
        case TableSplit(table=table, leaving=leaving, to=to):
            names = ", ".join(named(state, each) for each in leaving)
            return phrase(
                "{names} moved from table {table} to {to}.", names=names, table=table, to=to
            )
        case RoundsReplanned(was=was, rounds=rounds):
            return phrase("Planned rounds: {rounds} rather than {was}.", rounds=rounds, was=was)
        case _:
            assert_never(happening)


def _standing(state: Tournament, happening: StandingHappening) -> Phrase:
    match happening:
        case CutMade(stage=stage, entrants=entrants):
            names = ", ".join(named(state, each) for each in entrants)
            reached = state.format.stages[stage - 1].name
            return phrase("{names} reached {stage}.", names=names, stage=reached)
        case PlayedOff(order=order):
            names = ", ".join(named(state, each) for each in order)
            return phrase("The play-off, best first: {names}.", names=names)
        case LotDrawn(order=order, seed=seed):
            names = ", ".join(named(state, each) for each in order)
            return phrase("The lot with seed {seed}, best first: {names}.", seed=seed, names=names)
        case Finished():
            return phrase("The tournament ended.")
        case Reopened():
            return phrase("The tournament was reopened.")
        case _:
            assert_never(happening)
