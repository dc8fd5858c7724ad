"""A hub's store and desk of each kind, empty."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.postgres import Cluster, find_programs, running_cluster
from tests.scoreboard.tournament.hub.halls import KEY, Hall, Ticking
from tests.scoreboard.tournament.storage.temporary import temporary_store


@pytest.fixture
def clock() -> Ticking:
    """A clock that ticks when it is looked at."""
    return Ticking()


@pytest.fixture
def store() -> Iterator[SqlHubStore]:
    """A store that needs no server."""
    with closing(temporary_store()) as opened:
        yield opened


@pytest.fixture
def service(store: SqlHubStore, clock: Ticking) -> TournamentService:
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
def other() -> Iterator[SqlHubStore]:
    """The store of another hub."""
    with closing(temporary_store()) as opened:
        yield opened


@pytest.fixture
def hall(store: SqlHubStore, clock: Ticking) -> Hall:
    """Two tables of four, round 1 under way."""
    return Hall(store, clock).begin()
