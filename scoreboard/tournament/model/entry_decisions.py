"""Orders about who takes part."""

from __future__ import annotations

from typing import assert_never
from unicodedata import normalize

from scoreboard.message import message
from scoreboard.tournament.model.commands import (
    CorrectEntry,
    Enter,
    EnterLate,
    EntryOrder,
    Replace,
    Return,
    Withdraw,
)
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.events import (
    Entered,
    EnteredLate,
    EntryCorrected,
    Event,
    Replaced,
    Returned,
    Withdrew,
)
from scoreboard.tournament.model.refusal import RefusedOrderError
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_format import LAID_DOWN


def decide_entry(state: Tournament, command: EntryOrder) -> tuple[Event, ...]:
    """What an order about entries leads to. Raises RefusedOrderError."""
    match command:
        case Enter(entrant):
            _require_unstarted(state)
            _require_new(state, entrant)
            return (Entered(entrant),)
        case EnterLate(entrant=entrant):
            _require_open(state)
            _require_new(state, entrant)
            return (EnteredLate(entrant, by=command.by, at=command.at, why=command.why),)
        case Withdraw(entrant=number):
            _require_presence(state, number)
            return (Withdrew(number, by=command.by, at=command.at, why=command.why),)
        case Return(entrant=number):
            _require_away(state, number)
            return (Returned(number, by=command.by, at=command.at, why=command.why),)
        case Replace(entrant=entrant):
            was = entered(state, entrant.number)
            _require_name(state, entrant)
            _require_seed(state, was, entrant)
            return (Replaced(was, entrant, by=command.by, at=command.at, why=command.why),)
        case CorrectEntry(entrant=entrant):
            was = entered(state, entrant.number)
            if was == entrant:
                raise RefusedOrderError(
                    message("The entry stands so already: there is nothing to correct.")
                )
            _require_name(state, entrant)
            _require_seed(state, was, entrant)
            return (EntryCorrected(was, entrant, by=command.by, at=command.at, why=command.why),)
        case _:
            assert_never(command)


def entered(state: Tournament, number: int) -> Entrant:
    """The entry with a number. Raises RefusedOrderError where there is none."""
    found = state.entrant(number)
    if found is None:
        raise RefusedOrderError(
            message("Nobody has the entry number {number}: look it up in the list.", number=number)
        )
    return found


def _require_unstarted(state: Tournament) -> None:
    if state.rounds:
        raise RefusedOrderError(message("Round 1 is drawn: make it a late entry, with its reason."))


def _require_open(state: Tournament) -> None:
    """Whether somebody who comes late can still be seated."""
    if not state.rounds and state.format.system != "blind":
        raise RefusedOrderError(message("Round 1 is not drawn yet: make it an ordinary entry."))
    if state.format.system in LAID_DOWN:
        raise RefusedOrderError(
            message("Who meets whom is fixed: undo round 1, or replace somebody who drops out.")
        )
    if state.cuts:
        raise RefusedOrderError(
            message("The cut is made: only who reached it goes on, or a replacement for them.")
        )


def _require_new(state: Tournament, entrant: Entrant) -> None:
    if state.entrant(entrant.number) is not None:
        free = max(state.numbers) + 1
        raise RefusedOrderError(
            message(
                "The entry number {number} is taken: take {free}.",
                number=entrant.number,
                free=free,
            )
        )
    _require_name(state, entrant)


def _require_name(state: Tournament, entrant: Entrant) -> None:
    for other in state.entrants:
        if other.number != entrant.number and _alike(other.name) == _alike(entrant.name):
            raise RefusedOrderError(
                message(
                    "“{name}” is entry {number} already: tell them apart, by the town say.",
                    name=entrant.name,
                    number=other.number,
                )
            )


def _alike(name: str) -> str:
    """What names have in common that look alike: entries of before are not all composed."""
    return normalize("NFC", name).casefold()


def _require_seed(state: Tournament, was: Entrant, entrant: Entrant) -> None:
    """Whether a schedule or bracket that was made from the seeds still holds."""
    laid_down = bool(state.rounds) and state.format.system in LAID_DOWN
    if laid_down and was.seed_rank != entrant.seed_rank:
        raise RefusedOrderError(
            message("Who meets whom is fixed by the seeds: keep the seed of {name}.", name=was.name)
        )


def _require_presence(state: Tournament, number: int) -> None:
    if entered(state, number).number in state.away:
        raise RefusedOrderError(
            message("{name} has dropped out already.", name=state.names[number])
        )


def _require_away(state: Tournament, number: int) -> None:
    if entered(state, number).number not in state.away:
        raise RefusedOrderError(message("{name} has not dropped out.", name=state.names[number]))
