"""Without Chromium the browser tests stop the run; they are never skipped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ASKED = ("tests/web/test_words.py", "tests/web/browser")


@pytest.mark.slow
def test_a_missing_chromium_stops_the_run_before_the_first_test(tmp_path: Path) -> None:
    """Exit 2, and the Debian package by name."""
    environment = {**os.environ, "PATH": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *ASKED],
        cwd=ROOT,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 2
    assert "install Debian's package `chromium-headless-shell`" in run.stdout + run.stderr
    assert "passed" not in run.stdout
