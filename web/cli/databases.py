"""Commands on a database of games while no page is open: list, delete, back up, restore.

The database's library and the hub's client are loaded on first use.
"""
# ruff: noqa: PLC0415 -- see above: a second on a Raspberry Pi

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from scoreboard.errors import NotOfferedError, StoreError, UnknownGameError
from scoreboard.message import message
from scoreboard.table.ports import EventStore
from scoreboard.table.tournament_participation import KEPT_FOR_THE_EVENT
from web.shared.plan import DEMO_FILE, GAMES_FILE, chosen_settings, default_database
from web.table.history.archive import Archive


def named_databases(database: str | None, settings_file: Path | None) -> tuple[str, ...]:
    """The given address, else one's own and then the demo's.

    Raises:
        SettingsError: the settings cannot be used.
    """
    named = database or chosen_settings(settings_file).table.database
    return (named,) if named else (default_database(GAMES_FILE), default_database(DEMO_FILE))


@contextmanager
def open_archives(database: str | None, settings_file: Path | None) -> Iterator[list[Archive]]:
    """The stored games: of the given database, else one's own and then the demo's.

    A missing database holds no games, and is not created.

    Raises:
        SettingsError: the settings cannot be used.
        StoreError: a database cannot be read.
    """
    from scoreboard.storage import holds_games, open_store

    with ExitStack() as opened:
        archives = []
        for url in filter(holds_games, named_databases(database, settings_file)):
            store = opened.enter_context(closing(open_store(url)))
            archives.append(Archive(store))
        yield archives


def newest_rows(url: str, most: int) -> str:
    """The rows of a database's newest game: JSON, its header and then its last events.

    At most that many events, a line each; "" without games.

    Raises:
        StoreError: the database cannot be read.
    """
    from scoreboard.storage import holds_games, open_store

    if not holds_games(url):
        return ""
    with closing(open_store(url)) as store:
        newest = store.games(0, 1)
        header, *events = (
            store.raw(newest[0].game_id).splitlines(keepends=True) if newest else ("",)
        )
        return "".join((header, *events[-most:]))


@dataclass(frozen=True, slots=True)
class Counted:
    """How many games there are in the list, and how many in the bin."""

    listed: int
    binned: int

    def __str__(self) -> str:
        """For the command line."""
        more = f", {self.binned} more in the bin" if self.binned else ""
        return f"{self.listed} games{more}"


def back_up_games(url: str, file: Path) -> Counted:
    """Write all games of a database, of a running table's too, into a new file; how many.

    Raises:
        StoreError: there are none, a server keeps them, or the file cannot be written.
    """
    from scoreboard.storage import holds_games, open_store

    if not holds_games(url):
        raise StoreError(message("No games are kept in {name}.", name=url))
    with closing(open_store(url)) as store:
        store.copy_to(file)
        return Counted(store.count(), store.count(in_bin=True))


def restore_games(url: str, backup: Path) -> tuple[Counted, Path | None]:
    """Put a backup in a database's place; how many games it has, and where the replaced file is.

    Raises:
        SchemaError: the backup is damaged, or no database of games.
        StoreError: a table plays with the database, a server keeps it, or it cannot be written.
    """
    from scoreboard.storage import open_store, restore_database

    kept = restore_database(url, backup)
    with closing(open_store(url)) as store:
        return Counted(store.count(), store.count(in_bin=True)), kept


@contextmanager
def store_of(databases: Sequence[str], game_id: str) -> Iterator[EventStore]:
    """The store that has the game, in the list or in the bin; no table plays with it meanwhile.

    Raises:
        UnknownGameError: none of the databases has it.
        NotOfferedError: it belongs to an event that the table takes part in.
        StoreError: a table plays with the database, or it cannot be read or written.
    """
    from scoreboard.storage import holds_games, lock_database, open_store
    from web.table.play.event import event_games

    for url in filter(holds_games, databases):
        with closing(open_store(url)) as store:
            found = Archive(store).holds(game_id)
        if found and game_id in event_games(url):
            raise NotOfferedError(KEPT_FOR_THE_EVENT)
        if found:
            with lock_database(url), closing(open_store(url)) as store:
                yield store
            return
    raise UnknownGameError(game_id)


@contextmanager
def reserved_database(url: str) -> Iterator[None]:
    """Be the only table of this database, which is proven to be usable.

    Raises:
        StoreError: another table plays with it, or it cannot be made, read or written.
        SchemaError: it is not of this version.
    """
    from scoreboard.storage import lock_database, open_store

    with lock_database(url):
        open_store(url).close()
        yield
