"""The set-up of `make run` and `make test`: whatever ends it, the next one makes it whole.

It is tried on a project of one dependency, which lies in a folder, so no network is needed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "environment.py"
PROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "toy"
version = "1"
requires-python = ">=3.11"
dependencies = ["tiny"]

[project.optional-dependencies]
dev = []
"""
BACKEND = """\
import zipfile
from pathlib import Path

def write_wheel(folder, name, version, metadata, **files):
    file = f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n{metadata}"
    tag = "Wheel-Version: 1.0\\nGenerator: toy\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    with zipfile.ZipFile(Path(folder) / file, "w") as wheel:
        for path, content in {"METADATA": metadata, "WHEEL": tag, "RECORD": "", **files}.items():
            wheel.writestr(path if path.endswith(".py") else f"{info}/{path}", content)
    return file

def build_editable(folder, config_settings=None, metadata_directory=None):
    return write_wheel(folder, "toy", "1", "Requires-Dist: tiny\\n")
"""
MOMENTS = 10
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
FILLING = """
mkdir small && mount -t tmpfs -o size=800m tmpfs small || exit
cp -r toy small/toy && cd small/toy || exit
(sleep {seconds}; cat /dev/zero >../filler 2>/dev/null) &
{python} .ci/environment.py .venv
echo status $?
wait; rm ../filler
{python} .ci/environment.py .venv
.venv/bin/say
"""


class Toy:
    """A project with the script under test, and the folder that its packages come from."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.venv = folder / ".venv"
        self.wheels = folder.parents[1] / "wheels"  # pip parts addresses at a blank
        for made in (self.wheels, folder / "web", folder / ".ci"):
            made.mkdir(parents=True)
        shutil.copy(SCRIPT, folder / ".ci")
        (folder / "pyproject.toml").write_text(PROJECT)
        (folder / "backend.py").write_text(BACKEND)
        (folder / "web" / "__init__.py").touch()
        (folder / "web" / "__main__.py").write_text("import tiny\n")
        self.wants(1)

    def wants(self, version: int, *, to_be_had: bool = True) -> None:
        """Pin the dependency to a version, which its folder has or has not."""
        (self.folder / "constraints.txt").write_text(f"tiny=={version}\n")
        if not to_be_had:
            return
        files = {
            "tiny.py": f"def say():\n    print('tiny', {version})\n",
            "entry_points.txt": "[console_scripts]\nsay = tiny:say\n",
        }
        backend: dict[str, Any] = {}
        exec(BACKEND, backend)  # noqa: S102  the text above
        backend["write_wheel"](self.wheels, "tiny", version, "", **files)

    @property
    def command(self) -> list[str]:
        """The set-up, as the Makefile calls it."""
        return [sys.executable, str(self.folder / ".ci" / "environment.py"), str(self.venv)]

    @property
    def environment(self) -> dict[str, str]:
        """Packages come from the folder alone, whatever this machine's pip is told."""
        away = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_CONSTRAINT": ""}
        return {**os.environ, **away, "PIP_FIND_LINKS": str(self.wheels)}

    def set_up(self, *options: str) -> subprocess.CompletedProcess[str]:
        """Set it up; what was said, whichever way."""
        return subprocess.run(
            [*self.command, *options],
            env=self.environment,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def says(self) -> str:
        """What the dependency's own script prints, which names the environment's Python."""
        return subprocess.check_output([self.venv / "bin" / "say"], text=True).strip()

    def is_whole(self) -> bool:
        """Whether it runs, and nothing that was half made lies beside it."""
        beside = {path.suffix for path in self.folder.glob(".venv.*")}
        return self.says() == "tiny 1" and beside <= {".lock", ".log"}


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    """In a folder with a blank and an umlaut in its name, as people have them."""
    return Toy(tmp_path / "mein Würfel" / "toy")


def test_an_environment_changes_only_as_a_whole(toy: Toy) -> None:
    """What can't be had leaves the old one, which still starts; unchanged needs take nothing."""
    made = toy.set_up()
    assert made.returncode == 0, made.stdout
    assert toy.is_whole()

    os.utime(toy.folder / "pyproject.toml")
    assert toy.set_up().stdout == ""

    toy.wants(2, to_be_had=False)
    refused = toy.set_up()
    assert refused.returncode == 1
    assert "the set-up stopped" in refused.stdout
    assert toy.is_whole()
    old = toy.set_up("--or-old")
    assert old.returncode == 0
    assert "starting with what was set up before" in old.stdout

    toy.wants(2)
    assert toy.set_up().returncode == 0
    assert toy.says() == "tiny 2"


@pytest.mark.slow
def test_whatever_ends_a_set_up_the_next_one_completes_it(toy: Toy) -> None:
    """Ctrl-C, an end that is asked for, and a kill by turns, at ten moments."""
    begun = time.monotonic()
    toy.set_up()
    whole = time.monotonic() - begun
    for moment in range(MOMENTS):
        end = ENDS[moment % len(ENDS)]
        shutil.rmtree(toy.venv)
        started = subprocess.Popen(
            toy.command,
            env=toy.environment,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(whole * (moment + 0.5) / MOMENTS)
        # Ctrl-C reaches the whole group; the others reach the set-up alone
        (os.killpg if end == signal.SIGINT else os.kill)(started.pid, end)
        started.wait()
        mended = toy.set_up()
        assert mended.returncode == 0, (moment, end, mended.stdout)
        assert toy.is_whole(), (moment, end)


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(0, MOMENTS, 2))
def test_a_disk_that_fills_is_named_and_room_mends_it(toy: Toy, moment: int) -> None:
    """Whenever it fills: what was half made takes no room afterwards."""
    script = FILLING.format(seconds=0.3 * (moment + 0.5), python=sys.executable)
    ended = subprocess.run(
        ["unshare", "--mount", "--map-root-user", "sh", "-c", script],  # noqa: S607  Debian's
        cwd=toy.folder.parent,
        env=toy.environment,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if "Operation not permitted" in ended.stdout:
        pytest.skip("no mount of its own can be made here")
    first, _, rest = ended.stdout.partition("status ")
    assert rest.startswith("1"), ended.stdout
    assert "make room and run the same command again" in first
    assert rest.splitlines()[-1] == "tiny 1", rest
