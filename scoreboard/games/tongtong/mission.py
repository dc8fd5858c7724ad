"""Missions: the points of a sum of tops (TT-10, TT-11, TT-16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from scoreboard.games.tongtong.cards import Piles
from scoreboard.message import Message, message

Points = tuple[int, ...]
RANK_POINTS: Final[Points] = (10, 7, 4, 1)
_MINUS: Final = frozenset("BG")


@dataclass(frozen=True, slots=True)
class Mission:
    """A mission card: how sums are taken, which of them `bust`, and the points of the others.

    `ranks` is the order of ranked sums, None if the sum itself is earned; `basic` marks the cards
    of basic play (TT-14, TT-16).
    """

    name: str
    title: Message
    sum_of: Callable[[Piles], int]
    bust: range
    ranks: Literal["high", "low"] | None
    basic: bool

    def points(self, piles: Sequence[Piles], rank_points: Points = RANK_POINTS) -> Points:
        """The mission points of each player, before the bonus (TT-10, TT-11)."""
        sums = [self.sum_of(each) for each in piles]
        if self.ranks is None:
            return tuple(0 if each in self.bust else each for each in sums)
        return tuple(self._ranked(each, sums, rank_points) for each in sums)

    def _ranked(self, own: int, sums: Sequence[int], rank_points: Points) -> int:
        """Busted players are not ranked; equal sums share the rank, and the next is skipped."""
        if own in self.bust:
            return 0
        others = [each for each in sums if each not in self.bust]
        better = sum(each > own if self.ranks == "high" else each < own for each in others)
        return rank_points[better] if better < len(rank_points) else 0


def _total(piles: Piles) -> int:
    return piles.sum


def _signed(piles: Piles) -> int:
    """TT-10: red, purple and yellow count plus, blue and green minus."""
    return sum(-top.number if top.colour in _MINUS else top.number for top in piles.tops)


MISSIONS: Final[tuple[Mission, ...]] = (
    Mission(
        "high-9",
        message("Highest sum first, bust from 9 on"),
        _total,
        range(9, 99),
        "high",
        basic=True,
    ),
    Mission(
        "high-12",
        message("Highest sum first, bust from 12 on"),
        _total,
        range(12, 99),
        "high",
        basic=True,
    ),
    Mission(
        "low-5", message("Lowest sum first, bust up to 5"), _total, range(-99, 6), "low", basic=True
    ),
    Mission(
        "sum-10",
        message("The sum itself, bust from 10 on"),
        _total,
        range(10, 99),
        None,
        basic=False,
    ),
    Mission(
        "signed-11",
        message("Red, purple, yellow minus blue, green; bust from 11 on"),
        _signed,
        range(11, 99),
        None,
        basic=False,
    ),
)
NAMED: Final[Mapping[str, Mission]] = {mission.name: mission for mission in MISSIONS}


def running_total(before: int, mission: int, bonus: int) -> int:
    """TT-12: never below 0 after the mission points; then the bonus is added."""
    return max(0, before + mission) + bonus
