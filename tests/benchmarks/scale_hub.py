"""A hub with several processes over PostgreSQL, started as by a host, and its cost."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.postgres import Cluster

ROOT: Final = Path(__file__).parents[2]
PATIENCE_SECONDS: Final = 60.0
TICKS: Final = os.sysconf("SC_CLK_TCK")
_SHARE: Final = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)


class HubProcess:
    """`tablescore hub` in its own process group, on a free loopback port."""

    def __init__(self, database: str, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "web", "hub", "--port", "0", "--database", database, *options],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        self.port = 0
        self.set_up = ""

    def wait_until_listening(self) -> None:
        """Read the whole start text, with the port and the secret in it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(r"http://127\.0\.0\.1:(\d+)/(set-up/\w+)?", line)
            if found is not None:
                self.port, self.set_up = int(found[1]), found[2] or self.set_up
            if line.strip().startswith("stop"):
                return
        raise AssertionError("the hub ended at its start")

    def end(self) -> None:
        """End it as Ctrl-C does."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(PATIENCE_SECONDS)
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def running_hub(database: str, *options: str) -> Iterator[HubProcess]:
    """A listening hub, ended afterwards."""
    process = HubProcess(database, *options)
    try:
        process.wait_until_listening()
        yield process
    finally:
        process.end()


@dataclass(frozen=True, slots=True)
class Taken:
    """Usage of some processes: processor seconds so far, bytes of memory now."""

    cpu_seconds: float
    memory_bytes: int


def taken_by(parent: int) -> Taken:
    """The usage of a process and its children; shared memory counts once."""
    pids = [parent, *_children(parent)]
    return Taken(sum(map(_cpu_seconds, pids)), sum(map(_memory_bytes, pids)))


def disk_bytes(cluster: Cluster, address: str) -> int:
    """The size on disk of the hub's tables and indexes."""
    with cluster.connect(address) as connection:
        connection.execute("CHECKPOINT")
        row = connection.execute(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
            " WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        ).fetchone()
    assert row is not None
    return int(row[0])


def _children(parent: int) -> Iterator[int]:
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        with suppress(OSError):
            for pid in map(int, task.read_text().split()):
                yield pid
                yield from _children(pid)


def _cpu_seconds(pid: int) -> float:
    """User and system time, including children that have ended."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / TICKS
    return 0.0


def _memory_bytes(pid: int) -> int:
    with suppress(OSError):
        found = _SHARE.search(Path(f"/proc/{pid}/smaps_rollup").read_text())
        return int(found[1]) * 1024 if found else 0
    return 0
