"""The commands on a game written as text: its scoresheet, what to do now, luck and decisions.

numpy is loaded once the game is read: half a second on a small machine.
"""
# ruff: noqa: PLC0415 -- see above

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from scoreboard.games.engine.printout import printout, summary
from scoreboard.games.engine.transcript import events_in_force
from scoreboard.games.notation import Replayed, ReplayError, replay_text
from scoreboard.text_files import decode_text
from web.cli.options import Refusal, as_json
from web.shared.plan import advice_folder

if TYPE_CHECKING:
    from scoreboard.games.advice.dice_values import DiceValues
    from scoreboard.games.advice.luck import PlayerLuck
    from scoreboard.games.dice.state import State

MOST_QUOTED: Final = 80  # characters of a refused line


def read_game(file: Path) -> Replayed:
    """Replay the game in a file, `-` for the standard input. Raises Refusal, with the line."""
    try:
        with click.open_file(str(file), "rb") as stream:
            return replay_text(decode_text(stream.read()))
    except UnicodeDecodeError as error:
        raise Refusal(f"{file} is no text in UTF-8; save it as such.") from error
    except ReplayError as refusal:
        text = refusal.text.strip()
        quoted = text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 1]}…"
        raise Refusal(f"Line {refusal.line}, “{quoted}”: {refusal} ({refusal.rule})") from refusal


@click.command(epilog="Example: tablescore replay evening.txt")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@as_json
def replay(file: Path, *, as_json: bool) -> None:
    """Replay the game written in FILE and print its scoresheet.

    An unfinished game is printed as it is. A line that the rules refuse is named with
    its number and the rule, and the exit status is 1. What the players settled among themselves,
    such as a revoke, is printed with the sheet.
    """
    played = read_game(file)
    for line, warning in played.warnings:
        click.echo(f"Line {line}: {warning}", err=True)
    game, state = played.game, played.state
    if as_json:
        click.echo(json.dumps(summary(game, state), ensure_ascii=False))
    else:
        click.echo(printout(game.scoresheet(state), game.outcome(state)), nl=False)


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
    """The values of a game's cards, made first where they don't come along. Raises Refusal."""
    from scoreboard.games.advice.dice_values import is_made_here, load, why_off

    game, options = played.game, played.setup.options
    folder = advice_folder()
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


UNLISTED: Final = ("best", "good")  # decisions that cost next to nothing


@click.command(epilog="Example: tablescore analyse evening.txt")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
def analyse(file: Path) -> None:
    """Print what luck and decisions made of the game of dice in FILE, player by player.

    FILE is in the notation that `tablescore replay` reads; - reads the standard input. The average
    of the game, plus the luck of all rolls, less what decisions cost, is the score. Decisions that
    cost a point or more are listed with what would have been best.
    """
    from scoreboard.games.advice.luck import luck_of

    played = read_game(file)
    values, events = values_for(played), events_in_force(played.records)
    players = luck_of(values, played.game, played.setup, events)
    click.echo("\n\n".join("\n".join(_lines(each)) for each in players))


def _lines(player: PlayerLuck) -> Iterator[str]:
    score = f"score {player.score}" if player.finished else f"on the way to {player.expected:.1f}"
    yield (
        f"{player.player}: average {player.average:.1f}, dice {player.luck:+.1f}, "
        f"decisions {0 - player.cost:+.1f}, {score}"
    )
    for decision in player.decisions:
        if decision.grade not in UNLISTED:
            where = f"turn {decision.turn}, roll {decision.number}: {decision.roll}"
            words = decision.advice.words_on(decision.chosen)
            yield f"  {where}, {decision.chosen.key}: {decision.grade}. {words}"
