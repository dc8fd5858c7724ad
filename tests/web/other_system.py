"""Runs the command line as Windows or macOS would: what they lack is taken away before.

    python -m tests.web.other_system win32|darwin '[["read", "photo.jpg"], ["games"]]'
    python -m tests.web.other_system win32|darwin '[]' python -m web run

Libraries are loaded beforehand, because they have files of their own for those systems. Our own
modules are then loaded anew. A line of JSON tells which of them cannot be, and how each command
ends; then the last one is run, where there is one.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from click.testing import CliRunner

OURS = ("scoreboard", "vision", "hardware", "web", "models")
# What neither has, and what Windows lacks besides
PINS_AND_PI = ("lgpio", "RPi", "evdev", "picamera2", "libcamera", "systemd")
UNIX = ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog")
ATTRIBUTES = {
    "darwin": ((socket, ("TCP_USER_TIMEOUT", "SO_BINDTODEVICE")), (os, ("sched_getaffinity",))),
    "win32": (
        (socket, ("TCP_USER_TIMEOUT", "SO_BINDTODEVICE", "AF_UNIX", "SO_REUSEPORT")),
        (select, ("poll", "epoll")),
        (
            signal,
            (
                *("SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGCHLD"),
                *("pthread_sigmask", "sigwait"),
            ),
        ),
        (
            os,
            (
                *("O_DIRECTORY", "fork", "getuid", "geteuid", "getgid", "killpg", "nice", "pread"),
                *("pwrite", "statvfs", "uname", "getloadavg", "sched_getaffinity", "sysconf"),
            ),
        ),
    ),
}


class Refused:
    """An import system's finder that knows some modules not to be there."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = frozenset(names)

    def find_spec(
        self, name: str, _path: object = None, _target: object = None
    ) -> ModuleSpec | None:
        """Refuse those; leave all others to the next finder."""
        if name.partition(".")[0] in self._names:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
        return None


def shipped_modules() -> Iterator[str]:
    """Every module of the wheel."""
    for package in map(importlib.import_module, OURS):
        yield package.__name__
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.startswith("vision.train"):
                yield found.name


def import_all(names: Sequence[str]) -> Iterator[str]:
    """Import them; yields those that cannot be, with the module that they lack."""
    for name in names:
        if name.endswith("__main__"):
            continue
        try:
            importlib.import_module(name)
        except ImportError as error:
            yield f"{name}: {error.name}"
        except AttributeError as error:
            yield f"{name}: {error}"


def add_windows_own() -> None:
    """What only Windows has: a lock of some bytes of a file, and a socket that is nobody else's."""
    locks, msvcrt = importlib.import_module("fcntl"), ModuleType("msvcrt")

    def locking(descriptor: int, _mode: int, _size: int) -> None:
        try:
            locks.flock(descriptor, locks.LOCK_EX | locks.LOCK_NB)
        except BlockingIOError as error:
            raise PermissionError from error

    vars(msvcrt).update(LK_NBLCK=2, locking=locking)
    sys.modules["msvcrt"] = msvcrt
    vars(socket)["SO_EXCLUSIVEADDRUSE"] = socket.SO_REUSEADDR


def become(system: str) -> list[str]:
    """Make this process one of that system, and give the shipped modules."""
    names = [*shipped_modules(), "ifaddr"]  # which is imported where it is used
    list(import_all(names))
    refused = (*PINS_AND_PI, *(UNIX if system == "win32" else ()))
    if system == "win32":
        add_windows_own()
    for name in list(sys.modules):
        if name.partition(".")[0] in (*OURS, *refused):
            del sys.modules[name]
    sys.meta_path.insert(0, Refused(refused))
    for module, attributes in ATTRIBUTES[system]:
        for attribute in attributes:
            if hasattr(module, attribute):
                delattr(module, attribute)
    sys.platform = system  # not `os.name`: pathlib would make paths that only Windows can use
    return names


def main() -> None:
    """As the module's text says."""
    system, commands, *last = sys.argv[1:]
    missing = list(import_all(become(system)))
    tablescore = importlib.import_module("web.__main__").tablescore
    ended = [CliRunner().invoke(tablescore, command) for command in json.loads(commands)]
    results = [[each.exit_code, each.output] for each in ended]
    print(json.dumps([missing, results]), flush=True)  # noqa: T201 -- for the test
    if last:
        sys.argv = ["tablescore", *last[3:]]  # after the program, -m and web
        importlib.import_module("web.__main__").main()


if __name__ == "__main__":
    main()
