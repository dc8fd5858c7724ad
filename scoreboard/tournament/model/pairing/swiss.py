"""The Swiss system: those level in score meet, and nobody meets the same twice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import count, islice
from random import Random
from typing import Final

from scoreboard.message import message
from scoreboard.tournament.model.draw import Draw, DrawError, TableSeats
from scoreboard.tournament.model.pairing.minimum_cost import (
    Pairs,
    cheapest_at_any_price,
    cheapest_pairs,
)
from scoreboard.tournament.model.pairing.swiss_constraints import SwissConstraints
from scoreboard.tournament.model.pairing.swiss_costs import swiss_costs

_EVEN: Final = 0.5


def draw_swiss(wish: SwissConstraints) -> Draw:
    """Pair all entrants so that what speaks against the pairs (see `swiss_costs`) is least.

    Round 1 pairs the upper half of the order with the lower half: 1-5 2-6 3-7 4-8.
    With an odd number the lowest of those who sat out least often has a bye; where that leaves
    nobody but old opponents, the next lowest. Somebody meets the same twice only where nothing
    else is left. The highest pair sits at table 1, but for those who need an accessible table;
    who began less often, or longer ago, begins.

    Raises:
        DrawError: more need an accessible table than such tables seat.
    """
    for out in _who_may_sit_out(wish):
        playing = tuple(each for each in wish.entrants if each != out)
        costs = swiss_costs(wish, playing)
        pairs = cheapest_pairs(costs.costs, costs.strangers, costs.levels, costs.kinds)
        if pairs is not None:
            return _drawn(wish, playing, pairs, out)
    out = _who_may_sit_out(wish)[0]
    playing = tuple(each for each in wish.entrants if each != out)
    pairs = cheapest_at_any_price(swiss_costs(wish, playing).at_any_price())
    return _drawn(wish, playing, pairs, out)


def _who_may_sit_out(wish: SwissConstraints) -> list[int | None]:
    """Those whose turn it is to sit out, the lowest first; nobody where the number is even."""
    if len(wish.entrants) % 2 == 0:
        return [None]
    had = Counter(entrant for draw in wish.past for entrant in draw.byes)
    least = min(had[each] for each in wish.entrants)
    return [each for each in reversed(wish.entrants) if had[each] == least]


def _drawn(wish: SwissConstraints, playing: tuple[int, ...], pairs: Pairs, out: int | None) -> Draw:
    chance, begun = Random(wish.seed), _beginnings(wish)
    seats = [_seated((playing[one], playing[other]), begun, chance) for one, other in pairs]
    numbers = _numbers(seats, wish)
    tables = (TableSeats(number, pair) for number, pair in sorted(zip(numbers, seats, strict=True)))
    return Draw(tuple(tables), () if out is None else (out,))


def _seated(
    pair: tuple[int, int], begun: Mapping[int, list[int]], chance: Random
) -> tuple[int, int]:
    """Who began less often begins; if both did as often, who began longer ago; else a lot."""
    one, other = ((sum(games), *games) for games in (begun[each] for each in pair))
    first = one < other if one != other else chance.random() < _EVEN
    return pair if first else (pair[1], pair[0])


def _beginnings(wish: SwissConstraints) -> Mapping[int, list[int]]:
    """Everybody's games back in time: 1 where they began, -1 where not."""
    games: defaultdict[int, list[int]] = defaultdict(list)
    for draw in reversed(wish.past):
        for table in draw.tables:
            for seat, entrant in enumerate(table.seats):
                games[entrant].append(-1 if seat else 1)
    return games


def _numbers(seats: list[tuple[int, int]], wish: SwissConstraints) -> list[int]:
    """Table numbers in the order of the pairs; accessible ones go to those who need them."""
    bound = [pair for pair in seats if not wish.accessible.isdisjoint(pair)]
    if len(bound) > len(wish.accessible_tables):
        raise DrawError(
            message(
                "{needing} players need an accessible table, and such tables seat {seats}: mark "
                "more tables as accessible.",
                needing=len(wish.accessible & {each for pair in bound for each in pair}),
                seats=2 * len(wish.accessible_tables),
            )
        )
    accessible = sorted(wish.accessible_tables)[: len(bound)]
    others = (number for number in count(1) if number not in accessible)
    given = dict(zip(bound, accessible, strict=True))
    rest = [pair for pair in seats if pair not in given]
    given |= zip(rest, islice(others, len(rest)), strict=True)
    return [given[pair] for pair in seats]
