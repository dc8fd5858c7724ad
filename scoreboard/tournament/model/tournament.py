"""A tournament as a pure record: what all that happened so far adds up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scoreboard.tournament.model.attributed import Attributed
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.entrant import Entrant, Holder
from scoreboard.tournament.model.events import CutMade, LotDrawn, PlayedOff
from scoreboard.tournament.model.format_checks import format_faults
from scoreboard.tournament.model.refusal import FormatError
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.model.tournament_round import Round


@dataclass(frozen=True, slots=True)
class SoloScore:
    """A score played alone, as handed in."""

    entrant: int
    score: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """Where a tournament stands; made by `opened` and `evolve` only.

    `away` are those who dropped out; `cuts` say who reached each stage; `decisions` are
    play-offs and lots in their order; `solo` the scores of a blind event; `amendments` all that was
    done beside the ordinary course, each with who, when and why. `holders` has, by entry number,
    those who held an entry that was replaced or corrected, in their order.
    """

    title: str
    format: TournamentFormat
    entrants: tuple[Entrant, ...] = ()
    away: frozenset[int] = frozenset()
    rounds: tuple[Round, ...] = ()
    cuts: tuple[CutMade, ...] = ()
    decisions: tuple[PlayedOff | LotDrawn, ...] = ()
    solo: tuple[SoloScore, ...] = ()
    amendments: tuple[Attributed, ...] = ()
    finished: bool = False
    holders: Mapping[int, tuple[Holder, ...]] = field(default_factory=dict)

    def entrant(self, number: int) -> Entrant | None:
        """The entry with a number, None where there is none."""
        return next((each for each in self.entrants if each.number == number), None)

    @property
    def names(self) -> Mapping[int, str]:
        """Everybody's name by entry number."""
        return {each.number: each.name for each in self.entrants}

    def names_in(self, round_number: int) -> Mapping[int, str]:
        """Everybody's name by entry number, of who held it in a round."""
        then = {
            number: [each.name for each in held if each.from_round <= round_number]
            for number, held in self.holders.items()
        }
        return {**self.names, **{number: names[-1] for number, names in then.items() if names}}

    def holders_of(self, number: int) -> tuple[Holder, ...]:
        """Who held an entry number, the first one first. Raises KeyError where nobody did."""
        if number in self.holders:
            return self.holders[number]
        name = self.names[number]
        return (Holder(name, name),)

    @property
    def numbers(self) -> tuple[int, ...]:
        """All entry numbers, in the order of entry."""
        return tuple(each.number for each in self.entrants)

    @property
    def present(self) -> tuple[int, ...]:
        """Those who have not dropped out, in the order of entry."""
        return tuple(number for number in self.numbers if number not in self.away)

    @property
    def last_round(self) -> Round | None:
        """The round drawn last, None before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def stage(self) -> int:
        """How many cuts were made."""
        return len(self.cuts)

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws of all rounds, in order."""
        return tuple(each.draw for each in self.rounds)


def opened(title: str, form: TournamentFormat) -> Tournament:
    """A tournament before anybody has entered.

    Raises:
        FormatError: the format cannot be played; its `faults` are all of them.
    """
    if faults := format_faults(form):
        raise FormatError(faults)
    return Tournament(title, form)
