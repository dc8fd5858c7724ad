"""A hub's store and desk of each kind, empty."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.storage.hub_store import SqlHubStore
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


@pytest.fixture
def other() -> Iterator[SqlHubStore]:
    """The store of another hub."""
    with closing(temporary_store()) as opened:
        yield opened


@pytest.fixture
def hall(store: SqlHubStore, clock: Ticking) -> Hall:
    """Two tables of four, round 1 under way."""
    return Hall(store, clock).begin()
