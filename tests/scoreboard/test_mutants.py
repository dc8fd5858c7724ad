"""The mutation check: twenty small faults in the rulebooks, each noticed by some test."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scoreboard.mutants import Mutant, drawn

ROOT = Path(__file__).parent.parent.parent
RULEBOOKS = [
    *sorted((ROOT / "scoreboard/games").glob("[!_]*.py")),
    *(
        ROOT / "scoreboard" / name
        for name in (
            "yacht/hands.py",
            "yacht/totals.py",
            "yacht/jokers.py",
            "yacht/yahtzee_card.py",
            "yacht/rules.py",
            "yacht/turns.py",
            "rummikub/sets.py",
            "rummikub/referee.py",
            "rummikub/stories.py",
            "rummikub/box.py",
            "rummikub/domains.py",
            "rummikub/following.py",
            "rummikub/moving.py",
            "rummikub/racks.py",
            "rummikub/rules.py",
            "rummikub/scoring.py",
            "rummikub/starting.py",
            "rummikub/state.py",
            "tongtong/domains.py",
            "tongtong/mission.py",
            "tongtong/piles.py",
            "tongtong/ranking.py",
            "tongtong/refusals.py",
            "tongtong/rules.py",
            "tongtong/state.py",
            "tongtong/trick.py",
        )
    ),
]
DICE, OTHERS = "tests/scoreboard/games", ("rummikub", "tongtong")
COUNT, SEED = 20, 7
PATIENCE_SECONDS = 120
# What is without fault ends, however busy the machine is.
PATIENCE_WITHOUT_FAULT_SECONDS = 900
# That a law is broken is enough here: by the smallest example, or told at length, is not asked.
SWIFT = """
from hypothesis import Phase, settings
swift = settings(phases=[Phase.explicit, Phase.generate], max_examples=30, deadline=None)
settings.register_profile("swift", swift)
settings.load_profile("swift")
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scoreboard and its tests, to put faults into."""
    root = tmp_path_factory.mktemp("mutants")
    for folder in ("scoreboard", "tests/scoreboard"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "tests/__init__.py").write_text('"""Tests."""\n', encoding="utf-8")
    (root / "tests/conftest.py").write_text(SWIFT, encoding="utf-8")
    return root


def folder_of(file: Path) -> str:
    """The tests of the rulebook that a file belongs to."""
    name = next((name for name in OTHERS if name in {*file.parts, file.stem}), None)
    return DICE if name is None else f"tests/scoreboard/{name}"


def swift_first(root: Path, folder: str) -> list[str]:
    """A folder's files of tests: tables in notation before laws, which try many games."""
    files = (root / folder).glob("test_*.py")
    ordered = sorted(files, key=lambda file: ("laws" in file.stem, "golden" in file.stem, file))
    return [str(file.relative_to(root)) for file in ordered]


def notices(root: Path, *folders: str, patience: float = PATIENCE_SECONDS) -> bool:
    """Whether a test of these folders fails there, or has not ended when patience has."""
    tests = [file for folder in folders for file in swift_first(root, folder)]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command += ["-p", "no:randomly"]  # else the order would be lost
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ended = subprocess.run(
            [*command, *tests],
            cwd=root,
            env=environment,
            capture_output=True,
            check=False,
            timeout=patience,
        )
    except subprocess.TimeoutExpired:  # a fault by which a game never ends is noticed, too
        return True
    assert ended.returncode in {0, 1, 2}, ended.stdout.decode()
    return ended.returncode != 0


def test_the_copy_itself_is_without_fault(copy: Path) -> None:
    """Else every mutant would seem to be noticed."""
    folders = DICE, *(f"tests/scoreboard/{name}" for name in OTHERS)
    assert not notices(copy, *folders, patience=PATIENCE_WITHOUT_FAULT_SECONDS)


@pytest.mark.parametrize("mutant", drawn(RULEBOOKS, ROOT, COUNT, SEED), ids=str)
def test_a_fault_in_a_rulebook_is_noticed(mutant: Mutant, copy: Path) -> None:
    """A bound, a sum or a condition changed: some test fails."""
    file = copy / mutant.file
    kept = file.read_text(encoding="utf-8")
    file.write_text(mutant.text, encoding="utf-8")
    try:
        assert notices(copy, folder_of(mutant.file)), f"{mutant}: no test noticed"
    finally:
        file.write_text(kept, encoding="utf-8")
