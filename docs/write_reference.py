"""Write docs/reference/games.md from the rulebooks, so that it never says anything else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from scoreboard.game import Game, Setup
from scoreboard.games import GAMES
from scoreboard.option import Option
from scoreboard.rulings import RULINGS
from scoreboard.scoresheet import Row

PAGE: Final = Path(__file__).parent / "reference" / "games.md"
HEAD: Final = """\
# The games: sheets, house rules, rules

Written by `python docs/write_reference.py` from the rulebooks; a test fails when it is not
current. The names in the first column are those of the [notation](notation.md) and of JSON.
"""


OWN_RULES: Final = {
    "yahtzee": "YZ-",
    "yahtzee-bga": ("YB-", "YZ-"),
    "yams": "YM-",
    "chaser": "CH-",
    "rummikub": "RK-",
    "tongtong": "TT-",
}


def page() -> str:
    """The whole page."""
    return HEAD + "".join(f"\n{part}" for game in GAMES.values() for part in _parts(game))


def _parts(game: Game[Any, Any, Any]) -> Iterator[str]:
    players = tuple(f"Player {seat}" for seat in range(1, game.seats[0] + 1))
    sheet = game.scoresheet(game.start(Setup(players)))
    yield f"## {game.title} (`{game.name}`)\n"
    yield f"For {game.seats[0]} to {game.seats[-1]} players.\n"
    yield _table(("row", "on the sheet", "", "rule"), map(_row, sheet.rows))
    yield "House rules; the first is what holds when the table says nothing.\n"
    yield _table(
        ("option", "value", "meaning", "rule"),
        (line for option in game.options for line in _option(option)),
    )
    yield "The rules by which this game answers.\n"
    yield _table(("rule", "in one sentence"), _rules(game))


def _option(option: Option) -> Iterator[tuple[str, ...]]:
    for choice in option.choices:
        yield f"`{option.name}`", f"`{choice.value}`", str(choice.label), option.rule
    if option.own is not None:
        yield f"`{option.name}`", "a value of your own", str(option.own.hint), option.rule


def _rules(game: Game[Any, Any, Any]) -> Iterator[tuple[str, ...]]:
    """The rules of the game's own page."""
    for rule, sentence in RULINGS.items():
        if rule.startswith(OWN_RULES[game.name]):
            yield rule, str(sentence)


def _row(row: Row) -> tuple[str, ...]:
    rule = row.rule or ""
    filled = "" if row.kind == "box" else "fills itself"
    return f"`{row.key}`", str(row.label), filled, f"{rule}: {RULINGS[rule]}"


def _table(head: tuple[str, ...], rows: Any) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
