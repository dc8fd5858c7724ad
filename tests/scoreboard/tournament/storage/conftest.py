"""A hub's store of each kind, empty."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from scoreboard.tournament.hub.ports import HubStore
from scoreboard.tournament.storage import open_hub_store


@pytest.fixture
def hub(url: str) -> Iterator[HubStore]:
    """Each kind of store, under the contract that all of them keep."""
    with closing(open_hub_store(url)) as opened:
        yield opened
