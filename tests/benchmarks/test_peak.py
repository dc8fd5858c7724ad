"""The peak of a command's memory is its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.benchmarks.peak import peak_megabytes

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="only Linux tells a process's peak in /proc"
)


def test_a_command_tells_its_peak_and_not_its_parents() -> None:
    """A parent that holds much doesn't make its child larger."""
    ballast = bytearray(400_000_000)
    ballast[::4096] = b"x" * len(ballast[::4096])
    assert 5 < peak_megabytes("--help") < 300
    assert sys.getsizeof(ballast) >= 400_000_000


def test_a_command_that_fails_is_no_measurement() -> None:
    """A missing photo ends in an error, not in a small figure."""
    with pytest.raises(RuntimeError, match="ended with 1"):
        peak_megabytes("read", "no-such-photo.jpg")
