"""What the tests take from the system is fetched where it is missing, or named before they start.

The whole way, with Debian's own packages, is gone by .ci/fresh.
"""

from __future__ import annotations

import importlib
import os
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

CI = Path(__file__).parents[1] / ".ci"
INSTALLING = """\
case "$*" in
*" install -y "*) cp {programs}/hello-source {programs}/hello ;;
esac
"""
# May not install, has no lists of its own, and finds the package once lists were fetched
UNPACKING = """\
case "$*" in
*" install -y "*) echo "E: are you root?" >&2; exit 100 ;;
*" update"*) mkdir -p {folder}/fetched ;;
*--print-uris*) [ -d {folder}/fetched ] && echo "'somewhere' greeting_1.0-1_all.deb 9 SHA256:0" ;;
*" download greeting"*) dpkg-deb --build --root-owner-group {folder}/greeting . >&2 ;;
esac
"""
CONTROL = """\
Package: greeting
Version: 1.0-1
Architecture: all
Maintainer: nobody
Description: says hello
"""


class Machine:
    """A machine with few programs, of which apt-get is a script."""

    def __init__(self, packages: ModuleType, folder: Path) -> None:
        self.packages = packages
        self.folder = folder
        self.programs = folder / "programs"
        self.programs.mkdir()
        needed = "sh env cp mkdir echo dpkg dpkg-deb dpkg-split tar gzip xz zstd rm touch sudo"
        for name in needed.split():
            if found := shutil.which(name):
                (self.programs / name).symlink_to(found)
        self.write(self.programs / "hello-source", 'echo "hello"')
        self.calls = folder / "calls"
        self.calls.touch()

    def write(self, path: Path, script: str) -> None:
        """A program of a few lines."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def has_apt(self, script: str) -> None:
        """From now on apt-get does this."""
        script = script.format(programs=self.programs, folder=self.folder)
        self.write(self.programs / "apt-get", f'echo "$*" >>{self.calls}\n{script}')

    def provide(self) -> dict[str, str]:
        """Provide the one tool that is wanted here."""
        tool = self.packages.Tool("test", "hello", ("greeting",), ("hello",), "lib/greeting/hello")
        environment = {"PATH": str(self.programs)}
        found: Any = self.packages.provide([tool], environment, self.folder / "system")
        assert self.packages.output(("hello",), found) == "hello\n"
        return dict(found)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine that lacks the tool."""
    monkeypatch.syspath_prepend(CI)
    return Machine(importlib.import_module("packages"), tmp_path)


def test_who_may_install_installs_what_is_missing_once(machine: Machine) -> None:
    """A tool that answers is not asked for again."""
    machine.has_apt(INSTALLING)
    if os.geteuid() != 0:
        machine.write(machine.programs / "sudo", 'shift\nexec "$@"')
    machine.provide()
    calls = machine.calls.read_text()
    assert "install -y --no-install-recommends greeting" in calls
    machine.provide()
    assert machine.calls.read_text() == calls


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="this is no Debian")
def test_without_the_right_to_install_it_is_unpacked(machine: Machine) -> None:
    """With lists of its own where the system has none, and started with its own libraries."""
    root = machine.folder / "greeting"
    machine.write(root / "usr" / "lib" / "greeting" / "hello", "echo hello")
    (root / "usr" / "lib" / "greeting" / "libhello.so.1").touch()
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(CONTROL)
    machine.has_apt(UNPACKING)
    assert machine.provide()["PATH"].startswith(str(machine.folder / "system" / "bin"))
    started = (machine.folder / "system" / "bin" / "hello").read_text()
    assert f"LD_LIBRARY_PATH={machine.folder}/system/root/usr/lib/greeting" in started
    calls = machine.calls.read_text()
    machine.provide()
    assert machine.calls.read_text() == calls


def test_what_cannot_be_fetched_is_named_with_the_command_to_paste(machine: Machine) -> None:
    """Here there is no apt at all."""
    with pytest.raises(machine.packages.MissingError, match="sudo apt install greeting"):
        machine.provide()
