"""One thing that may decide a standing: its name, its values, and its reason in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scoreboard.phrase import Phrase
from scoreboard.tournament.ledger import Ledger
from scoreboard.tournament.points import Points

Values = Callable[[Ledger, tuple[int, ...]], Mapping[int, Points]]


@dataclass(frozen=True, slots=True)
class Tiebreak:
    """How those who are still level are told apart; the higher value stands above.

    `name` is stored, `label` heads a column; `values` gives one to each of the level entrants
    (some look at these alone); `reason` says why the first value stands above the second, in
    words that end a sentence.
    """

    name: str
    label: Phrase
    values: Values
    reason: Callable[[Points, Points], Phrase]


def latest_order(
    orders: tuple[tuple[int, ...], ...], level: tuple[int, ...]
) -> Mapping[int, Points]:
    """The level entrants by the latest order that has them all, last 1; all 0 where none has."""
    for order in reversed(orders):
        if set(level) <= set(order):
            return {each: len(order) - order.index(each) for each in level}
    return dict.fromkeys(level, 0)
