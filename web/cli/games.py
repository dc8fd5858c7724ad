"""The commands on stored games: listed, exported, deleted, backed up, restored, rebuilt.

The pages' libraries are loaded on first use.
"""
# ruff: noqa: PLC0415 -- see above: a second on a Raspberry Pi

from __future__ import annotations

import os.path
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final, cast, get_args

import click

from scoreboard.errors import NotOfferedError, StoreError, UnknownGameError
from scoreboard.message import message
from scoreboard.storage import holds_games, lock_database, open_store, restore_database
from scoreboard.table.ports import EventStore
from scoreboard.table.tournament_participation import KEPT_FOR_THE_EVENT
from web.cli.options import Refusal, games_options, same_games
from web.shared.clocks import utc_now
from web.shared.plan import DEMO_FILE, GAMES_FILE, advice_folder, chosen_settings, default_database
from web.shared.spreadsheet import as_csv
from web.table.history.archive import BIN_STAY, Archive, ExportFormat


def named_databases(database: str | None, settings_file: Path | None) -> tuple[str, ...]:
    """The given address, else one's own and the demo's. Raises SettingsError."""
    named = database or chosen_settings(settings_file).table.database
    return (named,) if named else (default_database(GAMES_FILE), default_database(DEMO_FILE))


@contextmanager
def open_archives(database: str | None, settings_file: Path | None) -> Iterator[list[Archive]]:
    """The stored games: of the given database, else one's own and then the demo's.

    A missing database holds no games, and is not created. Raises SettingsError if the settings
    cannot be used; StoreError if a database cannot be read.
    """
    with ExitStack() as opened:
        urls = filter(holds_games, named_databases(database, settings_file))
        yield [Archive(opened.enter_context(closing(open_store(url)))) for url in urls]


@click.command(epilog="Example: tablescore games")
@click.option("--bin", "in_bin", is_flag=True, help="List the deleted games that can come back.")
@games_options
def games(database: str | None, settings_file: Path | None, *, in_bin: bool) -> None:
    """List the stored games, newest first, those of the demo evening after your own.

    Each line has the id for `tablescore export`, when the game was opened, how far it is,
    and the players with their totals. One that cannot be read is damaged, or of a newer
    Tablescore: `tablescore export --format raw` still writes it, `tablescore delete` forgets it.

    With `--bin` each line has until when `tablescore delete --take-back` can put the game back.
    """
    with open_archives(database, settings_file) as archives:
        binned = [game for archive in archives for game in archive.bin()]
        listed = [game for archive in archives for game in archive.summaries()]
    for game in binned if in_bin else listed:
        totals = game.totals or [""] * len(game.players)
        players = ", ".join(
            f"{name} {total}".rstrip() for name, total in zip(game.players, totals, strict=True)
        )
        state = f"until {written(game.kept_until)}" if in_bin else f"{game.state:<10}"
        line = f"{game.game_id}  {written(game.opened_at):<16}  {game.title!s}  {state}  {players}"
        click.echo(line.rstrip())
    if in_bin:
        if not binned:
            click.echo("The bin is empty.", err=True)
    elif not listed:
        click.echo(f"No games are stored yet; {same_games('run')} opens the first.", err=True)
    if binned and not in_bin:
        listing = same_games("games", "--bin")
        click.echo(f"{len(binned)} more in the bin: {listing} lists them.", err=True)


def written(at: datetime | None) -> str:
    """A time as a line has it, in this machine's zone."""
    return "?" if at is None else f"{at.astimezone():%Y-%m-%d %H:%M}"


PHOTOS: Final = "photos.zip"


@click.command(epilog="Example: tablescore export GAME_ID --format txt > evening.txt")
@click.argument("game_id", required=False)
@click.option("--all", "whole", is_flag=True, help="All finished games, as csv.")
@click.option(
    "--format",
    "form",
    type=click.Choice([*get_args(ExportFormat), "csv", PHOTOS]),
    required=True,
    help="txt is the notation that `tablescore replay` reads; json is the sheet, and says what was "
    "done when and which device confirmed it; raw is what stands in the database, for a game that "
    "cannot be read; photos.zip are the photos behind its scores; csv has all games, a row a box.",
)
@games_options
def export(
    game_id: str | None, form: str, database: str | None, settings_file: Path | None, *, whole: bool
) -> None:
    """Write the stored game GAME_ID to the standard output; `tablescore games` lists the ids.

    With --all instead of an id all finished games are written. Of several databases the first that
    exists is meant.
    """
    if whole != (game_id is None) or whole != (form == "csv"):
        raise click.UsageError("Name one game, or give --all with --format csv.")
    with open_archives(database, settings_file) as archives:
        if game_id is None:
            for line in as_csv(archives[0].boxes()) if archives else ():
                click.echo(line, nl=False)
            return
        for archive in archives:
            if archive.holds(game_id):
                if form == PHOTOS:
                    click.echo(archive.photos_zip(game_id), nl=False)
                else:
                    click.echo(archive.export(game_id, cast("ExportFormat", form)), nl=False)
                return
    raise UnknownGameError(game_id)


