"""The text that the owner of a table sends in."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.benchmarks.harness import Work, spread
from tests.benchmarks.measure import (
    ALL_CORES,
    MANY_DICE,
    MANY_TILES,
    Findings,
    kernel_number,
    page,
    works,
)
from tests.benchmarks.watching import READING, STILL, TRAY_GREY, WatchingCost

ROOT = Path(__file__).parents[2]
ONLY_WITHOUT = """
import sys
class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Refused())
import tests.benchmarks.measure
"""
PACKAGES = {
    "argon2-cffi": "argon2",
    "import-linter": "importlinter",
    "pytest-cov": "pytest_cov",
}


def test_it_needs_what_the_table_needs_and_no_more() -> None:
    """`make run` sets up no test's or training's library, and it measures all the same."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = project["optional-dependencies"].values()
    named = {re.split(r"[^\w-]", text)[0] for group in groups for text in group}
    names = {PACKAGES.get(name, name.replace("-", "_")) for name in named}
    assert {"pytest", "playwright", "torch", "onnx", "argon2"} <= names
    script = ONLY_WITHOUT.format(names=names)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def work() -> dict[str, Work]:
    """All that is timed."""
    return works()


def test_all_that_it_times_can_be_run(work: dict[str, Work]) -> None:
    """Five dice, thirty-two, twenty-eight tiles, and each stage of watching."""
    assert list(work)[:4] == [READING, MANY_DICE, ALL_CORES, MANY_TILES]
    for each in work.values():
        each()


def test_the_text_has_every_figure_and_nobodys_name(work: dict[str, Work]) -> None:
    """The machine and its software are named; its owner, its name and its addresses are not."""
    stages = {name: [float(at), at + 1.0, at + 2.0] for at, name in enumerate(work)}
    text = page(Findings(stages, [12.0, 14.0, 99.0], (41.2, None)))
    for name in work:
        assert f"| {name} |" in text
    assert "14.00 (" in text
    assert "41 °C and unknown" in text
    for secret in (socket.gethostname(), str(Path.home()), str(ROOT)):
        assert secret not in text
    assert kernel_number("6.12.25+rpt-Ann") == "6.12.25"


def test_rest_is_five_small_frames_a_second(work: dict[str, Work]) -> None:
    """And the health once."""
    figures = {name: spread([1.0]) for name in work}
    figures |= {TRAY_GREY: spread([0.5]), STILL: spread([0.5])}
    assert WatchingCost(figures).second_at_rest == 5 * (0.5 + 0.5) + 1
