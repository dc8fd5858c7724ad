"""Findings kept on disk as JSON lines, all or none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def write_lines(file: Path, entries: Iterable[Mapping[str, Any]]) -> None:
    """Keep them, an entry a line; the file before stays until the new one is whole."""
    unfinished = file.with_suffix(".part")
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    unfinished.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), encoding="utf-8")
    unfinished.replace(file)
