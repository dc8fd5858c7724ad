"""Entries: who signs up or enters, drops out, comes back, is replaced or corrected."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import DIRECTOR_OR_HUB, Attributed, refused
from scoreboard.tournament.model.entrant import Entrant, Holder, spelling_key
from scoreboard.tournament.model.tournament import Command, Event, SignUpSet, Tournament
from scoreboard.tournament.model.tournament_format import LAID_DOWN


class Enter(Command):
    """Put an entrant on the list, before the first draw."""

    entrant: Entrant

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        if state.rounds:
            raise refused("Round 1 is drawn: make it a late entry, with its reason.")
        require_new(state, self.entrant)
        return (Entered(self.entrant),)


class Entered(Event):
    """An entrant was put on the list."""

    entrant: Entrant

    def apply(self, state: Tournament) -> Tournament:
        last_number = max(state.last_number, self.entrant.number)
        return replace(state, entrants=(*state.entrants, self.entrant), last_number=last_number)

    def describe(self, state: Tournament) -> Message:
        new = self.entrant
        return message("{name} entered as {number}.", name=new.name, number=new.number)


class EnterLate(Command, Attributed):
    """Put an entrant on the list after the first draw; the next draw seats them."""

    entrant: Entrant

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        if not state.rounds and state.format.system != "blind":
            raise refused("Round 1 is not drawn yet: make it an ordinary entry.")
        if state.format.system in LAID_DOWN:
            raise refused(
                "Who meets whom is fixed: undo round 1, or replace somebody who drops out."
            )
        if state.cuts:
            raise refused(
                "The cut is made: only who reached it goes on, or a replacement for them."
            )
        require_new(state, self.entrant)
        return (EnteredLate(self.entrant, **self.attribution),)


class EnteredLate(Entered, Attributed):
    """An entrant was put on the list after the first draw."""

    def describe(self, state: Tournament) -> Message:
        return message(
            "{name} entered late as {number}.", name=self.entrant.name, number=self.entrant.number
        )


class DeleteEntry(Command):
    """Take an entry off the list, or off the waiting list, before it is drawn."""

    roles = DIRECTOR_OR_HUB

    entrant: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        waiting = (each for each in state.waiting if each.number == self.entrant)
        was = next(waiting, None) or entered(state, self.entrant)
        if was in state.entrants and not is_undrawn(state, self.entrant):
            raise refused(
                "{name} was drawn or has results: withdraw the player instead.", name=was.name
            )
        return (EntryDeleted(was),)


class EntryDeleted(Event):
    """An entry was taken off the list before it was drawn."""

    was: Entrant

    def apply(self, state: Tournament) -> Tournament:
        number = self.was.number
        return replace(
            state,
            entrants=tuple(each for each in state.entrants if each.number != number),
            waiting=tuple(each for each in state.waiting if each.number != number),
            away=state.away - {number},
            holders={key: held for key, held in state.holders.items() if key != number},
            penalties={
                key: each for key, each in state.penalties.items() if each.entrant != number
            },
        )

    def describe(self, state: Tournament) -> Message:
        return message(
            "The entry of {name}, {number}, was deleted.",
            name=self.was.name,
            number=self.was.number,
        )


class Withdraw(Command, Attributed):
    """An entrant drops out: later draws leave them out, their results stay."""

    entrant: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        if entered(state, self.entrant).number in state.away:
            raise refused("{name} has dropped out already.", name=state.names[self.entrant])
        return (Withdrew(self.entrant, **self.attribution),)


class Withdrew(Event, Attributed):
    """An entrant dropped out."""

    entrant: int

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, away=state.away | {self.entrant})

    def describe(self, state: Tournament) -> Message:
        return message("{name} dropped out.", name=state.named(self.entrant))


class Return(Command, Attributed):
    """An entrant who dropped out comes back for later draws."""

    entrant: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        if entered(state, self.entrant).number not in state.away:
            raise refused("{name} has not dropped out.", name=state.names[self.entrant])
        if self.entrant in state.disqualified:
            raise refused(
                "{name} is disqualified: take the penalty back first.",
                name=state.names[self.entrant],
            )
        return (Returned(self.entrant, **self.attribution),)


class Returned(Event, Attributed):
    """An entrant who had dropped out came back."""

    entrant: int

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, away=state.away - {self.entrant})

    def describe(self, state: Tournament) -> Message:
        return message("{name} came back.", name=state.named(self.entrant))


class Replace(Command, Attributed):
    """Another person takes over the entry number of `entrant`."""

    entrant: Entrant

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        was = entered(state, self.entrant.number)
        _require_change(state, was, self.entrant)
        return (Replaced(was, self.entrant, **self.attribution),)


class Replaced(Event, Attributed):
    """The entry is now `entrant`: another person, if the name differs."""

    was: Entrant
    entrant: Entrant

    def apply(self, state: Tournament) -> Tournament:
        """The new holder plays from the last round on, unless it is over."""
        held = state.holders_of(self.was.number)
        if self.was.name != self.entrant.name:
            last = state.round_of(self.was.number) or state.last_round
            is_open = last is not None and last.phase != "closed"
            coming = last.number if last and is_open else len(state.rounds) + 1
            played = (each for each in held if each.from_round < coming)
            held = (*played, Holder(self.entrant.name, self.entrant.name, coming))
        return _with_entrant(state, self.was, self.entrant, held)

    def describe(self, state: Tournament) -> Message:
        return message("{name} goes on for {was}.", name=self.entrant.name, was=self.was.name)


class CorrectEntry(Command, Attributed):
    """The list is wrong about the entrant with this number: it is the same person."""

    entrant: Entrant

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        was = entered(state, self.entrant.number)
        if was == self.entrant:
            raise refused("The entry stands so already: there is nothing to correct.")
        _require_change(state, was, self.entrant)
        return (EntryCorrected(was, self.entrant, **self.attribution),)


class EntryCorrected(Event, Attributed):
    """An entry was wrong and is now `entrant`: the same person."""

    was: Entrant
    entrant: Entrant

    def apply(self, state: Tournament) -> Tournament:
        *before, last = state.holders_of(self.was.number)
        held = (*before, replace(last, name=self.entrant.name))
        return _with_entrant(state, self.was, self.entrant, held)

    def describe(self, state: Tournament) -> Message:
        return message(
            "An entry was corrected: {entrant}, not {was}.",
            entrant=str(self.entrant),
            was=str(self.was),
        )


def entered(state: Tournament, number: int) -> Entrant:
    """The entry with a number. Raises CommandRefusedError if there is none."""
    found = state.entrant(number)
    if found is None:
        raise refused(
            "Nobody has the entry number {number}: look it up in the list.", number=number
        )
    return found


def free_number(state: Tournament) -> int:
    """The next entry number never used: a deleted entry's link must open no other's."""
    return state.last_number + 1


def is_undrawn(state: Tournament, number: int) -> bool:
    """Whether nothing in the tournament depends on this entry, so that it may be deleted."""
    laid_down = bool(state.rounds) and state.format.system in LAID_DOWN
    proposed = (state.proposed.round,) if state.proposed else ()
    drawn = any(number in each.draw.entrants for each in (*state.rounds, *proposed))
    return not (laid_down or drawn or any(each.entrant == number for each in state.solo))


def replacement_message(state: Tournament, number: int) -> Message | None:
    """The replaced person, and from which round; None for an original holder."""
    sentence = None
    for was, now in pairwise(state.holders.get(number, ())):
        if was.from_round == now.from_round:  # a round taken back left the first one nothing
            continue
        one = message("for {was}, from round {round}", was=was.name, round=now.from_round)
        sentence = one if sentence is None else message("{one}, {other}", one=sentence, other=one)
    return sentence


def require_new(state: Tournament, entrant: Entrant) -> None:
    """Refuse a number or a name already entered or waiting."""
    if entrant.number in (each.number for each in (*state.entrants, *state.waiting)):
        free = free_number(state)
        raise refused(
            "The entry number {number} is taken: take {free}.", number=entrant.number, free=free
        )
    _require_name(state, entrant)


def _require_name(state: Tournament, entrant: Entrant) -> None:
    key = spelling_key(entrant.name)
    for other in (*state.entrants, *state.waiting):
        if other.number != entrant.number and spelling_key(other.name) == key:
            raise refused(
                "“{name}” is entry {number} already: tell them apart, by the town say.",
                name=entrant.name,
                number=other.number,
            )


def _require_change(state: Tournament, was: Entrant, entrant: Entrant) -> None:
    """Refuse a name that is taken, and another seed if the seeds fixed a draw."""
    _require_name(state, entrant)
    laid_down = bool(state.rounds) and state.format.system in LAID_DOWN
    if laid_down and (was.seed_rank, was.rating) != (entrant.seed_rank, entrant.rating):
        raise refused(
            "Who meets whom is fixed by the seeds: keep seed and rating of {name}.", name=was.name
        )


def _with_entrant(
    state: Tournament, was: Entrant, entrant: Entrant, held: tuple[Holder, ...]
) -> Tournament:
    entrants = tuple(entrant if each == was else each for each in state.entrants)
    return replace(state, entrants=entrants, holders={**state.holders, entrant.number: held})


class SetSignUp(Command):
    """Open or close the sign-up, with places and fee."""

    sign_up: SignUpSet

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        return (self.sign_up,)


def takes_sign_ups(state: Tournament) -> bool:
    """Whether players may sign up now."""
    return bool(state.sign_up and state.sign_up.is_open) and _may_enter(state)


def free_places(state: Tournament) -> int | None:
    """The number of free places; None without a limit."""
    if state.sign_up is None or not state.sign_up.places:
        return None
    return max(0, state.sign_up.places - len(state.present))


class SignUp(Command):
    """Enter a player who signs up, under the next free number, or put them on the waiting list."""

    roles = DIRECTOR_OR_HUB

    entrant: Entrant

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        if not takes_sign_ups(state):
            raise refused("The sign-up is closed: ask the director.")
        entrant = replace(self.entrant, number=free_number(state))
        require_new(state, entrant)
        full = state.waiting or free_places(state) == 0
        return (WaitlistJoined(entrant) if full else Entered(entrant),)


class WaitlistJoined(Event):
    """A player signed up when all places were taken, under the number that they keep."""

    entrant: Entrant

    def apply(self, state: Tournament) -> Tournament:
        waiting = (*state.waiting, self.entrant)
        return replace(state, waiting=waiting, last_number=self.entrant.number)

    def describe(self, state: Tournament) -> Message:
        name, place = self.entrant.name, len(state.waiting)
        return message("{name} signed up, number {place} of those waiting.", name=name, place=place)


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
    """The entrants who move up now automatically: as many as there are free places."""
    return tuple(map(MovedUp, state.waiting[: free_places(state)])) if _may_enter(state) else ()


def _may_enter(state: Tournament) -> bool:
    """Whether entries are taken: before any draw, or late ones that the format can seat."""
    if not state.rounds and not state.proposed:
        return not state.finished
    late = state.sign_up and state.sign_up.late and state.format.system not in LAID_DOWN
    return bool(late) and not state.cuts and not state.finished
