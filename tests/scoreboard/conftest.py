"""What the stores' tests share: a PostgreSQL server, and an address of each kind of store."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scoreboard.storage import SqlStore, open_store
from tests.postgres import Cluster, find_programs, running_cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A running server of the tests' own."""
    programs = find_programs()
    if programs is None:
        pytest.skip("no PostgreSQL on this machine: install the package postgresql")
    with running_cluster(programs) as running:
        yield running


@pytest.fixture
def postgresql(cluster: Cluster) -> str:
    """The address of a database on the server that has no rows yet."""
    return cluster.emptied_address()


@pytest.fixture(scope="session")
def made_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with all tables and no rows: making them would take most of the time of a test."""
    path = tmp_path_factory.mktemp("made") / "games.db"
    open_store(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def sqlite(made_file: Path, tmp_path: Path) -> str:
    """The address of a file that has no rows yet."""
    return f"sqlite:///{shutil.copy(made_file, tmp_path)}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """The address of an empty database of each kind that outlives its store."""
    return str(request.getfixturevalue(request.param))


@pytest.fixture
def store(database: str) -> Iterator[SqlStore]:
    """An empty store of each kind of database."""
    with closing(open_store(database)) as opened:
        yield opened


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """The address of an empty store of each kind."""
    if request.param == "memory":
        return "memory:"
    return str(request.getfixturevalue(request.param))
