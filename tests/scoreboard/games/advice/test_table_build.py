"""Tables that are made in the background: whole or not at all, and nothing is left running."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from scoreboard.games import DICE_GAMES
from scoreboard.games.advice.dice_values import file_name, load, model_of, why_off
from scoreboard.games.advice.table_build import TableBuild, write_table
from tests.patience import PATIENCE_SECONDS
from tests.scoreboard.games.advice.tables import vectors

CHASER = DICE_GAMES["chaser"]
YAMS = DICE_GAMES["yams"]
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for the processes")


def descendants(process: int) -> list[int]:
    """A process's children and theirs."""
    file = Path(f"/proc/{process}/task/{process}/children")
    children = [int(child) for child in file.read_text().split()] if file.exists() else []
    return [*children, *(each for child in children for each in descendants(child))]


def is_alive(process: int) -> bool:
    """Whether a process runs; one that nobody has waited for yet does not."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return text.rpartition(")")[2].split()[0] != "Z"


def wait_until(holds: Callable[[], bool]) -> None:
    """Look on until it holds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_table_is_made_as_it_comes_along(tmp_path: Path) -> None:
    """Two processes give what one gives, and the progress ends at 1."""
    model = model_of(CHASER, {})
    assert model is not None
    build = TableBuild(CHASER, {}, tmp_path / "advice")
    assert build.wait()
    assert (build.progress, build.is_running) == (1, False)
    build.close()
    (file,) = (tmp_path / "advice").iterdir()
    assert file.name == file_name(CHASER, model)
    shipped = load(CHASER, {})
    assert shipped is not None
    assert np.load(file) == pytest.approx(shipped.table, abs=1e-3)


def test_a_build_that_fails_says_so(tmp_path: Path) -> None:
    """Nothing can be written into a file: it ends, and the progress stays below 1."""
    (tmp_path / "advice").write_text("in the way")
    build = TableBuild(CHASER, {}, tmp_path / "advice")
    assert not build.wait()
    assert (build.progress < 1, build.is_running) == (True, False)


@on_linux
@pytest.mark.parametrize("how", ["closed", "killed"])
def test_what_is_stopped_leaves_nothing(tmp_path: Path, how: str) -> None:
    """Neither a broken file nor a process is left, also when it is killed in the midst of it."""
    build = TableBuild(YAMS, {}, tmp_path)
    wait_until(lambda: build.progress > 0)
    processes = [build._process.pid, *descendants(build._process.pid)]
    assert len(processes) > 2
    if how == "closed":
        build.close()
    else:
        os.kill(build._process.pid, signal.SIGKILL)
    assert not build.wait()
    wait_until(lambda: not any(map(is_alive, processes)))
    assert list(tmp_path.iterdir()) == []
    assert load(YAMS, {}, tmp_path) is None


def test_what_a_killed_writer_left_is_cleared_away(tmp_path: Path) -> None:
    """A part of a file from an hour ago is nobody's; a fresh one may be another process's."""
    model = model_of(CHASER, {})
    assert model is not None
    old, fresh = tmp_path / "old.1.part", tmp_path / "fresh.2.part"
    for part in (old, fresh):
        part.write_bytes(b"half a table")
    os.utime(old, (time.time() - 7200, time.time() - 7200))
    write_table(CHASER, model, np.zeros(model.positions), tmp_path)
    assert {each.name for each in tmp_path.iterdir()} == {fresh.name, file_name(CHASER, model)}


@pytest.mark.slow
def test_yams_is_worth_what_the_independent_solver_says(tmp_path: Path) -> None:
    """The whole table, to the hundredth in which it is kept; half a minute of two processors."""
    assert TableBuild(YAMS, {}, tmp_path).wait()
    values = load(YAMS, {}, tmp_path)
    assert values is not None
    assert why_off(YAMS, {}, tmp_path) is None
    for vector in vectors()["yams", "small_straight=40"]:
        assert values.of(vector.card) == pytest.approx(vector.worth, abs=0.01), vector.card
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size < 19_000_000
