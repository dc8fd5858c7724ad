"""A folder that stands for a Debian machine, on which install.sh is tried.

Programs that would change this machine are fakes on PATH, which note how they were called.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from getpass import getuser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "install.sh"
APPLIANCE = ROOT / "hardware" / "appliance"
PICTURE = "hardware/cameras/demo_evening/turn00/throw0/06.webp"

# Takes the place of `python3` and, copied into a version, of that version's interpreter.
PYTHON = """
case "$*" in
  "-m venv "*) for folder; do :; done
    mkdir -p "$folder/bin" && ln -s "$0" "$folder/bin/python" && echo "$*" >"$folder/made" ;;
  "-m pip uninstall "*) rm -f "$(dirname "$0")/tablescore" ;;
  "-m pip "*) for takes; do :; done
    takes=${takes%"[hub]"}
    version=$(dirname "$(dirname "$0")")
    case $takes in *.whl) REAL -m zipfile -e "$takes" "$version/all" && takes=$version/all ;; esac
    number=$(REAL -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    packages=$version/lib/python$number/site-packages
    mkdir -p "$packages" && rm -rf "$packages/hardware" && cp -rL "$takes/hardware" "$packages/"
    install -m 755 "$takes/models/tablescore" "$version/bin/tablescore" ;;
  *) exec REAL "$@" ;;
esac
"""
# A version of Tablescore: `level` is that of the database that it makes at its start.
TABLESCORE = """#!/bin/sh
echo "tablescore NAME $*" >>"$CALLS"
games=$XDG_DATA_HOME/tablescore/games.sqlite3
case $1 in
  run) LEVEL >"$DESTDIR/var/lib/tablescore/games.sqlite3"; exit STATUS ;;
  backup) cp "$games" "$2" ;;
  restore) cp "$2" "$games" ;;
  games) [ "$(cat "$games")" = "$(LEVEL)" ] ;;
esac
"""
SYSTEMCTL = """
case "$*" in
  *is-enabled*) [ -e "$STATE/enabled-$3" ] ;;
  *is-active*) [ -e "$STATE/active-${3%.service}" ] ;;
  enable*) echo "systemctl $*" >>"$CALLS"; touch "$STATE/enabled-$2" ;;
  "start tablescore"* | "restart tablescore"*) echo "systemctl $*" >>"$CALLS"
    name=${2%.service}
    rm -f "$STATE/active-$name"
    [ "$name" != tablescore ] || "$DESTDIR/opt/tablescore/current/bin/tablescore" run || exit 1
    touch "$STATE/active-$name" ;;
  *) echo "systemctl $*" >>"$CALLS" ;;
esac
"""
NOTING = 'echo "$(basename "$0") $*" >>"$CALLS"'


class Machine:
    """A folder that stands for a machine's disk, and what is called while it is changed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root, self.fakes = folder, folder / "root", folder / "fakes"
        self.calls_file, self.state = folder / "calls", folder / "state"
        for each in (self.root, self.fakes, self.state):
            each.mkdir()
        self.calls_file.touch()
        for name in ("apt-get", "nmcli", "useradd", "hostnamectl", "chown"):
            self.fake(name, NOTING)
        self.fake("sudo", 'exec "$@"')
        self.fake("runuser", 'shift 3; exec "$@"')
        self.fake("dpkg-query", 'echo "install ok installed"')
        self.fake("systemctl", SYSTEMCTL)
        self.fake("raspi-config", '[ "$2" = get_overlay_now ] && echo 1; ' + NOTING)
        self.fake("python3", PYTHON.replace("REAL", shlex.quote(sys.executable)))

    def fake(self, name: str, script: str) -> None:
        """Put a program on PATH before the real one."""
        (self.fakes / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.fakes / name).chmod(0o755)

    def environment(self) -> dict[str, str]:
        """What the script and the fakes find in theirs."""
        return {
            **os.environ,
            "PATH": f"{self.fakes}:{os.environ['PATH']}",
            "DESTDIR": str(self.root),
            "CALLS": str(self.calls_file),
            "STATE": str(self.state),
        }

    def run(self, *arguments: str, script: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run install.sh, or what is given instead through a pipe, without a terminal."""
        return subprocess.run(
            ["sh", "-s", "--", *arguments] if script else ["sh", str(SCRIPT), *arguments],
            cwd=self.folder,
            env=self.environment(),
            input=script,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,
        )

    def install(self, source: Path, *arguments: str) -> str:
        """Set it up from that folder, for the user of this test; what was printed."""
        done = self.run("--yes", "--user", getuser(), "--source", str(source), *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def calls(self) -> list[str]:
        """What was called since the last time that was asked."""
        lines = self.calls_file.read_text().splitlines()
        self.calls_file.write_text("")
        return lines

    def contents(self) -> dict[str, tuple[int, str]]:
        """When each file was last changed, and what is in it."""
        return {
            str(path): (path.lstat().st_mtime_ns, path.read_text() if path.is_file() else "")
            for path in self.root.rglob("*")
        }

    def unit(self, name: str) -> str:
        return (self.root / "etc/systemd/system" / name).read_text()

    def games(self) -> Path:
        return self.root / "var/lib/tablescore/games.sqlite3"

    def current(self) -> str:
        """The name of the version that is started."""
        script = (self.root / "opt/tablescore/current/bin/tablescore").read_text()
        found = re.search(r"tablescore (\S+) \$", script)
        assert found is not None
        return found[1]


def version(folder: Path, name: str, *, level: int = 1, starts: bool = True) -> Path:
    """A folder that holds a Tablescore of that name, as small as install.sh takes it."""
    source = folder / f"source-{name}"
    for each in ("scoreboard", "vision", "web", "models", Path(PICTURE).parent):
        (source / each).mkdir(parents=True)
    (source / PICTURE).touch()
    (source / "pyproject.toml").touch()
    shutil.copytree(APPLIANCE, source / "hardware/appliance")
    script = TABLESCORE.replace("NAME", name).replace("LEVEL", f"echo level {level}")
    (source / "models/tablescore").write_text(script.replace("STATUS", "0" if starts else "1"))
    (source / "models/tablescore").chmod(0o755)
    return source


def program(name: str) -> str:
    """Where that program of the system is; without it the test is skipped."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed here")
    return found


def output_of(*command: str) -> str:
    """What a program says, which must end well."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
