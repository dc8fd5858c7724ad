"""Elimination brackets as data: single and double, and the matches that follow from results.

Seeds are folded: in every round the best left would meet the worst left, if all went by rank, so
seeds 1 and 2 can meet in the final only, and byes go to the top seeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.draw import DrawError

BYE: Final = 0
_FEWEST = 2


class Side(StrEnum):
    """The part of a bracket that a match belongs to."""

    MAIN = "main"
    LOSERS = "losers"
    FINAL = "final"
    THIRD_PLACE = "third place"


@dataclass(frozen=True, slots=True)
class Seed:
    """The entrant of that rank, from 1; a rank beyond the entrants is a bye."""

    rank: int


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """The winner of that match."""

    match: int


@dataclass(frozen=True, slots=True)
class LoserOf:
    """The loser of that match."""

    match: int


Source = Seed | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True)
class Match:
    """One match with the sources of its players; `sources[0]` begins.

    `stage` grows along the bracket: players who leave at a later stage are placed higher. A match
    with `if_second_wins` is played only when that match is won by its second.
    """

    number: int
    side: Side
    stage: int
    sources: tuple[Source, Source]
    if_second_wins: int | None = None


Bracket = tuple[Match, ...]  # each match comes after those it takes its players from


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match with the entry numbers known so far: None for one to come, 0 for a bye."""

    match: Match
    pair: tuple[int | None, int | None]
    winner: int | None

    @property
    def loser(self) -> int | None:
        """The loser; None while that is not known."""
        if self.winner is None:
            return None
        return self.pair[1] if self.winner == self.pair[0] else self.pair[0]

    @property
    def ready(self) -> bool:
        """Whether both are known and the match is still to be played."""
        return self.winner is None and None not in self.pair


def meetings(
    bracket: Bracket, seeded: tuple[int, ...], winners: Mapping[int, int]
) -> tuple[Meeting, ...]:
    """Every match in its present state, `seeded` by rank, `winners` by match. Raises DrawError."""
    known: dict[int, Meeting] = {}
    for match in bracket:
        pair, won = _pair(match, seeded, known), winners.get(match.number)
        if BYE in pair and None not in pair:
            known[match.number] = Meeting(match, pair, max(each or BYE for each in pair))
            continue
        if won is not None and (None in pair or won not in pair):
            raise DrawError.worded(
                "Entrant {won} does not play match {number}: correct the results before it.",
                won=won,
                number=match.number,
            )
        known[match.number] = Meeting(match, pair, won)
    return tuple(known.values())


def _pair(
    match: Match, seeded: tuple[int, ...], known: Mapping[int, Meeting]
) -> tuple[int | None, int | None]:
    one, other = (_entrant(source, seeded, known) for source in match.sources)
    if match.if_second_wins is None:
        return one, other
    before = known[match.if_second_wins]
    if before.winner is None:
        return None, None
    return (one, other) if before.winner == before.pair[1] else (before.winner, BYE)


def _entrant(source: Source, seeded: tuple[int, ...], known: Mapping[int, Meeting]) -> int | None:
    match source:
        case Seed(rank):
            return seeded[rank - 1] if rank <= len(seeded) else BYE
        case WinnerOf(number):
            return known[number].winner
        case LoserOf(number):
            return known[number].loser


def single_elimination(entrants: int, *, third_place: bool = False) -> Bracket:
    """One loss is out; the losers of two semi-finals may meet. Raises DrawError below two."""
    growing = _Growing()
    rounds = _main_rounds(growing, entrants)
    if third_place and len(rounds) > 1:
        one, other = rounds[-2]
        growing.add(Side.THIRD_PLACE, 2 * len(rounds) - 1, LoserOf(one), LoserOf(other))
    (final,) = rounds[-1]
    growing.final(final, 2 * len(rounds))
    return tuple(growing.matches)


def double_elimination(entrants: int, *, second_final: bool = True) -> Bracket:
    """Two losses are out; a grand final may be played twice. Raises DrawError below two."""
    growing = _Growing()
    rounds = _main_rounds(growing, entrants)
    stage = 2 * len(rounds)
    best_loser = _losers_rounds(growing, rounds)
    (best,) = rounds[-1]
    final = growing.add(Side.FINAL, stage + 1, WinnerOf(best), best_loser)
    if second_final:
        growing.add(Side.FINAL, stage + 2, LoserOf(final), WinnerOf(final), if_second_wins=final)
    return tuple(growing.matches)


