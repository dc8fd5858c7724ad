"""Makes the figures of the best possible play: `python -m tests.benchmarks.optimum`.

Whole games are played at best play with the tables that come along: what each box has on average,
and how the totals spread. The average total is the table's own, which is exact.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any, Final

from scoreboard.dice import FACES, Roll
from scoreboard.games import DICE_GAMES
from scoreboard.games.advice.dice_values import SHIPPED, DiceValues, TurnValues, load
from scoreboard.games.dice.state import Card
from scoreboard.games.finished import rules_key

FILE: Final = SHIPPED / "optimum.json"
GAMES: Final = 10_000
STEP: Final = 25  # points from one bar of the spread to the next
SEED: Final = 1


def main() -> None:
    """Write the file anew."""
    figures, known = [], dict[str, dict[str, Any]]()
    for game in DICE_GAMES.values():
        for choices in product(*(option.choices for option in game.options[1:])):
            named = zip(game.options[1:], choices, strict=True)
            options = {option.name: choice.value for option, choice in named}
            values = load(game, options, SHIPPED)
            if values is not None:
                about = {"game": game.name, "rules": rules_key(game, options)}
                digest = values.model.digest  # the same numbers under another name
                known[digest] = known.get(digest) or played(values, GAMES, SEED)
                figures.append({**about, **known[digest]})
                sys.stdout.write(f"{figures[-1]}\n")
    FILE.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def played(values: DiceValues, games: int, seed: int) -> dict[str, Any]:
    """So many games at best play, all of a turn together: alike cards are worked out once."""
    chance, empty = Random(seed), Card.empty(values.model.form)
    cards = Counter({empty: games})
    for _ in empty.form.boxes:
        after = Counter[Card]()
        for card, count in cards.items():
            turn = values.turn(card)
            for _ in range(count):
                after[_after_turn(turn, card, chance)] += 1
        cards = after
    sums, finals = defaultdict[str, int](int), Counter[int]()
    for card, count in cards.items():
        finals[card.grand - card.grand % STEP] += count
        for key in card.form.keys:
            sums[key] += count * (card[key] or 0)
    return {
        "average": round(values.of(empty), 2),
        "boxes": {key: round(points / games, 2) for key, points in sums.items()},
        "finals": {low: count / games for low, count in sorted(finals.items())},
    }


def _after_turn(turn: TurnValues, card: Card, chance: Random) -> Card:
    dice, form = Roll(()), card.form
    for left in reversed(range(form.rolls_allowed)):
        rolled = chance.choices(FACES, k=form.dice - len(dice))
        dice = Roll(tuple(sorted((*dice.faces, *rolled))))
        if left:
            dice = max(_keeps(dice), key=lambda keep: turn.of_keep(keep, left))
    worths = turn.of_boxes(dice)
    box = max(worths, key=worths.__getitem__)
    points = next(
        each.points for each in form.placing(form.boxes, dice, card.filled) if each.box.key == box
    )
    return card.with_score(box, points, form.further(card.values, dice))


@cache
def _keeps(roll: Roll) -> tuple[Roll, ...]:
    sizes = range(len(roll) + 1)
    return tuple(Roll(keep) for k in sizes for keep in sorted(set(combinations(roll.faces, k))))


if __name__ == "__main__":
    main()
