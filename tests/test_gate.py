"""The gate: the suite runs in parts, and its tests don't disturb each other."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
GOOD = "def test_good():\n    pass\n"
BAD = "def test_bad():\n    assert 1 + 1 == 3, 'sums go wrong'\n"
LOOP = "import asyncio\n\ndef test_loop():\n    asyncio.run(asyncio.sleep(0))\n"
UNSTEADY = """
from pathlib import Path

def test_good():
    pass

def test_disturbed():
    once = Path(__file__).with_suffix(".once")
    before = once.exists()
    once.touch()
    assert before, 'the others are too loud'
"""
BROKEN = "import sys; sys.exit('no browser here')\n"


@pytest.fixture(scope="module")
def runner() -> Iterator[ModuleType]:
    """The script that `make test` calls, as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / ".ci")
        yield importlib.import_module("run_tests")


def run(runner: ModuleType, folder: Path, *, again: bool = False, **files: str) -> int:
    """Run a part for each file, each with a test or two; the exit status."""
    parts = []
    for name, content in files.items():
        file = folder / f"test_{name}.py"
        file.write_text(content)
        arguments = ("-p", "no:cacheprovider", f"--rootdir={folder}", str(file))
        parts.append(runner.Part(name, arguments, again=again))
    status = runner.run(parts, seed=7)
    assert isinstance(status, int)
    return status


@pytest.mark.slow
def test_one_line_sums_all_parts(
    runner: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """If all pass, the last line counts the tests of every part."""
    assert run(runner, tmp_path, one=GOOD, other=GOOD) == 0
    assert capsys.readouterr().out.rstrip().rpartition("\n")[2].startswith("2 passed in ")


@pytest.mark.slow
def test_a_part_that_fails_fails_the_whole(
    runner: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A failure is shown with its output, named at the end, and counted."""
    assert run(runner, tmp_path, one=GOOD, other=BAD) == 1
    told = capsys.readouterr().out
    assert "sums go wrong" in told
    *_, named, alone, closing = told.splitlines()
    assert named.startswith("FAILED")
    assert "test_bad" in named
    assert ".ci/run_tests.py --seed=7 " in alone
    assert alone.endswith(f"{tmp_path.name}/test_other.py::test_bad")
    assert closing.startswith("1 failed, 1 passed in ")


@pytest.mark.slow
def test_a_part_that_never_counted_its_tests_fails_the_whole(
    runner: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A part that stops before its first test is an error, however many others passed."""
    assert run(runner, tmp_path, one=GOOD, other=BROKEN) == 1
    told = capsys.readouterr().out
    assert "no browser here" in told
    assert told.rstrip().rpartition("\n")[2].startswith("1 error, 1 passed in ")


@pytest.mark.slow
def test_what_others_can_disturb_runs_again_alone(
    runner: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What then passes is named as unsteady and passes; what is wrong fails both times."""
    assert run(runner, tmp_path, again=True, one=UNSTEADY) == 0
    *_, named, _, _, closing = capsys.readouterr().out.splitlines()
    assert named.startswith("UNSTEADY")
    assert "test_disturbed" in named
    assert closing.startswith("2 passed in ")
    assert run(runner, tmp_path, again=True, one=BAD) == 1
    assert capsys.readouterr().out.rstrip().rpartition("\n")[2].startswith("1 failed in ")


def test_no_test_is_in_two_parts_or_in_none(runner: ModuleType) -> None:
    """The last part leaves out the other parts' tests, and training, which has its own command."""
    *others, rest = runner.parts(runner.SLOW, coverage=True)
    left_out = {each.removeprefix("--ignore=") for each in rest.arguments if "--ignore" in each}
    run = {each for part in others for each in part.arguments if "tests/" in each}
    assert left_out == {*run, runner.TRAINING}
    assert all(runner.SLOW in pairwise(part.arguments) for part in (*others, rest))
    assert all((ROOT / each).exists() for each in left_out)


def test_what_is_missing_stops_the_run_before_it_starts(tmp_path: Path) -> None:
    """README's own command, where nothing can be fetched: exit 2, and the command to paste."""
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "bin").mkdir()
    python = Path(sys.executable).resolve()
    for name, program in (("make", "make"), ("sh", "sh"), ("python3", str(python))):
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(program)))
    (tmp_path / ".venv").symlink_to(sys.prefix)
    environment = {"PATH": str(tmp_path / "bin")}
    ended = subprocess.run(
        ["make", "test"],  # noqa: S607  on the path of above
        cwd=tmp_path,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 2
    assert "a browser" in ended.stderr
    assert "sudo apt install chromium-headless-shell" in ended.stderr
    assert "Running" not in ended.stdout


@pytest.mark.slow
def test_the_browser_leaves_no_loop_behind(tmp_path: Path) -> None:
    """In one process a test with its own event loop may follow a browser test."""
    file = tmp_path / "test_loop.py"
    file.write_text(LOOP)
    seen = "tests/web/browser/test_devices.py"
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "-p", "no:cacheprovider"),
            *(f"--rootdir={ROOT}", f"--config-file={ROOT / 'pyproject.toml'}"),
            f"{seen}::test_two_devices_show_the_same_and_act_in_turn",
            str(file),
            f"{seen}::test_a_second_tap_does_nothing",
        ],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert "3 passed" in ended.stdout, ended.stdout + ended.stderr
