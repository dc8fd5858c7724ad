"""What several commands share: options, and a fault that ends them in one sentence."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])
OF_GAMES: Final = {"camera": "--camera", "database": "--database", "settings_file": "--settings"}


class Refusal(click.ClickException):
    """Ends the command with the sentence on stderr and exit status 1."""

    def show(self, file: Any = None) -> None:
        """Print the sentence as it is, without “Error:” before it."""
        click.echo(self.format_message(), err=True, file=file)


class Pieces(click.Choice[str]):
    """The kinds of pieces that can be read, and every set that was taught."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Accept `taught:NAME` unchanged; whether there is such a set shows when it is read."""
        if isinstance(value, str) and value.startswith("taught:"):
            return value
        return str(super().convert(value, param, ctx))


def same_games(*words: str) -> str:
    """The command `tablescore ...` for the games of this one, as a shell takes it."""
    typed = click.get_current_context().params
    for name, option in OF_GAMES.items():
        words += (option, str(typed[name])) if typed.get(name) else ()
    return shlex.join(("tablescore", *words))


def _of_tiles(ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is not None and ctx.params["pieces"] != "tiles":
        raise click.BadParameter("only tiles have an edition; add --pieces tiles or leave it out.")
    return value


pieces_option = click.option(
    "--pieces",
    type=Pieces(("dice", "tiles")),
    default="dice",
    show_default=True,
    is_eager=True,  # before the edition, which depends on it
    help="What lies there; taught:NAME for a set that was taught.",
)
edition_option = click.option(
    "--edition",
    type=click.Choice(("rummikub", "okey", "auto")),
    callback=_of_tiles,
    help="Whose tiles they are; auto, the default, takes a doubtful photo for one of Okey's "
    "tiles where that makes it surer.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
camera_option = click.option(
    "--camera",
    metavar="SOURCE",
    help="folder:PATH, picamera, stream:URL, webcam:N, phone or upload, as for run.",
)
settings_option = click.option(
    "--settings",
    "settings_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    envvar="TABLESCORE_SETTINGS",
    help="A settings file; settings.sample.toml explains every key.",
)
_database_option = click.option(
    "--database",
    metavar="URL",
    help="Where the games are, as sqlite:///path/to/games.db; else the settings tell.",
)


def games_options(function: FunctionT) -> FunctionT:
    """Add `--database` and `--settings`, which name the stored games."""
    return _database_option(settings_option(function))
