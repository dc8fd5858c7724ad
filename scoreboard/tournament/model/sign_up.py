"""Players sign up by themselves: for a place, or for the waiting list, from which they move up."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import DIRECTOR_OR_HUB, CommandRefusedError
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Entered, free_number, require_new
from scoreboard.tournament.model.tournament import Command, Event, SignUpSet, Tournament
from scoreboard.tournament.model.tournament_format import LAID_DOWN


@dataclass(frozen=True, slots=True)
class SetSignUp(Command):
    """Say whether players may sign up now, for how many places and what fee."""

    sign_up: SignUpSet

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        return (self.sign_up,)


def takes_sign_ups(state: Tournament) -> bool:
    """Whether players may sign up by themselves now."""
    return bool(state.sign_up and state.sign_up.is_open) and _may_enter(state)


def free_places(state: Tournament) -> int | None:
    """How many places nobody has; None where any number may play."""
    if state.sign_up is None or not state.sign_up.places:
        return None
    return max(0, state.sign_up.places - len(state.present))


@dataclass(frozen=True, slots=True)
class SignUp(Command):
    """Enter a player who signs up, under the next free number, or put them on the waiting list."""

    roles = DIRECTOR_OR_HUB

    entrant: Entrant

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        if not takes_sign_ups(state):
            raise CommandRefusedError(message("The sign-up is closed: ask the director."))
        entrant = replace(self.entrant, number=free_number(state))
        require_new(state, entrant)
        full = state.waiting or free_places(state) == 0
        return (WaitlistJoined(entrant) if full else Entered(entrant),)


@dataclass(frozen=True, slots=True)
class WaitlistJoined(Event):
    """Somebody signed up when all places were taken, under the number that they keep."""

    entrant: Entrant

    def apply(self, state: Tournament) -> Tournament:
        waiting = (*state.waiting, self.entrant)
        return replace(state, waiting=waiting, last_number=self.entrant.number)

    def describe(self, state: Tournament) -> Message:
        name, place = self.entrant.name, len(state.waiting)
        return message("{name} signed up, number {place} of those waiting.", name=name, place=place)


@dataclass(frozen=True, slots=True)
class MovedUp(Entered):
    """A place became free for the first on the waiting list."""

    def apply(self, state: Tournament) -> Tournament:
        waiting = tuple(each for each in state.waiting if each != self.entrant)
        moved_up = state.moved_up | {self.entrant.number}
        return replace(Entered.apply(self, state), waiting=waiting, moved_up=moved_up)

    def describe(self, state: Tournament) -> Message:
        name, number = self.entrant.name, self.entrant.number
        return message(
            "{name} moved up from the waiting list, as {number}.", name=name, number=number
        )


def moved_up(state: Tournament) -> tuple[MovedUp, ...]:
    """Who moves up now by itself: as many as there are free places."""
    return tuple(map(MovedUp, state.waiting[: free_places(state)])) if _may_enter(state) else ()


def _may_enter(state: Tournament) -> bool:
    """Whether entries are taken: before any draw, or late ones that the format can seat."""
    if not state.rounds and not state.proposed:
        return not state.finished
    late = state.sign_up and state.sign_up.late and state.format.system not in LAID_DOWN
    return bool(late) and not state.cuts and not state.finished