@contextmanager
def store_of(databases: Sequence[str], game_id: str) -> Iterator[EventStore]:
    """The store that has the game, in the list or in the bin; no table plays with it meanwhile.

    Raises UnknownGameError if none of the databases has it; NotOfferedError if it belongs to an
    event that the table takes part in; StoreError if a table plays with the database, or it
    cannot be read or written.
    """
    from web.table.play.tournament import tournament_games

    for url in filter(holds_games, databases):
        with closing(open_store(url)) as store:
            found = Archive(store).holds(game_id)
        if found and game_id in tournament_games(url):
            raise NotOfferedError(KEPT_FOR_THE_EVENT)
        if found:
            with lock_database(url), closing(open_store(url)) as store:
                yield store
            return
    raise UnknownGameError(game_id)


@click.command(epilog="Example: tablescore delete GAME_ID")
@click.argument("game_id")
@click.option("--for-good", is_flag=True, help="Do not put it into the bin, or out of the bin.")
@click.option("--take-back", is_flag=True, help="Put it from the bin back into the list.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@games_options
def delete(  # noqa: PLR0913 -- one an option
    game_id: str,
    database: str | None,
    settings_file: Path | None,
    *,
    for_good: bool,
    take_back: bool,
    yes: bool,
) -> None:
    """Put the stored game GAME_ID into the bin, also one that cannot be read.

    There it can be taken back for seven days; the table's next start after them deletes it for
    good. A table that plays with the database must be stopped first, or delete the game on its
    page.
    """
    if for_good and take_back:
        raise Refusal("--for-good and --take-back contradict each other: give one of them.")
    databases = named_databases(database, settings_file)
    if not (take_back or yes):
        where = "for good" if for_good else "into the bin"
        click.confirm(f"Delete {game_id} {where}?", abort=True, err=True)
    with store_of(databases, game_id) as store:
        if take_back:
            store.take_back(game_id)
        elif for_good:
            store.delete(game_id)
        else:
            now = utc_now()
            store.put_in_bin(game_id, now)
            click.echo(
                f"{game_id} is in the bin until {written(now + BIN_STAY)}; "
                f"{same_games('delete', '--take-back', game_id)} puts it back."
            )


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
@games_options
def backup(place: Path, keep: int | None, database: str | None, settings_file: Path | None) -> None:
    """Write all stored games into the new FILE, also while a table plays.

    A table makes backups at each game's end and keeps the newest five, in a folder next to
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
    url = named_databases(database, settings_file)[0]
    if not holds_games(url):
        raise StoreError(message("No games are kept in {name}.", name=url))
    with closing(open_store(url)) as store:
        store.copy_to(file)
        listed, binned = store.count(), store.count(in_bin=True)
    click.echo(f"{file}: {listed} games{f', {binned} more in the bin' if binned else ''}.")
    if keep is not None:
        whole = sorted(each for each in before if each.suffix == ".sqlite3")
        # The new one stays though the clock was set back: the others are newer by their names
        for old in {*before} - {*whole[max(0, len(whole) - keep + 1) :]}:
            old.unlink()


@click.command(epilog="Example: tablescore restore /media/stick/games-in-may.sqlite3")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@games_options
def restore(file: Path, database: str | None, settings_file: Path | None) -> None:
    """Put the games of the backup FILE in the place of the stored ones, while no table runs.

    The backup is checked first; the file that it replaces is kept under another name.
    """
    url = named_databases(database, settings_file)[0]
    kept = restore_database(url, file)
    with closing(open_store(url)) as store:
        listed, binned = store.count(), store.count(in_bin=True)
    click.echo(f"{listed} games are stored now.")
    if binned:
        click.echo(
            f"{binned} more in the bin: {same_games('games', '--bin')} lists them. The table "
            "deletes those of more than seven days ago at its start; "
            f"{same_games('delete', '--take-back', 'GAME_ID')} keeps one."
        )
    if kept is not None:
        click.echo(f"What was there before is kept as {kept}.")


@click.command(epilog="Example: tablescore rebuild")
@games_options
def rebuild(database: str | None, settings_file: Path | None) -> None:
    """Replay all stored games and work out the players' figures anew, also while a table plays.

    A table does this for each game that it lacks. Names of sets of dice are kept.
    """
    from web.table.history.statistics import work_out

    for url in filter(holds_games, named_databases(database, settings_file)):
        with closing(open_store(url)) as store:
            ids = [header.game_id for header in reversed(store.headers())]
            played, name = work_out(store, ids, advice_folder()), url.rpartition("/")[2]
            with click.progressbar(played, len(ids), name, file=sys.stderr) as steps:
                unread = sum(not is_read for _, is_read in steps)
            more = f"; {unread} cannot be read" if unread else ""
            click.echo(f"{len(ids) - unread} games are worked out{more}.")
