"""`tablescore games`: the list of the stored games, or what is in the bin."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from web.cli.databases import open_archives
from web.cli.options import database_option, same_games, settings_option


@click.command(epilog="Example: tablescore games")
@click.option("--bin", "in_bin", is_flag=True, help="List the deleted games that can come back.")
@database_option
@settings_option
def games(database: str | None, settings_file: Path | None, *, in_bin: bool) -> None:
    """List the stored games, newest first, those of the demo evening after your own.

    Each line has the id for `tablescore export`, when the game was opened, where it stands,
    and the players with their totals. One that cannot be read is damaged, or of a newer
    Tablescore: `tablescore export --format raw` still writes it, `tablescore delete` forgets it.

    With `--bin` each line has until when `tablescore delete --take-back` can put the game back.
    """
    with open_archives(database, settings_file) as archives:
        binned = [game for archive in archives for game in archive.bin()]
        listed = [game for archive in archives for game in archive.summaries()]
    for game in binned if in_bin else listed:
        totals = game.totals or [""] * len(game.players)
        players = ", ".join(
            f"{name} {total}".rstrip() for name, total in zip(game.players, totals, strict=True)
        )
        state = f"until {written(game.kept_until)}" if in_bin else f"{game.state:<10}"
        line = f"{game.game_id}  {written(game.opened_at):<16}  {game.title!s}  {state}  {players}"
        click.echo(line.rstrip())
    if in_bin:
        if not binned:
            click.echo("The bin is empty.", err=True)
    elif not listed:
        click.echo(f"No games are stored yet; {same_games('run')} opens the first.", err=True)
    if binned and not in_bin:
        listing = same_games("games", "--bin")
        click.echo(f"{len(binned)} more in the bin: {listing} lists them.", err=True)


def written(at: datetime | None) -> str:
    """A time as a line has it, in this machine's zone."""
    return "?" if at is None else f"{at.astimezone():%Y-%m-%d %H:%M}"
