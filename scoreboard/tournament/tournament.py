"""A tournament as a pure record: what all that happened so far adds up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoreboard.tournament.attributed import Attributed
from scoreboard.tournament.draw import Draw
from scoreboard.tournament.entrant import Entrant
from scoreboard.tournament.format_checks import format_faults
from scoreboard.tournament.happenings import CutMade, LotDrawn, PlayedOff
from scoreboard.tournament.refusal import FormatError
from scoreboard.tournament.tournament_format import TournamentFormat
from scoreboard.tournament.tournament_round import Round


@dataclass(frozen=True, slots=True)
class SoloScore:
    """A score played alone, as handed in."""

    entrant: int
    score: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """Where a tournament stands; made by `opened` and `evolve` only.

    `away` are those who dropped out; `cuts` say who reached each stage; `decisions` are
    play-offs and lots in their order; `solo` the scores of a blind event; `annals` all that was
    done beside the ordinary course, each with who, when and why.
    """

    title: str
    format: TournamentFormat
    entrants: tuple[Entrant, ...] = ()
    away: frozenset[int] = frozenset()
    rounds: tuple[Round, ...] = ()
    cuts: tuple[CutMade, ...] = ()
    decisions: tuple[PlayedOff | LotDrawn, ...] = ()
    solo: tuple[SoloScore, ...] = ()
    annals: tuple[Attributed, ...] = ()
    finished: bool = False

    def entrant(self, number: int) -> Entrant | None:
        """The entry with a number, None where there is none."""
        return next((each for each in self.entrants if each.number == number), None)

    @property
    def names(self) -> Mapping[int, str]:
        """Everybody's name by entry number."""
        return {each.number: each.name for each in self.entrants}

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
