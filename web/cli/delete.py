"""`tablescore delete`: a stored game is forgotten."""

from __future__ import annotations

from pathlib import Path

import click

from web.cli.options import database_option, settings_option
from web.databases import delete_game, named_databases


@click.command(epilog="Example: tablescore delete GAME_ID")
@click.argument("game_id")
@click.option("--yes", is_flag=True, help="Do not ask.")
@database_option
@settings_option
def delete(game_id: str, database: str | None, settings_file: Path | None, *, yes: bool) -> None:
    """Delete the stored game GAME_ID for good, also one that cannot be read.

    A table that plays with the database must be stopped first, or delete the game on its page.
    """
    databases = named_databases(database, settings_file)
    if not yes:
        click.confirm(f"Delete {game_id} for good?", abort=True, err=True)
    delete_game(databases, game_id)
