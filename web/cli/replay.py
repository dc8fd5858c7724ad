"""`tablescore replay`: a game written as text becomes its scoresheet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import click

from scoreboard.games.engine.printout import printout, summary
from scoreboard.games.notation import Replayed, ReplayError, replay_text
from scoreboard.text_files import decode_text
from web.cli.options import Refusal, as_json

MOST_QUOTED: Final = 80  # characters of a refused line


def read_game(file: Path) -> Replayed:
    """Replay the game written in a file, `-` for the standard input.

    Raises:
        Refusal: it is no text, or a line is refused, which is named.
    """
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

    An unfinished game is printed as it stands. A line that the rules refuse is named with
    its number and the rule, and the exit status is 1. What the players settled among themselves,
    such as a revoke, is printed beside the sheet.
    """
    played = read_game(file)
    for line, warning in played.warnings:
        click.echo(f"Line {line}: {warning}", err=True)
    game, state = played.game, played.state
    if as_json:
        click.echo(json.dumps(summary(game, state), ensure_ascii=False))
    else:
        click.echo(printout(game.scoresheet(state), game.outcome(state)), nl=False)