_NAMED: Final = {2: message("Semi-final"), 4: message("Quarter-final")}
_NAMED_ABOVE: Final = {
    1: message("Winners’ final"),
    2: message("Winners’ semi-final"),
    4: message("Winners’ quarter-final"),
}


def match_name(bracket: Bracket, match: Match) -> Message:
    """The players' name for a match: by how far it is from the end of its half."""
    if match.side == Side.THIRD_PLACE:
        return message("Third-place match")
    if match.if_second_wins is not None:
        return message("Grand final, second match")
    stages = sorted(each.stage for each in bracket if each.side == match.side)
    if match.side == Side.LOSERS:
        number = sorted(set(stages)).index(match.stage) + 1
        is_last = match.stage == stages[-1]
        return message("Losers’ final") if is_last else message("Losers’ round {n}", n=number)
    double = any(each.side == Side.LOSERS for each in bracket)
    if match.side == Side.FINAL:
        return message("Grand final") if double else message("Final")
    many = stages.count(match.stage)
    if double:
        return _NAMED_ABOVE.get(many, message("Winners’ round of {players}", players=2 * many))
    return _NAMED.get(many, message("Round of {players}", players=2 * many))


def folded(ranks: int) -> tuple[int, ...]:
    """The ranks 1 to a power of two in the order of the bracket: 1 8 4 5 2 7 3 6."""
    order = [1]
    while len(order) < ranks:
        order = [each for rank in order for each in (rank, 2 * len(order) + 1 - rank)]
    return tuple(order)


def drops(rounds: int) -> tuple[int, ...]:
    """For main rounds 2, 3, ...: the loser of match i comes to place `i ^ drop` below.

    Two who met in the main bracket can meet again after as many further rounds as the bits in
    which their ways differ, so each drop differs from all earlier ones, seen from its round, in
    as high a bit as can be. Where two or fewer come down there is no such choice left.
    """
    chosen = [0]
    for number in range(2, rounds + 1):
        seen = [drop >> (number - 1 - at) for at, drop in enumerate(chosen)]

        def apart(drop: int, seen: list[int] = seen) -> list[int]:
            return sorted((drop ^ other).bit_length() for other in seen)

        chosen.append(max(range(1 << (rounds - number)), key=apart))
    return tuple(chosen[1:])


@dataclass(slots=True)
class _Growing:
    matches: list[Match] = field(default_factory=list)

    def add(
        self, side: Side, stage: int, one: Source, other: Source, if_second_wins: int | None = None
    ) -> int:
        number = len(self.matches) + 1
        self.matches.append(Match(number, side, stage, (one, other), if_second_wins))
        return number

    def final(self, number: int, stage: int) -> None:
        """Make the last main match the final, and the last of all."""
        place = number - 1
        match = self.matches.pop(place)
        self.matches.append(Match(number, Side.FINAL, stage, match.sources))


def _main_rounds(growing: _Growing, entrants: int) -> list[list[int]]:
    if entrants < _FEWEST:
        raise DrawError(message("A bracket needs at least two entrants: enter more."))
    sources: list[Source] = [Seed(rank) for rank in folded(entrants)]
    rounds: list[list[int]] = []
    while len(sources) > 1:
        stage = 2 * len(rounds)
        pairs = zip(sources[::2], sources[1::2], strict=True)
        rounds.append([growing.add(Side.MAIN, stage, *pair) for pair in pairs])
        sources = [WinnerOf(number) for number in rounds[-1]]
    return rounds


def _losers_rounds(growing: _Growing, rounds: list[list[int]]) -> Source:
    left: list[Source] = [LoserOf(number) for number in rounds[0]]
    for number, drop in enumerate(drops(len(rounds)), start=1):
        stage = 2 * number - 1
        left = [
            WinnerOf(growing.add(Side.LOSERS, stage, one, other))
            for one, other in zip(left[::2], left[1::2], strict=True)
        ]
        down = [LoserOf(match) for match in rounds[number]]
        left = [
            WinnerOf(growing.add(Side.LOSERS, stage + 1, down[at ^ drop], one))
            for at, one in enumerate(left)
        ]
    (best,) = left
    return best
