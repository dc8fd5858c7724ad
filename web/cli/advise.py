"""`tablescore advise`: what to do now in a game written as text.

numpy is loaded once the game is read: half a second on a small machine.
"""
# ruff: noqa: PLC0415 -- see above

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from platformdirs import user_data_path

from scoreboard.games.notation import Replayed
from web.cli.options import Refusal
from web.cli.replay import read_game

if TYPE_CHECKING:
    from scoreboard.games.advice.dice_values import DiceValues
    from scoreboard.games.dice.state import State


@click.command(epilog="Example: tablescore advise evening.txt")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
def advise(file: Path) -> None:
    """Say as JSON what to do with the last roll of the game of dice, or the rack, in FILE.

    FILE is in the notation that `tablescore replay` reads; - reads the standard input. Worths are
    points still to come, on average and at best play; each option has its cost against the best.
    The first time, the table of Yams is worked out, which takes a minute or more.
    """
    played = read_game(file)
    if played.game.review == "turns":
        document = _best_turn(played.game.name, played.state)
    else:
        document = _document(values_for(played), played.state)
    click.echo(json.dumps(document, ensure_ascii=False))


def values_for(played: Replayed) -> DiceValues:
    """The values of a game's cards, made first where they don't come along.

    Raises:
        Refusal: there are none for this game under its house rules.
    """
    from scoreboard.games.advice.dice_values import is_made_here, load, why_off

    game, options = played.game, played.setup.options
    folder = user_data_path("tablescore") / "advice"
    if load(game, options, folder) is None and is_made_here(game, options):
        from scoreboard.games.advice.table_build import TableBuild

        click.echo(f"Working out the advice for {game.title} …", err=True)
        build = TableBuild(game, options, folder)
        try:
            build.wait()
        finally:
            build.close()
    values = load(game, options, folder)
    if values is None:
        raise Refusal(str(why_off(game, options, folder)))
    return values


def _best_turn(game: str, state: Any) -> dict[str, Any]:
    """The turn that is open in a game with racks; null without one entered tile by tile."""
    from scoreboard.games.advice.best_turns import best_turn

    standing = state.standing
    document: dict[str, Any] = {"game": game, "turn": None}
    if standing.rack is None:
        return document
    try:
        found = best_turn(standing)
    except TimeoutError as error:
        raise Refusal("This turn has too many possibilities to work out here.") from error
    player, rack = state.players[state.round.seat], str(standing.rack)
    document["turn"] = {"player": player, "rack": rack, "best": None}
    if found is not None:
        document["turn"]["best"] = {
            "lay": str(found.laid),
            "left": str(found.left),
            "table": str(found.table),
            "moves": [str(move) for move in found.moves],
        }
    return document


def _document(values: DiceValues, state: State) -> dict[str, Any]:
    from scoreboard.games.advice.dice_advice import advise as advice_on

    cards = zip(state.players, state.cards, strict=True)
    document: dict[str, Any] = {
        "game": state.form.game,
        "players": [
            {"name": name, "points": card.grand, "to_come": round(values.of(card), 3)}
            for name, card in cards
        ],
        "turn": None,
    }
    advice, roll = advice_on(values, state), state.rolls.roll
    if advice is not None and roll is not None:
        document["turn"] = {
            "player": state.players[state.seat],
            "roll": str(roll),
            "advice": str(advice.words),
            "best": [each.key for each in advice.best],
            "options": [
                {
                    "do": each.key,
                    "words": str(each.words),
                    "worth": round(each.worth, 3),
                    "cost": round(each.cost, 3),
                }
                for each in advice.options
            ],
        }
    return document
