"""`tablescore archive`: all ended games in one zip, for another Tablescore."""

from __future__ import annotations

from pathlib import Path

import click

from web.cli.options import database_option, settings_option
from web.databases import archive_games, named_databases


@click.command(epilog="Example: tablescore archive /media/stick/our-games.zip")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@database_option
@settings_option
def archive(file: Path, database: str | None, settings_file: Path | None) -> None:
    """Write all ended games, their players and photos into the new FILE, also while a table plays.

    Another Tablescore takes it in on its page of games: “Open an archive”. What is still being
    played and what lies in the bin are left out; `tablescore backup` keeps those too.
    """
    count = archive_games(named_databases(database, settings_file)[0], file)
    click.echo(f"{file}: {count} games.")
