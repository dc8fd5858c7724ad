"""The script that takes from an environment what no table opens: hardware/appliance/slim."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.hardware.machine import APPLIANCE, PICTURE, ROOT, output_of, program

SLIM = APPLIANCE / "slim"
PACKAGES = ("scoreboard", "vision", "hardware", "web", "models")
COMMAS = """
from babel.localedata import locale_identifiers
from web.shared.spreadsheet import has_decimal_comma
print([each for each in sorted(locale_identifiers()) if has_decimal_comma([each])])
"""


def required(name: str, found: set[str]) -> set[str]:
    """The packages that this one needs, without extras, and itself."""
    if name not in found:
        with suppress(PackageNotFoundError):  # of another system
            needs = distribution(name).requires or []
            found.add(name)
            for each in needs:
                if "extra ==" not in each:
                    required(re.split(r"[^\w.-]", each)[0].lower(), found)
    return found


def bring(source: Path, target: Path) -> None:
    """A copy; large libraries, which nothing writes into, are linked where the disk is the same."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if ".so" in source.suffixes:
        with suppress(OSError):
            os.link(source, target)
            return
    shutil.copy2(source, target)


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """An environment with Tablescore and the files of this one's libraries."""
    folder = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (packages,) = folder.glob("lib/python3*/site-packages")
    for name in required("tablescore", set()) - {"tablescore"}:
        for file in distribution(name).files or []:
            source, target = Path(str(file.locate())), packages / file
            if ".." not in file.parts and source.is_file() and not target.exists():
                bring(source, target)
    about = packages / "tablescore-0.dist-info" / "METADATA"
    about.parent.mkdir()
    about.write_text(distribution("tablescore").read_text("METADATA") or "", encoding="utf-8")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, packages / name, ignore=shutil.ignore_patterns("train"))
    return folder


@pytest.mark.parametrize("given", [(), ("nowhere",), (str(ROOT),), ("empty",)])
def test_it_takes_nothing_from_what_is_no_environment_of_ours(
    tmp_path: Path, given: tuple[str, ...]
) -> None:
    """Nor from an environment without Tablescore."""
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "empty")], check=True
    )
    before = sorted(tmp_path.rglob("*"))
    done = subprocess.run(
        [program("sh"), str(SLIM), *given],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, sorted(tmp_path.rglob("*"))) == (1, before)
    assert re.fullmatch(r"slim: .*\.\n", done.stderr)


@pytest.mark.slow
def test_a_slimmed_environment_reads_a_picture_and_serves_a_page(environment: Path) -> None:
    """It is smaller; numbers are written as before, and files shared with another are whole."""
    python = str(environment / "bin/python")
    before, commas = size(environment), output_of(python, "-I", "-c", COMMAS)
    (spanish,) = environment.glob("lib/python3*/site-packages/babel/locale-data/es.dat")
    shared = environment.parent / "of-another-version.dat"  # as an update links it
    os.link(spanish, shared)
    content = spanish.read_bytes()
    assert output_of("sh", str(SLIM), str(environment)) == ""
    assert size(environment) < before - 60_000_000
    assert spanish.read_bytes() != content == shared.read_bytes()
    assert output_of(python, "-I", "-c", COMMAS) == commas
    assert "22244" in output_of(python, "-I", "-m", "web", "read", str(ROOT / PICTURE))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    table = subprocess.Popen(
        [python, "-I", "-m", "web", "run", "--port", str(port)],
        env={**os.environ, "XDG_DATA_HOME": str(environment)},
        stdout=subprocess.DEVNULL,
    )
    try:
        assert "<html" in page(f"http://127.0.0.1:{port}/")
    finally:
        table.terminate()
        table.wait()


def size(folder: Path) -> int:
    """Bytes of the files in it."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def page(address: str) -> str:
    """What is there, within a minute."""
    for _ in range(600):
        with suppress(OSError), urlopen(address) as answer:  # noqa: S310 -- our own
            return str(answer.read().decode())
        time.sleep(0.1)
    raise AssertionError(f"{address} never answered")
