"""All dumps together, and the digests of them that the repository keeps."""

from __future__ import annotations

import filecmp
import shutil
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from tests.golden.evenings import write_events
from tests.golden.old_databases import write_databases
from tests.golden.playthroughs import write_playthroughs
from tests.golden.table_pages import write_table_pages

EXACT: Final = ("playthroughs", "databases", "events")  # and no wording in them
PAGES: Final = "pages"  # what people read: their wording changes on purpose
READINGS: Final = "readings"
DIGESTS: Final = Path(__file__).with_name("digests.txt")
READ: Final = Path(__file__).with_name("readings.txt")


def write_exact(folder: Path) -> None:
    """Write the dumps that a command line and a hub make; pages of the hub fall out beside them."""
    with tempfile.TemporaryDirectory() as scratch:
        write_playthroughs(folder / "playthroughs", Path(scratch))
        write_databases(folder, Path(scratch))
        write_events(folder, Path(scratch))


def write_all(folder: Path) -> None:
    """Write every dump anew but the readings."""
    for part in (*EXACT, PAGES):
        shutil.rmtree(folder / part, ignore_errors=True)
    write_exact(folder)
    with tempfile.TemporaryDirectory() as scratch:
        write_table_pages(folder / PAGES / "table", Path(scratch))


def digests_of(folder: Path) -> dict[str, str]:
    """A digest of each exact dump by its name."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()[:32]
        for part in EXACT
        for path in sorted((folder / part).rglob("*"))
        if path.is_file()
    }


def kept_digests() -> dict[str, str]:
    """The digests that the repository keeps."""
    lines = DIGESTS.read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split("  ", 1) for line in lines)}


def keep_digests(folder: Path) -> None:
    """Keep the digests of these dumps in the repository."""
    lines = (f"{digest}  {name}\n" for name, digest in digests_of(folder).items())
    DIGESTS.write_text("".join(lines), encoding="utf-8")


def differences(before: Path, after: Path, *, readings: bool) -> Iterator[str]:
    """A line for each dump that is not in both folders byte for byte."""
    parts = (*EXACT, PAGES, *([READINGS] if readings else []))
    names = [
        {
            str(path.relative_to(folder))
            for part in parts
            for path in (folder / part).rglob("*")
            if path.is_file() and path.suffix != ".log"
        }
        for folder in (before, after)
    ]
    yield from (f"gone     {name}" for name in sorted(names[0] - names[1]))
    yield from (f"new      {name}" for name in sorted(names[1] - names[0]))
    for name in sorted(names[0] & names[1]):
        if not filecmp.cmp(before / name, after / name, shallow=False):
            yield f"changed  {name}"
