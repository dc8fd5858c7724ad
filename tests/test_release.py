"""What a release carries: the tag's version, the same bytes again, sums, and all that is in it."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GIT = (
    "git",
    "-c",
    "user.name=test",
    "-c",
    "user.email=test@example.org",
    "-c",
    "commit.gpgsign=false",
)


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in that folder."""
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with what is committed here."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone, and a release is made of one")
    folder = tmp_path_factory.mktemp("release") / "clone"
    assert (
        run("git", "clone", "-q", "--shared", str(ROOT), str(folder), folder=ROOT).returncode == 0
    )
    return folder


def release(clone: Path, out: str) -> subprocess.CompletedProcess[str]:
    """Make it, as `make release` does."""
    return run(sys.executable, ".ci/release.py", out, folder=clone)


def test_the_tag_names_the_version_and_the_same_commit_gives_the_same_bytes(clone: Path) -> None:
    """The sums are those of the files, and the bill of materials names each package of a table."""
    notes = clone / "CHANGELOG.md"
    notes.write_text(
        notes.read_text().replace("## Unreleased\n", "## Unreleased\n\n## 9.8.7 (2026-11-29)\n")
    )
    assert run(*GIT, "commit", "-qam", "Release 9.8.7", folder=clone).returncode == 0
    assert run(*GIT, "tag", "-a", "v9.8.7", "-m", "9.8.7", folder=clone).returncode == 0
    for out in ("../one", "../two"):
        done = release(clone, out)
        assert done.returncode == 0, done.stderr
    one, two = ((clone / out / "SHA256SUMS").resolve() for out in ("../one", "../two"))
    assert one.read_text() == two.read_text()
    for line in one.read_text().splitlines():
        told, name = line.split()
        assert hashlib.sha256((one.parent / name).read_bytes()).hexdigest() == told
    names = {each.name for each in one.parent.iterdir()}
    assert {"install.sh", "tablescore-image", "tablescore-9.8.7.tar.gz"} <= names
    with zipfile.ZipFile(one.parent / "tablescore-9.8.7-py3-none-any.whl") as wheel:
        about = wheel.read("tablescore-9.8.7.dist-info/METADATA").decode()
    assert "\nVersion: 9.8.7\n" in about
    bill = json.loads((one.parent / "tablescore-9.8.7.cdx.json").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {re.split("[>=<]", each)[0] for each in project["dependencies"]}
    assert wanted <= {each["name"].lower().replace("_", "-") for each in bill["components"]}
    assert all(each["purl"] and each["licenses"] for each in bill["components"])


def test_what_cannot_be_released_is_refused_in_a_sentence(clone: Path) -> None:
    """A tag without notes, and a tree that is not committed."""
    assert run(*GIT, "commit", "-q", "--allow-empty", "-m", "Another", folder=clone).returncode == 0
    assert run(*GIT, "tag", "v9.9.9", folder=clone).returncode == 0
    done = release(clone, "../three")
    assert (done.returncode, "no part “## 9.9.9" in done.stderr) == (1, True)
    (clone / "README.md").write_text("")
    done = release(clone, "../three")
    assert (done.returncode, "is not committed" in done.stderr) == (1, True)
    assert run("git", "checkout", "-q", "README.md", folder=clone).returncode == 0
