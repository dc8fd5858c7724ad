"""What the shipped readers read on every photograph of the shared data.

Reading takes a while, so each photograph's line is appended to a log as soon as it is read, and
a run that was stopped goes on with the photographs that are missing there. The log begins with
what it was read by: a log of other code is refused rather than continued.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Final

from tests.golden.commands import ROOT, TABLESCORE, environment

DATA: Final = ROOT.parent / "shared" / "data"
PIECES: Final = ("dice", "tiles")
BATCH: Final = 25  # photographs a process: loading the readers takes as long as a few of them
SHIPPED: Final = ("HEAD:vision", "HEAD:models")


class OtherCodeError(Exception):
    """The log was begun with other readers than those that would continue it."""


def write_readings(folder: Path, processes: int = 1) -> None:
    """Read what the logs in this folder lack, then sort them into files.

    Raises:
        OtherCodeError: a log was begun with other readers.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for pieces in PIECES:
        log = folder / f"{pieces}.log"
        _begin(log)
        photos = [str(path.relative_to(DATA)) for path in sorted((DATA / pieces).rglob("*.jpg"))]
        _complete(log, pieces, photos, processes)
        _part(folder, pieces, sorted(_lines(log)))


def digests(folder: Path) -> str:
    """One digest for each source of photographs, with how many it has."""
    told = []
    for pieces in PIECES:
        by_source: dict[str, list[str]] = {}
        for line in (folder / f"{pieces}.txt").read_text(encoding="utf-8").splitlines():
            source = "/".join(line.split("/")[:2])
            by_source.setdefault(source, []).append(line)
        for source, lines in sorted(by_source.items()):
            digest = sha256("\n".join(lines).encode()).hexdigest()
            told.append(f"{digest}  {len(lines):4}  {source}\n")
    return "".join(told)


def _part(folder: Path, pieces: str, lines: Sequence[str]) -> None:
    """Write what was read, and apart from it the sentences that say why somebody should look."""
    exact, sentences = [], []
    for line in lines:
        photo, _, told = line.partition("\t")
        document = json.loads(told)
        reasons = document.pop("reasons", [])
        exact.append(f"{photo}\t{json.dumps({**document, 'doubts': len(reasons)})}\n")
        sentences.append("\t".join([photo, *reasons]) + "\n")
    (folder / f"{pieces}.txt").write_text("".join(exact), encoding="utf-8")
    (folder / f"{pieces}.reasons.txt").write_text("".join(sentences), encoding="utf-8")


def _begin(log: Path) -> None:
    """Make the log, or prove that these readers began it."""
    asked = ["git", "rev-parse", *SHIPPED]
    told = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    head = f"# {' '.join(told.split())}\n"
    if not log.exists():
        log.write_text(head, encoding="utf-8")
    elif log.read_text(encoding="utf-8").partition("\n")[0] + "\n" != head:
        raise OtherCodeError(f"{log} was begun with other readers: move it away.")


def _lines(log: Path) -> list[str]:
    """The whole lines of the log; the last may have been cut off with its process."""
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    return [line for line in lines[1:] if line.endswith("\n")]


def _complete(log: Path, pieces: str, photos: Sequence[str], processes: int) -> None:
    """Read the photographs that the log lacks, in so many processes at once."""
    kept = _lines(log)
    head = log.read_text(encoding="utf-8").partition("\n")[0]
    log.write_text("".join([f"{head}\n", *kept]), encoding="utf-8")
    done = {line.partition("\t")[0] for line in kept}
    missing = [photo for photo in photos if photo not in done]
    batches = [missing[at : at + BATCH] for at in range(0, len(missing), BATCH)]
    with ThreadPoolExecutor(processes) as pool, log.open("a", encoding="utf-8") as stream:
        for lines in pool.map(lambda batch: list(_read(pieces, batch)), batches):
            stream.writelines(lines)
            stream.flush()
            done.update(line.partition("\t")[0] for line in lines)
            print(f"{pieces}: {len(done)} of {len(photos)}", flush=True)  # noqa: T201 -- progress


def _read(pieces: str, photos: Sequence[str]) -> Iterator[str]:
    """A line a photograph: its path and what the command printed, but for the time it took."""
    done = subprocess.run(
        [*TABLESCORE, "read", "--json", "--pieces", pieces, *photos],
        cwd=DATA,
        env=environment(),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=False,  # 1 where a photograph cannot be read: its line says so
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    if [each["file"] for each in told] != list(photos):
        raise ChildProcessError(f"{len(told)} of {len(photos)} photographs were answered.")
    for photo, document in zip(photos, told, strict=True):
        document.pop("milliseconds", None)
        yield f"{photo}\t{json.dumps(document, ensure_ascii=False)}\n"
