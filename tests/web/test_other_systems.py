"""Windows and macOS, as far as a Linux machine can stand for them: see `other_system`.

What docs/reference/systems.md says of them is what these tests hold it to.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from scoreboard.storage import open_store
from tests.patience import PATIENCE_SECONDS
from tests.web.process import NEW_GAME, RunningProcess

ROOT = Path(__file__).parents[2]
OTHER = (sys.executable, "-m", "tests.web.other_system")
PHOTO = "hardware/cameras/demo_evening/turn05/throw0/06.webp"
READ = [0, f"{PHOTO}: 11234\n"]


def test_every_command_works_on_windows(tmp_path: Path) -> None:
    """Photographs are read and games kept; no file that is open is replaced."""
    games, copy = f"sqlite:///{tmp_path}/games.sqlite3", str(tmp_path / "copy.sqlite3")
    with closing(open_store(games)):
        pass
    commands = (
        ["--help"],
        ["hub", "--workers", "2", "--database", "postgresql://h/league"],
        ["read", PHOTO],
        ["backup", copy, "--database", games],
        ["restore", copy, "--database", games],
        ["games", "--database", games],
        ["replay", "tests/playthroughs/duel.txt"],
        ["watch", "tests/vision/clips/turn.mp4"],
    )
    ended = subprocess.run(
        [*OTHER, "win32", json.dumps(commands)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_SECONDS,
        check=True,
    )
    missing, [helped, hub, read, *others] = json.loads(ended.stdout)
    assert (missing, helped[0]) == ([], 0)
    assert hub == [1, "Windows serves with one process: leave --workers out.\n"]
    assert read == READ
    assert [each[0] for each in others] == [0] * 5, others


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_everything_loads_elsewhere_and_it_serves_a_table(system: str, tmp_path: Path) -> None:
    """Without pins and what only Linux's sockets and processes know; Windows forks none at all."""
    commands = json.dumps([["--help"], ["read", PHOTO]])
    games = f"sqlite:///{tmp_path}/games.sqlite3"
    under = (*OTHER, system, commands)
    table = RunningProcess("--camera", "upload", "--database", games, under=under)
    try:
        table.wait_until_listening()
        missing, [helped, read] = json.loads(table.printed.splitlines()[0])
        assert (missing, helped[0], read) == ([], 0, READ)
        assert table.ask("/setup", NEW_GAME).status == 303
        assert "North" in table.ask("/").body
        table.process.send_signal(signal.SIGINT)
        assert table.process.wait(PATIENCE_SECONDS) == 0
    finally:
        table.end()
