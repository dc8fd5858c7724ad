"""The final scores that a card can hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement

from scoreboard.dice import FACES, Roll
from scoreboard.games.dice.form import Box, Form
from scoreboard.games.dice.state import Card


def highest(form: Form) -> int:
    """The most that a card of this form can hold: each box and each further bonus at its best.

    A box that is taken off from others counts where that is best for the total (YM-4).
    """
    rolls = [Roll(dice) for dice in combinations_with_replacement(FACES, form.dice)]
    worths = {box.key: _worths(box, rolls) for box in form.boxes}
    best = {key: max(each) for key, each in worths.items()}
    for key, each in worths.items():
        others = [best | {key: worth} for worth in each]
        best = max(best, *others, key=lambda card: _grand(form, card))  # the first of equals
    further = max(form.further(_card(form, best).values, roll) for roll in rolls)
    return _grand(form, best, further * (len(form.boxes) - 1))


def _worths(box: Box, rolls: Sequence[Roll]) -> frozenset[int]:
    makers = (box.worth,) if box.joker is None else (box.worth, box.joker)
    return frozenset(worth(roll) for worth in makers for roll in rolls)


def _card(form: Form, points: Mapping[str, int], further: int = 0) -> Card:
    return Card(form, tuple(points[key] for key in form.keys), further)


def _grand(form: Form, points: Mapping[str, int], further: int = 0) -> int:
    return _card(form, points, further).grand
