"""Formats to begin from, by stored name; a new one is a table of `formats.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from scoreboard.tournament.model.format_text import format_from_document
from scoreboard.tournament.model.tournament_format import TournamentFormat

_TEXT: Final = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
FORMATS: Final[Mapping[str, TournamentFormat]] = {
    name: format_from_document(fields) for name, fields in tomllib.loads(_TEXT).items()
}
