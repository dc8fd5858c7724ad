"""Dealing players to tables like cards: club after club, so that mates sit apart."""

from __future__ import annotations

from itertools import chain
from random import Random

from scoreboard.tournament.model.seating.chance import shuffled
from scoreboard.tournament.model.seating.constraints import Constraints
from scoreboard.tournament.model.seating.history import SeatingHistory


def dealt(wish: Constraints, facts: SeatingHistory, chance: Random) -> list[list[int]]:
    """Groups of the sizes wished for, the largest first, dealt seat by seat round the tables.

    A club's members lie together in the deal, so that no more of them meet than must where
    the tables are equal; all else is chance.
    """
    clubs = facts.clubs_of(wish)
    alone = set(range(len(facts.entrants))).difference(chain.from_iterable(clubs))
    packs = [*(shuffled(club, chance) for club in clubs), *([place] for place in sorted(alone))]
    deal = iter([place for pack in shuffled(packs, chance) for place in pack])
    sizes = sorted(wish.sizes, reverse=True)
    groups: list[list[int]] = [[] for _ in sizes]
    for seat in range(max(sizes, default=0)):
        for group, size in zip(groups, sizes, strict=True):
            if seat < size:
                group.append(next(deal))
    return groups
