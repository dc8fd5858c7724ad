"""Whether dice fall as fair ones do, asked after every game without spoiling the answer.

The evidence is an e-process: how much likelier what was rolled is under a mixture of unfair dice
(Dirichlet, 20 a face) than under fair ones. Fair dice ever reach 100 in at most one of a hundred
tables, however often somebody looks (Ville's inequality), which a p-value does not promise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log
from typing import Final

from scoreboard.dice import FACES

CONCENTRATION: Final = 20.0
ALARM: Final = 100.0
_SIDES: Final = len(FACES)


@dataclass(frozen=True, slots=True)
class DiceVerdict:
    """What the rolls of a set of dice say of it.

    `counts` are the dice rolled by face, from 1 to 6; `evidence` is against fair dice now,
    `highest` the most that it ever was.
    """

    counts: tuple[int, ...]
    evidence: float
    highest: float

    @property
    def dice(self) -> int:
        """How many dice were rolled."""
        return sum(self.counts)

    @property
    def is_unusual(self) -> bool:
        """Whether fair dice would do so in at most one table of a hundred."""
        return self.highest >= ALARM


def evidence(counts: Sequence[int]) -> float:
    """How much likelier these counts are with some unfair dice than with fair ones."""
    total, rolled = CONCENTRATION * _SIDES, sum(counts)
    weight = lgamma(total) - lgamma(total + rolled) + rolled * log(_SIDES)
    weight += sum(lgamma(CONCENTRATION + count) - lgamma(CONCENTRATION) for count in counts)
    return exp(min(weight, 700.0))  # beyond that a float has no room, and nobody a doubt


def verdict(games: Iterable[Sequence[int]]) -> DiceVerdict:
    """Judge dice by what they showed in each game, in the order in which they were played."""
    counts, now, highest = [0] * _SIDES, 1.0, 1.0
    for rolled in games:
        counts = [before + more for before, more in zip(counts, rolled, strict=True)]
        now = evidence(counts)
        highest = max(highest, now)
    return DiceVerdict(tuple(counts), now, highest)
