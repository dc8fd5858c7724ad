"""What speaks against each pair of a Swiss round, in whole numbers.

| what | cost |
|---|---|
| one of the two, and not both, needs an accessible table where such are scarce | 2^58 |
| two of a club, in round 1 | 2^57 |
| d score groups apart, at most 32 | 2^46 d^2 |
| d places off half of the field apart, at most 64, in round 1 | 2^36 d^2 |
| each time that one of two from different groups floated before, at most 8 | 2^42 |
| both began more often than not, or both less: the product of how much, at most 16 | 2^33 / n |
| a lot drawn for the pair | below 2^28 |

So round 1 pairs the upper half with the lower half, 1-5 2-6 3-7 4-8, as the Dutch system of the
chess federation does, and gives way where clubs or tables ask for it. Nobody has played yet: who
stands where is by the seeds, and by lot without them.

A second meeting costs more than all else together and is left out while it can be. Score groups
are counted, not points, so that the scale of the scores does not matter. The lots make one
pairing the cheapest: then the seed decides it, and not how a solver happens to go about. What
beginning weighs falls with the number n of players, as the lots of a best pairing do.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoreboard.tournament.model.pairing.relaxation import Costs, Mask
from scoreboard.tournament.model.pairing.swiss_constraints import SwissConstraints

SCARCE: Final = 1 << 58
CLUB: Final = 1 << 57
GROUP: Final = 1 << 46
FLOAT: Final = 1 << 42
HALVES: Final = 1 << 36
BEGINNING: Final = 1 << 33  # divided by the number of players
LOTS: Final = 1 << 28
_FARTHEST: Final = 32
_FARTHEST_OFF: Final = 64
_MOST_FLOATS: Final = 8
_MOST_UNEVEN: Final = 16
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class SwissCosts:
    """The costs of each pair of places, how often they met, and each place's score group.

    Those of a kind began more often than not, as often, or less.
    """

    costs: Costs
    met: NDArray[np.int64]
    levels: NDArray[np.int64]
    kinds: NDArray[np.int64]

    @property
    def strangers(self) -> Mask:
        """The pairs that have not met; nobody meets oneself."""
        return np.asarray((self.met == 0) & ~np.eye(len(self.met), dtype=bool))

    def at_any_price(self) -> list[list[int]]:
        """All costs with those of second meetings, each above a whole round's other costs."""
        dear = (SCARCE << 2) * (len(self.met) + 1)
        pairs = zip(self.costs.tolist(), self.met.tolist(), strict=True)
        return [
            [cost + times * dear for cost, times in zip(costs, met, strict=True)]
            for costs, met in pairs
        ]


def swiss_costs(wish: SwissConstraints, entrants: tuple[int, ...]) -> SwissCosts:
    """The costs for these entrants, by their places in the order of standing."""
    levels = _levels(wish, entrants)
    apart = np.minimum(np.abs(levels[:, None] - levels[None, :]), _FARTHEST)
    floated = _floated(wish, entrants)
    costs = GROUP * apart**2
    costs += FLOAT * (apart > 0) * (floated[:, None] + floated[None, :])
    uneven = _begun(wish, entrants)
    costs += (
        BEGINNING
        // max(len(entrants), 1)
        * np.clip(uneven[:, None] * uneven[None, :], 0, _MOST_UNEVEN)
    )
    costs += HALVES * _off_halves(wish, len(entrants)) ** 2
    costs += CLUB * _mates(wish, entrants)
    costs += SCARCE * _scarce(wish, entrants)
    costs += _lots(len(entrants), wish.seed)
    return SwissCosts(costs, _met(wish, entrants), levels, np.sign(uneven))


def _levels(wish: SwissConstraints, entrants: tuple[int, ...]) -> NDArray[np.int64]:
    scores = [wish.scores.get(each, 0) for each in entrants]
    command = {score: level for level, score in enumerate(sorted(set(scores), reverse=True))}
    return np.array([command[score] for score in scores], np.int64)


def _begun(wish: SwissConstraints, entrants: tuple[int, ...]) -> NDArray[np.int64]:
    """How often each began more than not."""
    balance: Counter[int] = Counter()
    for draw in wish.past:
        for table in draw.tables:
            balance[table.seats[0]] += 1
            balance.subtract(table.seats[1:])
    return np.array([balance[each] for each in entrants], np.int64)


def _floated(wish: SwissConstraints, entrants: tuple[int, ...]) -> NDArray[np.int64]:
    return np.array([min(wish.floated.get(each, 0), _MOST_FLOATS) for each in entrants], np.int64)


def _off_halves(wish: SwissConstraints, players: int) -> NDArray[np.int64]:
    """How far each pair is off upper against lower half; the farthest in one, 0 after round 1."""
    if wish.past:
        return np.zeros((players, players), np.int64)
    places = np.arange(players, dtype=np.int64)
    apart = np.abs(places[:, None] - places[None, :])
    off = np.minimum(np.abs(apart - players // 2), _FARTHEST_OFF)
    upper = places < players // 2
    return np.where(upper[:, None] == upper[None, :], _FARTHEST_OFF, off)


def _mates(wish: SwissConstraints, entrants: tuple[int, ...]) -> Mask:
    """Who is of whose club; nobody after round 1."""
    numbers = {club: number for number, club in enumerate(sorted(set(wish.clubs.values())))}
    clubs = np.array([numbers.get(wish.clubs.get(each, ""), -1) for each in entrants], np.int64)
    same = (clubs[:, None] == clubs[None, :]) & (clubs[:, None] >= 0)
    return np.asarray(same & (not wish.past))


def _scarce(wish: SwissConstraints, entrants: tuple[int, ...]) -> Mask:
    """Pairs that take an accessible table for one alone, where there are not enough for that."""
    needing = np.array([each in wish.accessible for each in entrants], bool)
    mixed = needing[:, None] != needing[None, :]
    return np.asarray(mixed & (needing.sum() > len(wish.accessible_tables)))


def _met(wish: SwissConstraints, entrants: tuple[int, ...]) -> NDArray[np.int64]:
    places = {entrant: place for place, entrant in enumerate(entrants)}
    met = np.zeros((len(entrants), len(entrants)), np.int64)
    for draw in wish.past:
        for one, other in draw.meetings():
            if one in places and other in places:
                met[places[one], places[other]] += 1
                met[places[other], places[one]] += 1
    return met


def _lots(players: int, seed: int) -> NDArray[np.int64]:
    """A lot a pair, the same on every machine: two drawn words multiplied and mixed."""
    chance = Random(seed)
    words = np.array([int(chance.random() * 2**53) for _ in range(players)], np.uint64)
    mixed = (words[:, None] ^ words[None, :]) * _MIX
    mixed ^= mixed >> np.uint64(29)
    mixed *= words[:, None] + words[None, :] + _MIX
    return np.asarray((mixed >> np.uint64(36)).astype(np.int64))
