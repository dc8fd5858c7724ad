"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])
PIECES: Final = ("dice",)


class Pieces(click.Choice[str]):
    """The kinds of pieces that can be read."""

    def __init__(self) -> None:
        super().__init__(PIECES)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse tiles in words of their own: the rules know them, the reader doesn't yet."""
        if value == "tiles":
            self.fail("tiles cannot be read yet; only dice can.", param, ctx)
        return str(super().convert(value, param, ctx))


def pieces_option(function: FunctionT) -> FunctionT:
    """Add `--pieces`."""
    option = click.option(
        "--pieces", type=Pieces(), default="dice", show_default=True, help="What lies there."
    )
    return option(function)


def as_json(function: FunctionT) -> FunctionT:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")(
        function
    )


def database_option(function: FunctionT) -> FunctionT:
    """Add `--database`."""
    return click.option(
        "--database",
        metavar="URL",
        help="Where the games are, as sqlite:///path/to/games.db; else the settings tell.",
    )(function)


def settings_option(function: FunctionT) -> FunctionT:
    """Add `--settings`."""
    return click.option(
        "--settings",
        "settings_file",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="A settings file; settings.sample.toml explains every key.",
    )(function)
