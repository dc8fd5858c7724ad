"""Makes the shipped tables: `python -m tests.scoreboard.games.advice.make_tables`.

Each game of dice is solved under all its house rules, in float64 and on one processor; tables too
large to ship are left out.
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np

from scoreboard.games import DICE_GAMES
from scoreboard.games.advice.dice_values import (
    MOST_SHIPPED,
    SHIPPED,
    file_name,
    load,
    model_of,
    solve,
    to_keep,
)


def main() -> None:
    """Write the tables anew, and print their names."""
    SHIPPED.mkdir(exist_ok=True)
    for old in SHIPPED.glob("*.npy"):
        old.unlink()
    for game in DICE_GAMES.values():
        for choices in product(*(option.choices for option in game.options[1:])):
            named = zip(game.options[1:], choices, strict=True)
            options = {option.name: choice.value for option, choice in named}
            model = model_of(game, options)
            if model is None or model.positions > MOST_SHIPPED or load(game, options):
                continue  # loaded: the same numbers under another name
            table = solve(model)
            np.save(SHIPPED / file_name(game, model), to_keep(table))
            sys.stdout.write(f"{game.name} {options}: {table[0]:.14g} on average\n")


if __name__ == "__main__":
    main()
