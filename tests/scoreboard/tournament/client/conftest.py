"""A whole table at an event, for the tests of what it keeps and sends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scoreboard.tournament.client.fakes import BadWay, FakeHub
from tests.scoreboard.tournament.client.party import EventTable, table


@pytest.fixture
def way() -> BadWay:
    """A way to a hub that seats two for two games."""
    return BadWay(FakeHub())


@pytest.fixture
def party(tmp_path: Path, way: BadWay) -> Iterator[EventTable]:
    """A table that has joined."""
    with table(tmp_path, way) as joined:
        joined.join()
        yield joined
