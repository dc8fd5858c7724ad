"""A hub's store of each kind, empty."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store


@pytest.fixture
def hub(database: str) -> Iterator[SqlHubStore]:
    """Each kind of store, under the contract that all of them keep."""
    with closing(open_hub_store(database)) as opened:
        yield opened
