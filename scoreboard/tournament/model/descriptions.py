"""What happened, in a sentence each: the log that the director reads."""

from __future__ import annotations

from itertools import pairwise
from typing import assert_never

from scoreboard.message import Message, message
from scoreboard.tournament.model.attributed import Attributed
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
from scoreboard.tournament.model.names import named
from scoreboard.tournament.model.result_descriptions import describe_result
from scoreboard.tournament.model.tournament import Tournament


def describe(state: Tournament, event: Event) -> Message:
    """What a happening was, given the state after it; who and why follow where they are kept."""
    told = _told(state, event)
    if isinstance(event, Attributed):
        return message("{told} {by}: “{why}”", told=told, by=event.by, why=event.why)
    return told


def _told(state: Tournament, event: Event) -> Message:
    if isinstance(event, EntryHappening):
        return _entry(state, event)
    if isinstance(event, RoundHappening):
        return _round(state, event)
    if isinstance(event, ResultHappening):
        return describe_result(state, event)
    return _standing(state, event)


def _entry(state: Tournament, event: EntryHappening) -> Message:
    match event:
        case Entered(entrant):
            return message("{name} entered as {number}.", name=entrant.name, number=entrant.number)
        case EnteredLate(entrant=entrant):
            return message(
                "{name} entered late as {number}.", name=entrant.name, number=entrant.number
            )
        case Withdrew(entrant=number):
            return message("{name} dropped out.", name=named(state, number))
        case Returned(entrant=number):
            return message("{name} came back.", name=named(state, number))
        case Replaced(was=was, entrant=entrant):
            return message("{name} goes on for {was}.", name=entrant.name, was=was.name)
        case EntryCorrected(was=was, entrant=entrant):
            return message(
                "An entry was corrected: {entrant}, not {was}.", entrant=str(entrant), was=str(was)
            )
        case _:
            assert_never(event)


def replacement_told(state: Tournament, number: int) -> Message | None:
    """For whom somebody goes on, and from which round; None for who always held the entry."""
    told = None
    for was, now in pairwise(state.holders.get(number, ())):
        if was.from_round == now.from_round:  # a round taken back left the first one nothing
            continue
        one = message("for {was}, from round {round}", was=was.name, round=now.from_round)
        told = one if told is None else message("{one}, {other}", one=told, other=one)
    return told


def _round(state: Tournament, event: RoundHappening) -> Message:  # noqa: PLR0911 -- one arm a member
    match event:
        case RoundDrawn():
            return message(
                "Round {round} was drawn with seed {seed}.",
                round=event.round,
                seed=event.seed,
            )
        case RoundDrawnByHand():
            return message("Round {round} was seated by hand.", round=event.round)
        case RoundStarted(number):
            return message("Round {round} began.", round=number)
        case RoundClosed(number):
            return message("Round {round} ended.", round=number)
        case RoundUndone(round=number):
            return message("Round {round} was taken back.", round=number)
        case TablesMerged(table=table, into=into):
            return message("Table {table} moved to table {into}.", table=table, into=into)
        case TableSplit(table=table, leaving=leaving, to=to):
            names = ", ".join(named(state, each) for each in leaving)
            return message(
                "{names} moved from table {table} to {to}.", names=names, table=table, to=to
            )
        case RoundsReplanned(was=was, rounds=rounds):
            return message("Planned rounds: {rounds} rather than {was}.", rounds=rounds, was=was)
        case _:
            assert_never(event)


def _standing(state: Tournament, event: StandingHappening) -> Message:
    match event:
        case CutMade(stage=stage, entrants=entrants):
            names = ", ".join(named(state, each) for each in entrants)
            reached = state.format.stages[stage - 1].name
            return message("{names} reached {stage}.", names=names, stage=reached)
        case PlayedOff(order=command):
            names = ", ".join(named(state, each) for each in command)
            return message("The play-off, best first: {names}.", names=names)
        case LotDrawn(order=command, seed=seed):
            names = ", ".join(named(state, each) for each in command)
            return message("The lot with seed {seed}, best first: {names}.", seed=seed, names=names)
        case Finished():
            return message("The tournament ended.")
        case Reopened():
            return message("The tournament was reopened.")
        case _:
            assert_never(event)
