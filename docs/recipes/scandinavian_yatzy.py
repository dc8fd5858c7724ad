"""Scandinavian Yatzy, added as one file.

>>> from scoreboard.dice import Roll
>>> from scoreboard.games.engine.game import Setup
>>> worth = {box.key: box.worth for box in GAME.start(Setup(("Ann",))).form.boxes}
>>> worth["two-pairs"](Roll.parse("33551")), worth["pair"](Roll.parse("33551"))
(16, 10)
>>> worth["small-straight"](Roll.parse("12345")), worth["full-house"](Roll.parse("33355"))
(15, 19)
"""

from __future__ import annotations

from scoreboard.dice import Roll
from scoreboard.games.dice import form as card
from scoreboard.games.dice.family import Agreed, yacht_game
from scoreboard.message import Message, message

TITLE = message("Scandinavian Yatzy")
BONUS = card.Bonus("upper", goal=63, points=50)
STRAIGHTS = {"small-straight": (range(1, 6), 15), "large-straight": (range(2, 7), 20)}
RULE_TEXTS = {
    "SY-1": message("The dice that show the number of the box are added."),
    "SY-2": message("Six upper boxes of 63 or more together earn 50."),
    "SY-3": message("The dice that are alike are added, the highest where there is a choice."),
    "SY-4": message("1 2 3 4 5 earns 15, and 2 3 4 5 6 earns 20."),
    "SY-5": message("All dice are added."),
    "SY-6": message("Five dice alike earn 50."),
    "SY-7": message("All boxes and the bonus are added; the highest total wins."),
}


def alike(*sizes: int) -> card.Worth:
    """The sum of the highest dice alike: `sizes` are how many of each number."""

    def worth(roll: Roll) -> int:
        points, left = 0, dict(roll.counts)
        for size in sizes:
            faces = [face for face, count in left.items() if count >= size]
            if not faces:
                return 0
            points += size * max(faces)
            del left[max(faces)]
        return points

    return worth


def lower(key: str, label: Message, rule: str, worth: card.Worth) -> card.Box:
    """One box of the lower section; the card prints its rule below its name."""
    return card.Box(key, label, RULE_TEXTS[rule], "lower", rule, worth)


def straight(key: str, label: Message) -> card.Box:
    """One of the two straights."""
    faces, points = STRAIGHTS[key]
    return lower(key, label, "SY-4", card.when(card.shows_one_of([faces]), card.fixed(points)))


LOWER = (
    lower("pair", message("One pair"), "SY-3", alike(2)),
    lower("two-pairs", message("Two pairs"), "SY-3", alike(2, 2)),
    lower("three-of-a-kind", message("3 of a kind"), "SY-3", alike(3)),
    lower("four-of-a-kind", message("4 of a kind"), "SY-3", alike(4)),
    straight("small-straight", message("Small straight")),
    straight("large-straight", message("Large straight")),
    lower("full-house", message("Full house"), "SY-5", card.when(card.split((3, 2)), card.total)),
    lower("chance", message("Chance"), "SY-5", card.total),
    lower("yatzy", message("Yatzy"), "SY-6", card.when(card.of_a_kind(5), card.fixed(50))),
)
SCORED = ("upper", "bonus", *(box.key for box in LOWER))


def form(_agreed: Agreed) -> card.Form:
    """The card; the table may agree on nothing but who starts."""
    rows = (
        *card.upper_boxes("SY-1"),
        card.Total("upper", message("Upper sum"), "upper", "SY-1", card.added(*card.UPPER_KEYS)),
        card.Total("bonus", message("Bonus"), "upper", "SY-2", BONUS, missing=BONUS.missing),
        *LOWER,
        card.Total("grand", message("Grand total"), "totals", "SY-7", card.added(*SCORED)),
    )
    return card.Form("scandinavian-yatzy", rows, card.Citations(end="SY-7"))


GAME = yacht_game("scandinavian-yatzy", TITLE, form, RULE_TEXTS)
