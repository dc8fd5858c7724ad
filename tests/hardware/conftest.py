"""What the tests of install.sh share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hardware.machine import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine on which nothing is installed."""
    return Machine(tmp_path)
