"""A model's card, as TOML."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path


def section(name: str, entries: Mapping[str, str] | Mapping[str, float]) -> str:
    """One table of it."""
    lines = (f'"{key}" = {_toml(value)}' for key, value in entries.items())
    return "\n".join([f"[{name}]", *lines, ""])


def checksums(folder: Path, files: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of each file."""
    return {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in files}


def _toml(value: str | float) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
