"""`tablescore backup`: all stored games in one file."""

from __future__ import annotations

import os.path
import re
from pathlib import Path
from typing import Final

import click

from web.cli.databases import back_up_games, named_databases
from web.cli.options import Refusal, database_option, settings_option
from web.shared.clocks import utc_now

# Of a file that --keep wrote, and what follows where a power cut broke it off
NAME: Final = re.compile(r"games-\d{4}-\d\d-\d\d-\d{6}\.sqlite3(\.new(-wal|-shm|-journal)?)?")


@click.command(epilog="Example: tablescore backup /media/stick/games-in-may.sqlite3")
@click.argument("place", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="N",
    help="FILE is a folder: write a file of today's date and time there, and keep the newest N.",
)
@database_option
@settings_option
def backup(place: Path, keep: int | None, database: str | None, settings_file: Path | None) -> None:
    """Write all stored games into the new FILE, also while a table plays.

    A table makes backups by itself at each game's end and keeps the newest five, in a folder beside
    the database. With --keep a folder that is absent, as a stick's that is unplugged, is no fault.
    Games on a PostgreSQL server are backed up with pg_dump.
    """
    # A stick that is mounted on demand answers with faults, which Path hands on
    is_folder = os.path.isdir(place)  # noqa: PTH112 -- as above
    if keep is None and is_folder:
        raise Refusal(f"{place} is a folder: name a file in it, or say how many with --keep.")
    if keep is not None and not is_folder:
        click.echo(
            f"No backup this time: the folder {place} is not there. Is its stick plugged in?"
        )
        return
    now = utc_now().astimezone()
    file = place if keep is None else place / f"games-{now:%Y-%m-%d-%H%M%S}.sqlite3"
    before = [] if keep is None else [each for each in place.iterdir() if NAME.fullmatch(each.name)]
    games = back_up_games(named_databases(database, settings_file)[0], file)
    click.echo(f"{file}: {games}.")
    if keep is not None:
        whole = sorted(each for each in before if each.suffix == ".sqlite3")
        # The new one stays though the clock was set back: the others are newer by their names
        for old in {*before} - {*whole[max(0, len(whole) - keep + 1) :]}:
            old.unlink()
