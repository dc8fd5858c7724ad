"""`tablescore backup`: all stored games in one file."""

from __future__ import annotations

from pathlib import Path

import click

from web.cli.options import database_option, settings_option
from web.databases import back_up_games, named_databases


@click.command(epilog="Example: tablescore backup /media/stick/games-in-may.sqlite3")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@database_option
@settings_option
def backup(file: Path, database: str | None, settings_file: Path | None) -> None:
    """Write all stored games into the new FILE, also while a table plays.

    A table makes backups by itself at each game's end and keeps the newest five, in a folder beside
    the database. Games on a PostgreSQL server are backed up with pg_dump.
    """
    games = back_up_games(named_databases(database, settings_file)[0], file)
    click.echo(f"{file}: {games}.")
