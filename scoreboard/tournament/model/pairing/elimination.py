"""Single and double elimination: the brackets.

Seeds are folded: in every round the best left would meet the worst left, if all went by rank,
so seeds 1 and 2 can meet in the final only, and byes go to the top seeds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scoreboard.message import message
from scoreboard.tournament.model.draw import DrawError
from scoreboard.tournament.model.pairing.bracket import (
    Bracket,
    LoserOf,
    Match,
    Seed,
    Side,
    Source,
    WinnerOf,
)

_FEWEST = 2


def single_elimination(entrants: int, *, third_place: bool = False) -> Bracket:
    """Who loses is out; `third_place` has the losers of the semi-finals meet, if there are two.

    Raises:
        DrawError: there are fewer than two entrants.
    """
    growing = _Growing()
    rounds = _main_rounds(growing, entrants)
    if third_place and len(rounds) > 1:
        one, other = rounds[-2]
        growing.add(Side.THIRD_PLACE, 2 * len(rounds) - 1, LoserOf(one), LoserOf(other))
    (final,) = rounds[-1]
    growing.final(final, 2 * len(rounds))
    return Bracket(tuple(growing.matches))


def double_elimination(entrants: int, *, second_final: bool = True) -> Bracket:
    """Who loses twice is out; the winners of both brackets meet in the grand final.

    With `second_final` it is played again when the one who had not lost loses it. Those who
    come down from the main bracket are laid so that a meeting from there comes again as late as
    can be (see `drops`).

    Raises:
        DrawError: there are fewer than two entrants.
    """
    growing = _Growing()
    rounds = _main_rounds(growing, entrants)
    stage = 2 * len(rounds)
    best_loser = _losers_rounds(growing, rounds)
    (best,) = rounds[-1]
    final = growing.add(Side.FINAL, stage + 1, WinnerOf(best), best_loser)
    if second_final:
        growing.add(Side.FINAL, stage + 2, LoserOf(final), WinnerOf(final), if_second_wins=final)
    return Bracket(tuple(growing.matches))


def folded(ranks: int) -> tuple[int, ...]:
    """The ranks 1 to a power of two in the order of the bracket: 1 8 4 5 2 7 3 6."""
    command = [1]
    while len(command) < ranks:
        command = [each for rank in command for each in (rank, 2 * len(command) + 1 - rank)]
    return tuple(command)


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
    """A bracket in the making."""

    matches: list[Match] = field(default_factory=list)

    def add(
        self, side: Side, stage: int, one: Source, other: Source, if_second_wins: int | None = None
    ) -> int:
        """Add a match; its number."""
        number = len(self.matches) + 1
        self.matches.append(Match(number, side, stage, (one, other), if_second_wins))
        return number

    def final(self, number: int, stage: int) -> None:
        """Make the last main match the final, and the last of all."""
        place = number - 1
        match = self.matches.pop(place)
        self.matches.append(Match(number, Side.FINAL, stage, match.sources))


def _main_rounds(growing: _Growing, entrants: int) -> list[list[int]]:
    """The numbers of the main bracket's matches, round by round."""
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
    """The losers' bracket; where the best of the losers comes from.

    Each main round's losers come down to meet those who are left below, who then meet among
    themselves.
    """
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
