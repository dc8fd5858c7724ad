"""Hubs and tables as processes that are killed and started again in the same place."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.network.bad_way import BadWay
from tests.web.process import ROOT, RunningProcess


class HubProcess:
    """A real `tablescore hub` with a database in a folder; it comes back at the same port."""

    def __init__(self, folder: Path) -> None:
        self.database = f"sqlite:///{folder / 'hub.sqlite3'}"
        self.port = 0
        self.told = ""
        self._running: RunningProcess | None = None

    def start(self) -> None:
        place = ("--port", str(self.port), "--database", self.database)
        self._running = RunningProcess(*place, command="hub")
        self._running.wait_until_listening()
        self.port, self.told = self._running.port, self._running.printed

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._running is not None:
            self._running.end()
            self._running = None


@dataclass
class TableProcess:
    """A table at which everybody plays, behind a bad way; its clock is `hours` ahead."""

    folder: Path
    way: BadWay
    code: str
    hours: int
    lives: int = 0
    _running: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        self.folder.mkdir(exist_ok=True)
        self.lives += 1
        told = (str(self.folder), self.way.address, self.code, str(self.hours), str(self.lives))
        self._running = subprocess.Popen(
            [sys.executable, "-m", "tests.network.playing_table", *told],
            cwd=ROOT,
            start_new_session=True,
        )

    def kill(self) -> None:
        """End it as a power cut would; it must have lived till then."""
        if self._running is not None:
            assert self._running.poll() is None, f"{self.folder} ended by itself"
            os.killpg(self._running.pid, signal.SIGKILL)
            self._running.wait()
            self._running = None
