"""An elimination bracket as data, and what follows from the results so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoreboard.message import message
from scoreboard.tournament.model.draw import DrawError


class Side(StrEnum):
    """The part of a bracket that a match belongs to."""

    MAIN = "main"
    LOSERS = "losers"
    FINAL = "final"
    THIRD_PLACE = "third place"


@dataclass(frozen=True, slots=True)
class Seed:
    """The entrant of that rank, from 1; a rank beyond the entrants is nobody: a bye."""

    rank: int


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """Whoever wins that match."""

    match: int


@dataclass(frozen=True, slots=True)
class LoserOf:
    """Whoever loses that match."""

    match: int


Source = Seed | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True)
class Match:
    """One match: where its two come from; `sources[0]` begins.

    `stage` grows along the bracket: who leaves at a later stage is placed higher. A match with
    `if_second_wins` is played only when that match is won by its second.
    """

    number: int
    side: Side
    stage: int
    sources: tuple[Source, Source]
    if_second_wins: int | None = None


@dataclass(frozen=True, slots=True)
class Bracket:
    """All matches; each stands after those it takes its players from."""

    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match with the entry numbers known so far; None is not known yet, 0 is nobody.

    `winner` is None while the match is open; `played` is False where nobody had to be beaten.
    """

    match: Match
    pair: tuple[int | None, int | None]
    winner: int | None
    played: bool

    @property
    def loser(self) -> int | None:
        """Who did not win; None while that is not known."""
        if self.winner is None:
            return None
        return self.pair[1] if self.winner == self.pair[0] else self.pair[0]

    @property
    def ready(self) -> bool:
        """Whether both are known and the match is still to be played."""
        return self.winner is None and None not in self.pair


NOBODY = 0


def meetings(
    bracket: Bracket, seeded: tuple[int, ...], winners: Mapping[int, int]
) -> tuple[Meeting, ...]:
    """Every match as it stands: `seeded` by rank, `winners` by the match's number.

    Raises:
        DrawError: a match is won by somebody who does not play in it, or before both are known.
    """
    known: dict[int, Meeting] = {}
    for match in bracket.matches:
        known[match.number] = _meeting(match, seeded, winners.get(match.number), known)
    return tuple(known.values())


def next_matches(
    bracket: Bracket, seeded: tuple[int, ...], winners: Mapping[int, int]
) -> tuple[Meeting, ...]:
    """Who plays next: all matches whose two are known and that are not played.

    Raises:
        DrawError: as `meetings`.
    """
    return tuple(each for each in meetings(bracket, seeded, winners) if each.ready)


def champion(bracket: Bracket, seeded: tuple[int, ...], winners: Mapping[int, int]) -> int | None:
    """Who has won the bracket; None while that is open.

    Raises:
        DrawError: as `meetings`.
    """
    finals = [each for each in meetings(bracket, seeded, winners) if each.match.side is Side.FINAL]
    return finals[-1].winner or None


def placings(
    bracket: Bracket, seeded: tuple[int, ...], winners: Mapping[int, int]
) -> tuple[tuple[int, ...], ...]:
    """Those out of the running and the champion, best first; who left together shares a place.

    Raises:
        DrawError: as `meetings`.
    """
    last: dict[int, tuple[int, bool]] = {}
    for each in meetings(bracket, seeded, winners):
        for entrant in each.pair:
            if entrant:
                last[entrant] = (each.match.stage, each.winner == entrant)
    open_still = {
        entrant
        for each in meetings(bracket, seeded, winners)
        if each.winner is None
        for entrant in each.pair
        if entrant
    }
    shared: dict[tuple[int, bool], list[int]] = {}
    for entrant in (each for each in seeded if each in last and each not in open_still):
        shared.setdefault(last[entrant], []).append(entrant)
    return tuple(tuple(shared[reached]) for reached in sorted(shared, reverse=True))


def _meeting(
    match: Match, seeded: tuple[int, ...], won: int | None, known: Mapping[int, Meeting]
) -> Meeting:
    pair = _pair(match, seeded, known)
    if NOBODY in pair and None not in pair:
        return Meeting(match, pair, max(each or NOBODY for each in pair), played=False)
    if won is not None and (None in pair or won not in pair):
        raise DrawError(
            message(
                "Entrant {won} does not play match {number}: correct the results before it.",
                won=won,
                number=match.number,
            )
        )
    return Meeting(match, pair, won, played=won is not None)


def _pair(
    match: Match, seeded: tuple[int, ...], known: Mapping[int, Meeting]
) -> tuple[int | None, int | None]:
    one, other = (_entrant(source, seeded, known) for source in match.sources)
    if match.if_second_wins is None:
        return one, other
    before = known[match.if_second_wins]
    if before.winner is None:
        return None, None
    return (one, other) if before.winner == before.pair[1] else (before.winner, NOBODY)


def _entrant(source: Source, seeded: tuple[int, ...], known: Mapping[int, Meeting]) -> int | None:
    match source:
        case Seed(rank):
            return seeded[rank - 1] if rank <= len(seeded) else NOBODY
        case WinnerOf(number):
            return known[number].winner
        case LoserOf(number):
            return known[number].loser
