"""`tablescore export`: one stored game, written out."""

from __future__ import annotations

from pathlib import Path
from typing import Final, cast, get_args

import click

from scoreboard.errors import UnknownGameError
from web.cli.databases import open_archives
from web.cli.options import database_option, settings_option
from web.table.history.archive import ExportFormat, WholeFormat

PHOTOS: Final = "photos.zip"


@click.command(epilog="Example: tablescore export GAME_ID --format txt > evening.txt")
@click.argument("game_id", required=False)
@click.option("--all", "whole", is_flag=True, help="All finished games, as csv or json.")
@click.option(
    "--format",
    "form",
    type=click.Choice([*get_args(ExportFormat), PHOTOS]),
    required=True,
    help="txt is the notation that `tablescore replay` reads; csv and json are the sheet; "
    "steps.csv and json say what was done when and which device confirmed it; raw is what stands "
    "in the database, for a game that cannot be read; photos.zip are the photos behind its scores.",
)
@database_option
@settings_option
def export(
    game_id: str | None, form: str, database: str | None, settings_file: Path | None, *, whole: bool
) -> None:
    """Write the stored game GAME_ID to the standard output; `tablescore games` lists the ids.

    With --all instead of an id all finished games are written: csv has a row a player, json the
    players, each game's sheet and its events. Of several databases the first that exists is meant.
    """
    if whole != (game_id is None) or (whole and form not in get_args(WholeFormat)):
        raise click.UsageError("Name one game, or give --all with --format csv or json.")
    with open_archives(database, settings_file) as archives:
        if game_id is None:
            for part in archives[0].export_all(cast("WholeFormat", form)) if archives else ():
                click.echo(part, nl=False)
            return
        for archive in archives:
            if archive.holds(game_id):
                if form == PHOTOS:
                    click.echo(archive.photos_zip(game_id), nl=False)
                else:
                    click.echo(archive.export(game_id, cast("ExportFormat", form)), nl=False)
                return
    raise UnknownGameError(game_id)
