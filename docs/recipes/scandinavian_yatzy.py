"""Scandinavian Yatzy, added as one file.

>>> from scoreboard.games.engine.game import Setup
>>> form = GAME.start(Setup(("Ann",))).form
>>> worth = {box.key: box.worth for box in form.boxes}
>>> worth["two-pairs"](Roll.parse("33551")), worth["pair"](Roll.parse("33551"))
(16, 10)
>>> worth["small-straight"](Roll.parse("12345")), worth["full-house"](Roll.parse("33355"))
(15, 19)
"""

from scoreboard.dice import Roll
from scoreboard.games.dice.family import Agreed, yacht_game
from scoreboard.games.dice.form import (
    UPPER_KEYS,
    Bonus,
    Box,
    Form,
    Total,
    Worth,
    added,
    alike,
    fixed,
    shows_one_of,
    split,
    total,
    upper_boxes,
    when,
)
from scoreboard.message import Message, message

TITLE = message("Scandinavian Yatzy")
BONUS = Bonus("upper", goal=63, points=50)


def alike_of(*sizes: int) -> Worth:
    """The sum of the highest dice alike, so many of each of as many numbers."""

    def worth(roll: Roll) -> int:
        sum_of, left = 0, dict(roll.counts)
        for size in sizes:
            faces = [face for face, count in left.items() if count >= size]
            if not faces:
                return 0
            sum_of += size * max(faces)
            del left[max(faces)]
        return sum_of

    return worth


def lower(key: str, label: Message, worth: Worth) -> Box:
    """One box of the lower section."""
    return Box(key, label, message("Lower section"), "lower", "Yatzy", worth)


LOWER = (
    lower("pair", message("One pair"), alike_of(2)),
    lower("two-pairs", message("Two pairs"), alike_of(2, 2)),
    lower("three-of-a-kind", message("3 of a kind"), alike_of(3)),
    lower("four-of-a-kind", message("4 of a kind"), alike_of(4)),
    lower(
        "small-straight", message("Small straight"), when(shows_one_of([range(1, 6)]), fixed(15))
    ),
    lower(
        "large-straight", message("Large straight"), when(shows_one_of([range(2, 7)]), fixed(20))
    ),
    lower("full-house", message("Full house"), when(split((3, 2)), total)),
    lower("chance", message("Chance"), total),
    lower("yatzy", message("Yatzy"), when(alike(5), fixed(50))),
)
SCORED = ("upper", "bonus", *(box.key for box in LOWER))


def form(_agreed: Agreed) -> Form:
    """The card; the table may agree on nothing but who starts."""
    upper_sum = Total("upper", message("Upper sum"), "upper", "Yatzy", added(*UPPER_KEYS))
    bonus = Total("bonus", message("Bonus"), "upper", "Yatzy", BONUS, missing=BONUS.missing)
    grand = Total("grand", message("Grand total"), "totals", "Yatzy", added(*SCORED))
    rows = (*upper_boxes("Yatzy"), upper_sum, bonus, *LOWER, grand)
    return Form("scandinavian-yatzy", rows)


GAME = yacht_game("scandinavian-yatzy", TITLE, form)
