"""The page beside the model: what it reads right, source by source, and the log of readings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from vision.evaluation import SourceScore

LOG: Final = "## For the record"
_HEAD: Final = """\
# How well the dice reader reads

Scored as `tablescore evaluate` does: found and right are shares of the labelled dice; exact,
silent (wrong without a doubt) and needless (doubted though exact) are shares of the photos.
Written by the training command; checkpoints and thresholds were chosen by nothing but these dev
photographs, which come from the same cameras as the photographs trained on.
"""
_LOG_HEAD: Final = f"""{LOG}

DamianTab's photographs, another photographer's table and dice, were neither trained on nor used
to choose anything. Each reading of them is logged here by `python -m vision.training record`.

| date | model | dice right | exact | silent | needless | false a photo | note |
|---|---|---|---|---|---|---|---|
"""


def table(rows: Sequence[SourceScore]) -> str:
    """Set the scores as a table, one source a line."""
    head = (
        "| source | photos | dice | found | right | false a photo | exact | silent | needless"
        " | median ms | p95 ms |\n|" + "---|" * 11
    )
    return "\n".join([head, *(_line(row) for row in rows)]) + "\n"


def _line(row: SourceScore) -> str:
    shares = (row.found, row.right)
    photos = (row.exact, row.silent, row.needless)
    return (
        f"| {row.source} | {row.photos} | {row.pieces} | "
        + " | ".join(f"{share:.1%}" for share in shares)
        + f" | {row.false_per_photo:.3f} | "
        + " | ".join(f"{share:.1%}" for share in photos)
        + f" | {row.median_milliseconds:.1f} | {row.p95_milliseconds:.1f} |"
    )


def evaluation_page(rows: Sequence[SourceScore], old: Path, without: str) -> str:
    """Write the page anew, keeping the old one's log."""
    note = f"\nTrained without {without}.\n" if without else ""
    return f"{_HEAD}{note}\n{table(rows)}\n{_log(old)}"


def _log(old: Path) -> str:
    text = old.read_text(encoding="utf-8") if old.is_file() else ""
    return text[text.index(LOG) :] if LOG in text else _LOG_HEAD


def log_reading(page: Path, row: SourceScore, model: str, note: str) -> None:
    """Add one reading to the page's log."""
    line = (
        f"| {datetime.now(UTC).date()} | {model} | {row.right:.2%} | {row.exact:.1%} | "
        f"{row.silent:.1%} | {row.needless:.1%} | {row.false_per_photo:.3f} | {note} |\n"
    )
    page.write_text(page.read_text(encoding="utf-8") + line, encoding="utf-8")
