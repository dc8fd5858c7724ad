"""The Swiss system: players level in score meet, and no pair meets twice.

The costs of each pair, in whole numbers:

| what | cost |
|---|---|
| one of the two, and not both, needs an accessible table where such are scarce | 2^58 |
| two of a team, or of a club in round 1 | 2^57 |
| d score groups apart, at most 32 | 2^46 d^2 |
| d places off half of the field apart, at most 64, in round 1 | 2^36 d^2 |
| each time that one of two from different groups floated before, at most 8 | 2^42 |
| both began more often than not, or both less: the product of how much, at most 16 | 2^33 / n |
| a lot drawn for the pair | below 2^28 |

So round 1 pairs the upper half with the lower half, 1-5 2-6 3-7 4-8, as the Dutch system of the
chess federation does, and gives way where clubs or tables ask for it. The order then is by the
seeds, and by lot without them.

A second meeting costs more than all else together and is avoided if possible. Score groups are
counted, not points, so that the scale of the scores does not matter. The lots make one pairing the
cheapest: the seed decides it, and not how a solver happens to go about. What beginning weighs falls
with the number n of players, as the lots of a best pairing do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoreboard.tournament.model.draw import Draw, TableSeats, table_numbers, too_few_accessible
from scoreboard.tournament.model.pairing.minimum_cost import (
    Costs,
    Mask,
    Pairs,
    cheapest_at_any_price,
    cheapest_pairs,
)

SCARCE: Final = 1 << 58
CLUB: Final = 1 << 57
GROUP: Final = 1 << 46
FLOAT: Final = 1 << 42
HALVES: Final = 1 << 36
BEGINNING: Final = 1 << 33  # divided by the number of players
_FARTHEST: Final = 32
_FARTHEST_OFF: Final = 64
_MOST_FLOATS: Final = 8
_MOST_UNEVEN: Final = 16
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_EVEN: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class SwissConstraints:
    """All constraints on the pairing of one round; see also `seating.constraints.Constraints`.

    `entrants` are in the order of standing, the best first, with their `scores`, 0 if missing;
    `floated` is how often each met another score group before.
    """

    entrants: tuple[int, ...]
    scores: Mapping[int, int | Fraction] = field(default_factory=dict)
    past: tuple[Draw, ...] = ()
    floated: Mapping[int, int] = field(default_factory=dict)
    clubs: Mapping[int, str] = field(default_factory=dict)
    teams: Mapping[int, str] = field(default_factory=dict)
    accessible: frozenset[int] = frozenset()
    accessible_tables: frozenset[int] = frozenset()
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class SwissCosts:
    """The costs of each pair of places, how often they met, and each place's score group."""

    costs: Costs
    met: NDArray[np.int64]
    levels: NDArray[np.int64]

    @property
    def strangers(self) -> Mask:
        """The pairs that have not met, without self-pairs."""
        return np.asarray((self.met == 0) & ~np.eye(len(self.met), dtype=bool))

    def at_any_price(self) -> list[list[int]]:
        """All costs with those of second meetings, each above a whole round's other costs."""
        dear = (SCARCE << 2) * (len(self.met) + 1)
        pairs = zip(self.costs.tolist(), self.met.tolist(), strict=True)
        return [
            [cost + times * dear for cost, times in zip(costs, met, strict=True)]
            for costs, met in pairs
        ]


def swiss_costs(constraints: SwissConstraints, entrants: tuple[int, ...]) -> SwissCosts:
    """The costs for these entrants, by their places in the order of standing."""
    scores = [constraints.scores.get(each, 0) for each in entrants]
    groups = {score: level for level, score in enumerate(sorted(set(scores), reverse=True))}
    levels = np.array([groups[score] for score in scores], np.int64)
    apart = np.minimum(np.abs(levels[:, None] - levels[None, :]), _FARTHEST)
    floated = np.array(
        [min(constraints.floated.get(each, 0), _MOST_FLOATS) for each in entrants], np.int64
    )
    costs = GROUP * apart**2
    costs += FLOAT * (apart > 0) * (floated[:, None] + floated[None, :])
    uneven = _begun(constraints, entrants)
    costs += (
        BEGINNING
        // max(len(entrants), 1)
        * np.clip(uneven[:, None] * uneven[None, :], 0, _MOST_UNEVEN)
    )
    costs += HALVES * _off_halves(constraints, len(entrants)) ** 2
    costs += CLUB * _mates(constraints, entrants)
    costs += SCARCE * _scarce(constraints, entrants)
    costs += _lots(len(entrants), constraints.seed)
    places = {entrant: place for place, entrant in enumerate(entrants)}
    met = np.zeros((len(entrants), len(entrants)), np.int64)
    for draw in constraints.past:
        for one, other in draw.meetings():
            if one in places and other in places:
                met[places[one], places[other]] += 1
                met[places[other], places[one]] += 1
    return SwissCosts(costs, met, levels)


