"""`tablescore restore`: the stored games become those of a backup."""

from __future__ import annotations

from pathlib import Path

import click

from web.cli.databases import named_databases, restore_games
from web.cli.options import database_option, same_games, settings_option


@click.command(epilog="Example: tablescore restore /media/stick/games-in-may.sqlite3")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@database_option
@settings_option
def restore(file: Path, database: str | None, settings_file: Path | None) -> None:
    """Put the games of the backup FILE in the place of the stored ones, while no table runs.

    The backup is checked first; the file that it replaces is kept under another name.
    """
    games, kept = restore_games(named_databases(database, settings_file)[0], file)
    click.echo(f"{games.listed} games are stored now.")
    if games.binned:
        click.echo(
            f"{games.binned} more in the bin: {same_games('games', '--bin')} lists them. The table "
            "deletes those of more than seven days ago at its start; "
            f"{same_games('delete', '--take-back', 'GAME_ID')} keeps one."
        )
    if kept is not None:
        click.echo(f"What was there before is kept as {kept}.")
