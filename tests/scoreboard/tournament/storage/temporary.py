"""A hub's store for a test that needs one of any kind."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, mkdtemp
from weakref import finalize

from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store


def temporary_store() -> SqlHubStore:
    """An empty store in SQLite; closed, and its folder gone, when nobody holds it any more."""
    folder = mkdtemp(prefix="tablescore-test-")
    path = Path(folder) / "hub.db"
    path.write_bytes(_empty_file())
    store = open_hub_store(f"sqlite:///{path}")
    finalize(store, rmtree, folder, ignore_errors=True)
    finalize(store, store._database.close)  # from here on nobody else can
    return store


@cache
def _empty_file() -> bytes:
    """A file with all tables and no rows: making them would take most of the time of a test."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "hub.db"
        open_hub_store(f"sqlite:///{path}").close()
        return path.read_bytes()
