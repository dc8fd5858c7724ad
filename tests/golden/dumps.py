"""All dumps together, and the digests of them that the repository keeps.

Among them are databases of every schema that was ever released, opened by the code of today:
`databases/NNNN.sql` is what the step to schema N makes and what a Tablescore of then keeps in it. A
database of schema 3 is the first three files, one after another. They were written once and stay as
they are: a new schema adds a file.
"""

from __future__ import annotations

import filecmp
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final

from scoreboard.storage import open_store
from tests.golden.evenings import write_events
from tests.golden.event import DIRECTOR, PAGES, PASSWORD, Place, write_event_exports
from tests.golden.playthroughs import write_exports, write_playthroughs
from tests.golden.seams import Clock, hub_app
from tests.golden.table_pages import write_table_pages
from tests.golden.visitor import Visitor

EXACT: Final = ("playthroughs", "databases", "events")  # and no wording in them
TEXTS: Final = "pages"  # what people read: their wording changes on purpose
READINGS: Final = "readings"
DIGESTS: Final = Path(__file__).with_name("digests.txt")
READ: Final = Path(__file__).with_name("readings.txt")


def write_exact(folder: Path) -> None:
    """Write the dumps that a command line and a hub make; pages of the hub fall out beside them."""
    with tempfile.TemporaryDirectory() as scratch:
        write_playthroughs(folder / "playthroughs", Path(scratch))
        write_databases(folder, Path(scratch))
        write_events(folder, Path(scratch))


def write_all(folder: Path) -> None:
    """Write every dump anew but the readings."""
    for part in (*EXACT, TEXTS):
        shutil.rmtree(folder / part, ignore_errors=True)
    write_exact(folder)
    with tempfile.TemporaryDirectory() as scratch:
        write_table_pages(folder / TEXTS / "table", Path(scratch))


def digests_of(folder: Path) -> dict[str, str]:
    """A digest of each exact dump by its name."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()[:32]
        for part in EXACT
        for path in sorted((folder / part).rglob("*"))
        if path.is_file()
    }


def kept_digests() -> dict[str, str]:
    """The digests that the repository keeps."""
    lines = DIGESTS.read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split("  ", 1) for line in lines)}


def keep_digests(folder: Path) -> None:
    """Keep the digests of these dumps in the repository."""
    lines = (f"{digest}  {name}\n" for name, digest in digests_of(folder).items())
    DIGESTS.write_text("".join(lines), encoding="utf-8")


def differences(before: Path, after: Path, *, readings: bool) -> Iterator[str]:
    """A line for each dump that is not in both folders byte for byte."""
    parts = (*EXACT, TEXTS, *([READINGS] if readings else []))
    names = [
        {
            str(path.relative_to(folder))
            for part in parts
            for path in (folder / part).rglob("*")
            if path.is_file() and path.suffix != ".log"
        }
        for folder in (before, after)
    ]
    yield from (f"gone     {name}" for name in sorted(names[0] - names[1]))
    yield from (f"new      {name}" for name in sorted(names[1] - names[0]))
    for name in sorted(names[0] & names[1]):
        if not filecmp.cmp(before / name, after / name, shallow=False):
            yield f"changed  {name}"


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
