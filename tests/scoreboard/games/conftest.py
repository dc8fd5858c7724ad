"""What the laws of games share."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module", params=["half", pytest.param("other half", marks=pytest.mark.slow)])
def in_halves() -> None:
    """Run each law twice, with other examples: once in `make test`, once in `make test-slow`."""
