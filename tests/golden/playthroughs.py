"""Every playthrough: what it comes to, and what is exported of it once it is stored."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from tests.golden.commands import ROOT, invoke, tablescore
from tests.golden.seams import fill_store

FOLDER: Final = ROOT / "tests" / "playthroughs"
FORMATS: Final = ("raw", "json", "txt")


def texts() -> dict[str, str]:
    """The playthroughs by their names."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.txt"))}


def write_playthroughs(folder: Path, scratch: Path) -> None:
    """Replay each, store each, export each."""
    folder.mkdir(parents=True)
    games = texts()
    database = scratch / "playthroughs.db"
    fill_store(database, games)
    for name in games:
        told = invoke("replay", "--json", str(FOLDER / f"{name}.txt"))
        (folder / f"{name}.summary.json").write_text(told, encoding="utf-8")
    write_exports(folder, database)


def write_exports(folder: Path, database: Path) -> None:
    """The list of a database's games and each game in each format; then all its tables."""
    url = f"sqlite:///{database}"
    folder.mkdir(parents=True, exist_ok=True)
    listed = tablescore("games", "--database", url).replace(str(database), "DATABASE")
    (folder / "games.txt").write_text(listed, encoding="utf-8")
    for game_id in _game_ids(database):
        for form in FORMATS:
            text = invoke("export", game_id, "--format", form, "--database", url)
            (folder / f"{game_id}.{form}").write_text(text, encoding="utf-8")
    (folder / "tables.sql").write_text("".join(_tables(database)), encoding="utf-8")


def _game_ids(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return [str(row[0]) for row in connection.execute("SELECT game_id FROM games")]


def _tables(database: Path) -> Iterator[str]:
    """The database as SQL, with the marks by which Tablescore knows its files."""
    with closing(sqlite3.connect(database)) as connection:
        for mark in ("application_id", "user_version"):
            yield f"-- {mark} {connection.execute(f'PRAGMA {mark}').fetchone()[0]}\n"
        yield from (f"{line}\n" for line in connection.iterdump())
