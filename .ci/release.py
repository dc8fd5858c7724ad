"""Build what a release carries, of what is committed: `make release` writes dist/.

The wheel and the source with the version of the tag on this commit (`v0.3.0`), their contents as a
CycloneDX bill of materials, install.sh, `tablescore-image`, and SHA256SUMS of all. Built twice from
one commit they are the same bytes. Without a tag the version is a developer's, which no release
has; what is not committed is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, distribution
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import NAMESPACE_URL, uuid5

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
TAG = re.compile(r"v(\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?)")
VERSION = re.compile(r'^version = "(.+)"$', re.MULTILINE)
VENDORED = re.compile(r"`([@\w/-]+)` (\d+\.\d+\.\d+)|npmjs\.com/package/([\w-]+)\) (\d+\.\d+\.\d+)")


class ReleaseError(Exception):
    """There can be no release; the text names the fault and the cure."""


def git(*arguments: str, root: Path = ROOT) -> str:
    """What git prints."""
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=True)  # noqa: S607 -- git, wherever it is
    return done.stdout.decode().strip()


def version_of(root: Path) -> str:
    """The version of the commit. Raises ReleaseError: the tree or the tag does not fit it."""
    if git("status", "--porcelain", root=root):
        raise ReleaseError("Something is not committed: commit it, or take it back.")
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    (number,) = VERSION.findall(project)
    tags = [
        found[1]
        for each in git("tag", "--points-at", root=root).split()
        if (found := TAG.fullmatch(each))
    ]
    if not tags:
        count, commit = (
            git("rev-list", "--count", "HEAD", root=root),
            git("rev-parse", "HEAD", root=root),
        )
        return f"{number}.dev{count}+g{commit[:12]}"
    if len(tags) > 1:
        raise ReleaseError(f"This commit is tagged as {' and '.join(tags)}: remove one tag.")
    notes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(tags[0])} \(", notes, re.MULTILINE):
        raise ReleaseError(
            f"CHANGELOG.md has no part “## {tags[0]} (date)”: write it, and tag that commit."
        )
    return tags[0]


def needed(
    name: str, extras: frozenset[str] = frozenset(), known: set[str] | None = None
) -> Iterator[str]:
    """The installed packages that one needs here, itself included."""
    known = set() if known is None else known
    try:
        found = distribution(name)
    except PackageNotFoundError as error:
        raise ReleaseError(
            f"{name} is not installed here: run `make test`, which sets it up."
        ) from error
    if name not in known:
        known.add(name)
        yield name
    for line in found.requires or ():
        required = Requirement(line)
        key = required.name.lower().replace("_", "-")
        asked = [{"extra": extra} for extra in (*extras, "")]
        if key not in known and (not required.marker or any(map(required.marker.evaluate, asked))):
            yield from needed(key, frozenset(required.extras), known)


def bill_of_materials(root: Path, version: str, moment: int) -> bytes:
    """What a table holds: Python packages and vendored browser files, as CycloneDX 1.6."""
    parts = []
    for name in sorted(set(needed("tablescore", frozenset({"hub"}))) - {"tablescore"}):
        about = distribution(name).metadata
        licence = about["License-Expression"] or (about["License"] or "").split("\n")[0]
        terms = [
            each.rpartition(" :: ")[2]
            for each in about.get_all("Classifier", [])
            if each.startswith("License ::")
        ]
        licence = licence or " AND ".join(terms) or "see the package"
        found = distribution(name).version
        parts.append((name, found, f"pkg:pypi/{name}@{found}", licence))
    pages = [*root.glob("web/**/VENDORED.md"), root / "docs/recipes/voice.md"]
    texts = [page.read_text(encoding="utf-8") for page in pages]
    for each in sorted(
        {found.groups() for text in texts for found in VENDORED.finditer(text)}, key=str
    ):
        name, found = [part for part in each if part]
        parts.append(
            (name, found, f"pkg:npm/{name.replace('@', '%40')}@{found}", "see its LICENSE file")
        )
    components = [
        {
            "type": "library",
            "name": name,
            "version": found,
            "purl": purl,
            "bom-ref": purl,
            "licenses": [{"license": {"name": licence}}],
        }
        for name, found, purl, licence in parts
    ]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, f'tablescore {version} {moment}')}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(moment, UTC).isoformat(),
            "component": {
                "type": "application",
                "name": "tablescore",
                "version": version,
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": components,
    }
    return json.dumps(document, indent=1).encode() + b"\n"


def build(root: Path, out: Path) -> list[Path]:
    """Build everything into `out`; gives the files. Raises ReleaseError."""
    version, moment = version_of(root), int(git("log", "-1", "--format=%ct", root=root))
    out = out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    archive = subprocess.run(
        ["git", "-C", str(root), "archive", "HEAD"],  # noqa: S607 -- as above
        capture_output=True,
        check=True,
    )
    with TemporaryDirectory() as folder, tarfile.open(fileobj=BytesIO(archive.stdout)) as tree:
        tree.extractall(folder, filter="data")
        project = Path(folder, "pyproject.toml")
        project.write_text(
            VERSION.sub(f'version = "{version}"', project.read_text(encoding="utf-8")),
            encoding="utf-8",
        )
        command = [
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "-t",
            "wheel",
            "-t",
            "sdist",
            "-d",
            str(out),
        ]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(moment)}
        subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
        for name in ("install.sh", "hardware/appliance/tablescore-image"):
            shutil.copy2(Path(folder, name), out)
    (out / f"tablescore-{version}.cdx.json").write_bytes(bill_of_materials(root, version, moment))
    files = sorted(out.iterdir())
    sums = "".join(
        f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in files
    )
    (out / "SHA256SUMS").write_text(sums, encoding="utf-8")
    return [*files, out / "SHA256SUMS"]


def main() -> None:
    """Build into dist/ of this clone, or into the folder that is named."""
    try:
        for file in build(ROOT, Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"):
            print(f"{file.stat().st_size / 1e6:7.2f} MB  {file}")
    except ReleaseError as error:
        sys.exit(f"release: {error}")


if __name__ == "__main__":
    main()
