"""A table's store in a file of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scoreboard.storage import SqlStore, open_store


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of a new database."""
    return f"sqlite:///{tmp_path}/games.db"


@pytest.fixture
def store(url: str) -> Iterator[SqlStore]:
    """An empty store."""
    with closing(open_store(url)) as kept:
        assert isinstance(kept, SqlStore)
        yield kept