def _begun(constraints: SwissConstraints, entrants: tuple[int, ...]) -> NDArray[np.int64]:
    balance: Counter[int] = Counter()
    for draw in constraints.past:
        for table in draw.tables:
            balance[table.seats[0]] += 1
            balance.subtract(table.seats[1:])
    return np.array([balance[each] for each in entrants], np.int64)


def _off_halves(constraints: SwissConstraints, players: int) -> NDArray[np.int64]:
    """Places that a pair is off upper against lower half; most within a half, 0 after round 1."""
    if constraints.past:
        return np.zeros((players, players), np.int64)
    places = np.arange(players, dtype=np.int64)
    apart = np.abs(places[:, None] - places[None, :])
    off = np.minimum(np.abs(apart - players // 2), _FARTHEST_OFF)
    upper = places < players // 2
    return np.where(upper[:, None] == upper[None, :], _FARTHEST_OFF, off)


def _mates(constraints: SwissConstraints, entrants: tuple[int, ...]) -> Mask:
    mates = np.zeros((len(entrants), len(entrants)), bool)
    for groups in (constraints.teams, {} if constraints.past else constraints.clubs):
        names = np.array([groups.get(each, "") for each in entrants], str)
        mates |= (names[:, None] == names[None, :]) & (names[:, None] != "")
    return mates


def _scarce(constraints: SwissConstraints, entrants: tuple[int, ...]) -> Mask:
    """Pairs with one player in need of an accessible table, if these are scarce."""
    needing = np.array([each in constraints.accessible for each in entrants], bool)
    mixed = needing[:, None] != needing[None, :]
    return np.asarray(mixed & (needing.sum() > len(constraints.accessible_tables)))


def _lots(players: int, seed: int) -> NDArray[np.int64]:
    """A lot a pair, the same on every machine: two drawn words multiplied and mixed."""
    chance = Random(seed)
    words = np.array([int(chance.random() * 2**53) for _ in range(players)], np.uint64)
    mixed = (words[:, None] ^ words[None, :]) * _MIX
    mixed ^= mixed >> np.uint64(29)
    mixed *= words[:, None] + words[None, :] + _MIX
    return np.asarray((mixed >> np.uint64(36)).astype(np.int64))


def draw_swiss(constraints: SwissConstraints) -> Draw:
    """Pair all entrants at the least cost (see above); a pair meets twice only as the last resort.

    With an odd number the lowest of those who sat out least often has a bye; if that leaves only
    old opponents, the next lowest. The highest pair is at table 1, except for those who need an
    accessible table; the player who began less often, or longer ago, begins. Raises DrawError.
    """
    for out in who_may_sit_out(constraints):
        playing = tuple(each for each in constraints.entrants if each != out)
        costs = swiss_costs(constraints, playing)
        pairs = cheapest_pairs(costs.costs, costs.strangers, costs.levels)
        if pairs is not None:
            return drawn_pairs(constraints, playing, pairs, out)
    out = who_may_sit_out(constraints)[0]
    playing = tuple(each for each in constraints.entrants if each != out)
    pairs = cheapest_at_any_price(swiss_costs(constraints, playing).at_any_price())
    return drawn_pairs(constraints, playing, pairs, out)


def who_may_sit_out(constraints: SwissConstraints) -> list[int | None]:
    """The candidates for the bye, the lowest first; None for an even number."""
    if len(constraints.entrants) % 2 == 0:
        return [None]
    had = Counter(entrant for draw in constraints.past for entrant in draw.byes)
    least = min(had[each] for each in constraints.entrants)
    return [each for each in reversed(constraints.entrants) if had[each] == least]


def drawn_pairs(
    constraints: SwissConstraints, playing: tuple[int, ...], pairs: Pairs, out: int | None
) -> Draw:
    """The draw of these pairs of places, the first pair at table 1. Raises DrawError."""
    chance = Random(constraints.seed)
    begun: defaultdict[int, list[int]] = defaultdict(list)  # back in time: 1 began, -1 did not
    for draw in reversed(constraints.past):
        for table in draw.tables:
            for seat, entrant in enumerate(table.seats):
                begun[entrant].append(-1 if seat else 1)
    seats = [_seated((playing[one], playing[other]), begun, chance) for one, other in pairs]
    needing = [not constraints.accessible.isdisjoint(pair) for pair in seats]
    if sum(needing) > len(constraints.accessible_tables):
        seated = constraints.accessible.intersection(chain(*seats))
        raise too_few_accessible(2 * len(constraints.accessible_tables), len(seated))
    numbers = table_numbers(needing, sorted(constraints.accessible_tables))
    tables = (TableSeats(number, pair) for number, pair in sorted(zip(numbers, seats, strict=True)))
    return Draw(tuple(tables), () if out is None else (out,))


def _seated(
    pair: tuple[int, int], begun: Mapping[int, list[int]], chance: Random
) -> tuple[int, int]:
    """The one who began less often begins; then the one who began longer ago; then a lot."""
    one, other = ((sum(games), *games) for games in (begun[each] for each in pair))
    first = one < other if one != other else chance.random() < _EVEN
    return pair if first else (pair[1], pair[0])
