"""The program, called in this process."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from web.__main__ import tablescore


def call(*words: object, typed: str | bytes = "", data: Path | None = None) -> Result:
    """What the program says and how it ends; its data folder may be elsewhere."""
    environment = None if data is None else {"XDG_DATA_HOME": str(data)}
    arguments = list(map(str, words))
    return CliRunner().invoke(
        tablescore, arguments, input=typed, env=environment, catch_exceptions=False
    )
