"""`tablescore analyse`: how much of a game written as text was luck, and what decisions cost.

numpy is loaded once the game is read: half a second on a small machine.
"""
# ruff: noqa: PLC0415 -- see above

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from scoreboard.games.engine.transcript import events_in_force
from web.cli.advise import values_for
from web.cli.replay import read_game

if TYPE_CHECKING:
    from scoreboard.games.advice.luck import PlayerLuck

UNLISTED: Final = ("best", "fine")  # decisions that cost next to nothing


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
