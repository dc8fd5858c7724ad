"""Databases of every schema that was ever released, opened by the code of today.

`databases/NNNN.sql` is what the step to schema N makes and what a Tablescore of then keeps in it:
a database of schema 3 is the first three files, one after another. They were written once and stay
as they are: a new schema adds a file.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from scoreboard.storage import open_store
from tests.golden.event import DIRECTOR, PAGES, PASSWORD, Place, write_event_exports
from tests.golden.playthroughs import write_exports
from tests.golden.seams import Clock, hub_app
from tests.golden.visitor import Visitor

STEPS: Final = Path(__file__).with_name("databases")
APPLICATION_ID: Final = 0x7AB1E5C0  # by which Tablescore knows its files
FIRST_WITH_HUB: Final = 2


def versions() -> list[int]:
    """The schemas there have been."""
    return sorted(int(path.stem) for path in STEPS.glob("*.sql"))


def make_database(path: Path, version: int) -> None:
    """A database as a Tablescore of that schema left it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for step in range(1, version + 1):
            script = (STEPS / f"{step:04}.sql").read_text(encoding="utf-8")
            connection.executescript(f"BEGIN;\n{script}\nCOMMIT;")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")


def write_databases(folder: Path, scratch: Path) -> None:
    """Open each, and write its games and the events of its hub."""
    for version in versions():
        database = scratch / f"schema-{version}.db"
        make_database(database, version)
        open_store(f"sqlite:///{database}").close()  # says where it keeps the file of before
        write_exports(folder / "databases" / str(version), database)
        if version >= FIRST_WITH_HUB:
            _write_hub(folder, database, version)


def _write_hub(folder: Path, database: Path, version: int) -> None:
    clock = Clock()
    with hub_app(database, clock) as app:
        hub = Visitor(app, clock)
        hub.submit("/sign-in", "/sign-in", name=DIRECTOR, password=PASSWORD)
        for event in _events(database):
            place = Place.of(folder, f"schema-{version}-{event}")
            write_event_exports(hub, f"/e/{event}", place)
            place.show(hub, "opened", PAGES, f"/e/{event}")


def _events(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT tournament_id FROM tournaments ORDER BY opened")
        return [str(row[0]) for row in rows]
