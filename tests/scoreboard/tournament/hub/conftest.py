"""A hub's store and desk of each kind, empty."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scoreboard.tournament.hub.ports import HubStore
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.storage import open_hub_store
from tests.postgres import Cluster, find_programs, running_cluster
from tests.scoreboard.tournament.hub.clocks import Ticking
from tests.scoreboard.tournament.hub.events import KEY


@pytest.fixture
def clock() -> Ticking:
    """A clock that ticks when it is looked at."""
    return Ticking()


@pytest.fixture(scope="session")
def made_hub(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with all tables and no rows."""
    path = tmp_path_factory.mktemp("made") / "hub.db"
    open_hub_store(f"sqlite:///{path}").close()
    return path


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, made_hub: Path, tmp_path: Path) -> Iterator[HubStore]:
    """A store that needs no server."""
    url = "memory:"
    if request.param == "sqlite":
        url = f"sqlite:///{shutil.copy(made_hub, tmp_path)}"
    with closing(open_hub_store(url)) as opened:
        yield opened


@pytest.fixture
def service(store: HubStore, clock: Ticking) -> TournamentService:
    """A desk over the store."""
    return TournamentService(store, clock, KEY)


@pytest.fixture(scope="session")
def hub_cluster() -> Iterator[Cluster]:
    """A running server of PostgreSQL of the tests' own."""
    programs = find_programs()
    if programs is None:
        pytest.skip("no PostgreSQL on this machine: install the package postgresql")
    with running_cluster(programs) as running:
        yield running


@pytest.fixture
def postgresql(hub_cluster: Cluster) -> str:
    """The address of a database on the server that has no rows yet."""
    return hub_cluster.emptied_address()


@pytest.fixture
def other() -> Iterator[HubStore]:
    """The store of another hub."""
    with closing(open_hub_store("memory:")) as opened:
        yield opened
