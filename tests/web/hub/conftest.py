"""A hub, and its director's browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.hub.house import Browser, Hall


@pytest.fixture
def hall() -> Iterator[Hall]:
    """A hub that is closed after the test."""
    made = Hall()
    yield made
    made.store.close()


@pytest.fixture
def director(hall: Hall) -> Browser:
    """The director's browser."""
    return hall.browser("director")
