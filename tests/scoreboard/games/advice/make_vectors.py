"""Writes dice_vectors.csv anew: `python -m tests.scoreboard.games.advice.make_vectors SOLVER`.

Random cards, valued by independent_solver.c, compiled as its first lines say. Takes some minutes.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Final

FILE: Final = Path(__file__).with_name("dice_vectors.csv")
UPPER: Final = ("aces", "twos", "threes", "fours", "fives", "sixes")
YAHTZEE: Final = (
    *("three-of-a-kind", "four-of-a-kind", "full-house"),
    *("small-straight", "large-straight", "yahtzee", "chance"),
)
CHASER: Final = ("chase-off", "straight", "even-straight", "four-dice", "full-house", "choice")
YAMS: Final = (
    *("plus", "minus", "four-of-a-kind", "full-house"),
    *("small-straight", "large-straight", "yams", "rigole"),
)
GAMES: Final = (  # the game, its house rule, how the solver calls both, its lower boxes, how many
    ("yahtzee", "", "yahtzee", "25", YAHTZEE, 150),
    ("yahtzee-bga", "full_house=30", "yahtzee", "30", YAHTZEE, 150),
    ("chaser", "strict_full_house=no", "chaser", "0", CHASER, 75),
    ("chaser", "strict_full_house=yes", "chaser", "1", CHASER, 75),
    ("yams", "small_straight=40", "yams", "40", YAMS, 150),
)


def random_card(boxes: tuple[str, ...], chance: Random) -> dict[str, int]:
    """Some boxes with points; of the lower ones, only those that matter later hold any."""
    card = {}
    for box in chance.sample(boxes, chance.randint(0, len(boxes) - 1)):
        if box in UPPER:
            card[box] = (UPPER.index(box) + 1) * chance.choice((0, 1, 2, 2, 3, 3, 3, 4, 4, 5))
        else:
            card[box] = chance.choice((0, 50)) if box == "yahtzee" else 0
            card[box] = chance.randint(5, 30) if box in {"plus", "minus"} else card[box]
    return card


def position(card: dict[str, int], boxes: tuple[str, ...]) -> str:
    """The card as the solver takes it."""
    mask = sum(1 << at for at, box in enumerate(boxes) if box in card)
    upper = 0 if "choice" in boxes else sum(card.get(box, 0) for box in UPPER)
    recorded = [card[box] for box in ("plus", "minus") if box in card]
    other = int(card.get("yahtzee") == 50)
    return f"{mask} {upper} {recorded[0] if len(recorded) == 1 else other}\n"


def main(solver: str) -> None:
    """Value the cards and write them."""
    rows = []
    for name, option, game, flavour, lower, many in GAMES:
        boxes, chance = (*UPPER, *lower), Random(f"{name} {option}")
        cards = [{}, *(random_card(boxes, chance) for _ in range(many))]
        positions = "".join(position(card, boxes) for card in cards)
        solved = subprocess.run(
            [solver, game, flavour], input=positions, capture_output=True, text=True, check=True
        )
        for card, worth in zip(cards, solved.stdout.split(), strict=True):
            filled = " ".join(f"{box}={points}" for box, points in card.items())
            rows.append((name, option, filled, worth))
    with FILE.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerows([("game", "option", "card", "worth"), *rows])


if __name__ == "__main__":
    main(sys.argv[1])
