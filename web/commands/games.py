"""`tablescore games`: the list of the stored games."""

from __future__ import annotations

from pathlib import Path

import click

from web.commands.options import database_option, settings_option
from web.table import GameSummary
from web.wiring import open_archives


@click.command(epilog="Example: tablescore games")
@database_option
@settings_option
def games(database: str | None, settings_file: Path | None) -> None:
    """List the stored games, newest first, those of the demo evening after your own.

    Each line has the id for `tablescore export`, when the game was opened, where it stands,
    and the players with their totals.
    """
    archives = open_archives(database, settings_file)
    lines = [_line(game) for archive in archives for game in archive.summaries()]
    for line in lines:
        click.echo(line)
    if not lines:
        click.echo("No games are stored yet; tablescore run opens the first.", err=True)


def _line(game: GameSummary) -> str:
    players = ", ".join(
        f"{name} {total}" for name, total in zip(game.players, game.totals, strict=True)
    )
    opened = game.opened_at.astimezone().strftime("%Y-%m-%d %H:%M")
    return f"{game.game_id}  {opened}  {game.title!s}  {game.state:<10}  {players}"
