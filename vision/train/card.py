"""A model's card, as TOML."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from vision.evaluate.scoring import ScoredSource, together


def section(name: str, entries: Mapping[str, str] | Mapping[str, float]) -> str:
    """One table of it."""
    lines = (f'"{key}" = {_toml(value)}' for key, value in entries.items())
    return "\n".join([f"[{name}]", *lines, ""])


def checksums(folder: Path, files: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of each file."""
    return {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in files}


def measured_errors(
    scored: Sequence[ScoredSource], left_out: Sequence[ScoredSource]
) -> dict[str, float]:
    """The share of pieces not read rightly: each source, all together, each one left out."""
    rows = [each.row for each in (*scored, *([together(scored)] if scored else []))]
    errors = {row.source: round(1 - row.right, 4) for row in rows}
    return errors | {f"{each.name} left out": round(1 - each.row.right, 4) for each in left_out}


def _toml(value: str | float) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
