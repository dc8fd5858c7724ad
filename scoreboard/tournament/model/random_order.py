"""The lot: entrants in an order that chance decides."""

from __future__ import annotations

from random import Random


def random_order(entrants: tuple[int, ...], seed: int) -> tuple[int, ...]:
    """The entrants in the order of the lot: the same for a seed everywhere, whoever is named first.

    Each draws a number in the order of entry numbers; the lowest comes first.
    """
    chance = Random(seed)
    drawn = {each: chance.random() for each in sorted(entrants)}
    return tuple(sorted(drawn, key=lambda each: (drawn[each], each)))
