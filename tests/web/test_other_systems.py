"""Windows and macOS, as far as a Linux machine can stand for them: see `other_system`.

What docs/reference/systems.md says of them is what these tests hold it to.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from scoreboard.storage import open_store
from tests.patience import PATIENCE_SECONDS
from tests.web.process import NEW_GAME, RunningProcess

ROOT = Path(__file__).parents[2]
OTHER = (sys.executable, "-m", "tests.web.other_system")
PHOTO = "hardware/cameras/demo_evening/turn05/throw0/06.webp"
READ = [0, f"{PHOTO}: 11234\n"]


def test_all_but_the_pages_works_on_windows(tmp_path: Path) -> None:
    """Photographs are read and games kept; no file is locked, none that is open replaced."""
    games, copy = f"sqlite:///{tmp_path}/games.sqlite3", str(tmp_path / "copy.sqlite3")
    with closing(open_store(games)):
        pass
    commands = (
        ["--help"],
        ["run"],
        ["hub"],
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
    missing, [helped, run, hub, read, *others] = json.loads(ended.stdout)
    assert missing == ["web.shared.server: fcntl", "web.shared.worker: gunicorn"]
    assert helped[0] == 0
    for refused in (run, hub):
        assert refused[0] == 1
        assert "WSL 2 or Docker" in str(refused[1])
    assert read == READ
    assert [each[0] for each in others] == [0] * 5, others


def test_everything_loads_on_a_mac_and_it_serves_a_table(tmp_path: Path) -> None:
    """A Unix that runs gunicorn, without pins and what only Linux's sockets and processes know."""
    commands = json.dumps([["--help"], ["read", PHOTO]])
    games = f"sqlite:///{tmp_path}/games.sqlite3"
    under = (*OTHER, "darwin", commands)
    table = RunningProcess("--camera", "upload", "--database", games, under=under)
    try:
        table.wait_until_listening()
        missing, [helped, read] = json.loads(table.printed.splitlines()[0])
        assert (missing, helped[0], read) == ([], 0, READ)
        assert table.ask("/setup", NEW_GAME).status == 303
        assert "North" in table.ask("/").body
    finally:
        table.end()
