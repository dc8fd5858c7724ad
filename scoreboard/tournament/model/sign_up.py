"""Players sign up by themselves: for a place, or for the waiting list, from which they move up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar

from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import DIRECTOR_OR_HUB, CommandRefusedError, Role
from scoreboard.tournament.model.entrant import HIGHEST_NUMBER, Entrant, spelling_key
from scoreboard.tournament.model.entries import (
    Entered,
    EntryDeleted,
    free_number,
    is_undrawn,
    still_waiting,
    without_sign_up,
)
from scoreboard.tournament.model.tournament import Command, Event, SignUpSet, Tournament
from scoreboard.tournament.model.tournament_format import LAID_DOWN

# -- opened and closed by the director


@dataclass(frozen=True, slots=True)
class SetSignUp(Command):
    """Say whether players may sign up now, for how many places (0: any number) and what fee.

    `late` keeps it open after round 1 is drawn.
    """

    is_open: bool
    places: int
    fee: str
    late: bool

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        if not 0 <= self.places <= HIGHEST_NUMBER:
            asked = message(
                "Give the event 1 to {most} places, or leave it empty.", most=HIGHEST_NUMBER
            )
            raise CommandRefusedError(asked)
        return (SignUpSet(int(self.is_open), self.places, self.fee, int(self.late)),)


def takes_sign_ups(state: Tournament) -> bool:
    """Whether players may sign up by themselves now."""
    sign_up = state.sign_up
    if sign_up is None or not sign_up.is_open or state.finished:
        return False
    if not state.rounds and not state.proposed:
        return True
    return bool(sign_up.late and state.format.system not in LAID_DOWN and not state.cuts)


def free_places(state: Tournament) -> int | None:
    """How many places nobody has; None where any number may play."""
    if state.sign_up is None or not state.sign_up.places:
        return None
    return max(0, state.sign_up.places - len(state.present))


# -- on the list or the waiting list, and off it


@dataclass(frozen=True, slots=True)
class SignUp(Command):
    """Enter a player who signs up, under the next free number, or put them on the waiting list."""

    roles: ClassVar[frozenset[Role]] = DIRECTOR_OR_HUB

    entrant: Entrant
    at: datetime

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        if not takes_sign_ups(state):
            raise CommandRefusedError(
                message("The sign-up is closed: ask the director for a place.")
            )
        waiting = (each.name for each in state.waiting)
        known = (*state.names.values(), *state.entered_as.values(), *waiting)
        if spelling_key(self.entrant.name) in map(spelling_key, known):
            raise CommandRefusedError(
                message(
                    "“{name}” has signed up already. Is it somebody else? Add the town, say.",
                    name=self.entrant.name,
                )
            )
        entrant = replace(self.entrant, number=free_number(state))
        if state.waiting or free_places(state) == 0:
            return (WaitlistJoined(entrant, self.at),)
        return (SignedUp(entrant, self.at),)


@dataclass(frozen=True, slots=True)
class SignedUp(Entered):
    """A player signed up and has a place."""

    at: datetime

    def apply(self, state: Tournament) -> Tournament:
        after = Entered.apply(self, state)
        return replace(after, signed_up={**state.signed_up, self.entrant.name: self.at})

    def describe(self, state: Tournament) -> Message:
        return message(
            "{name} signed up as {number}.", name=self.entrant.name, number=self.entrant.number
        )


@dataclass(frozen=True, slots=True)
class WaitlistJoined(Event):
    """Somebody signed up when all places were taken; they get another number when they enter."""

    entrant: Entrant
    at: datetime

    def apply(self, state: Tournament) -> Tournament:
        signed_up = {**state.signed_up, self.entrant.name: self.at}
        return replace(state, waiting=(*state.waiting, self.entrant), signed_up=signed_up)

    def describe(self, state: Tournament) -> Message:
        return message(
            "{name} signed up, place {place} on the waiting list.",
            name=self.entrant.name,
            place=len(state.waiting),
        )


@dataclass(frozen=True, slots=True)
class CancelSignUp(Command):
    """Take somebody off the waiting list or, before they are drawn, off the list of entries."""

    roles: ClassVar[frozenset[Role]] = DIRECTOR_OR_HUB

    name: str

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        for each in state.waiting:
            if spelling_key(each.name) == spelling_key(self.name):
                return (WaitlistLeft(each),)
        for number, name in state.entered_as.items():
            if name == self.name and not state.proposed and is_undrawn(state, number):
                return tuple(EntryDeleted(each) for each in state.entrants if each.number == number)
        raise CommandRefusedError(
            message("{name} can’t be taken off here any more: tell the director.", name=self.name)
        )


@dataclass(frozen=True, slots=True)
class WaitlistLeft(Event):
    """Somebody does not wait for a place any more."""

    entrant: Entrant

    def apply(self, state: Tournament) -> Tournament:
        signed_up = without_sign_up(state, self.entrant.name)
        return replace(state, waiting=still_waiting(state, self.entrant), signed_up=signed_up)

    def describe(self, state: Tournament) -> Message:
        return message("{name} was taken off the waiting list.", name=self.entrant.name)


@dataclass(frozen=True, slots=True)
class MovedUp(Entered):
    """A place became free for the first on the waiting list."""

    def apply(self, state: Tournament) -> Tournament:
        after = Entered.apply(self, state)
        return replace(after, moved_up=state.moved_up | {self.entrant.number})

    def describe(self, state: Tournament) -> Message:
        return message(
            "{name} moved up from the waiting list, as {number}.",
            name=self.entrant.name,
            number=self.entrant.number,
        )


def moved_up(state: Tournament) -> tuple[MovedUp, ...]:
    """Who moves up now by itself: as many as there are free places, until a draw is made."""
    if state.rounds or state.proposed or state.finished:
        return ()
    first = state.waiting[: free_places(state)]
    return tuple(
        MovedUp(replace(each, number=number))
        for number, each in enumerate(first, start=free_number(state))
    )
