"""`tablescore games`: the list of the stored games."""

from __future__ import annotations

from pathlib import Path

import click

from web.cli.options import database_option, settings_option
from web.databases import open_archives


@click.command(epilog="Example: tablescore games")
@database_option
@settings_option
def games(database: str | None, settings_file: Path | None) -> None:
    """List the stored games, newest first, those of the demo evening after your own.

    Each line has the id for `tablescore export`, when the game was opened, where it stands,
    and the players with their totals. One that cannot be read is damaged, or of a newer
    Tablescore: `tablescore export --format raw` still writes it, `tablescore delete` forgets it.
    """
    archives = open_archives(database, settings_file)
    listed = [game for archive in archives for game in archive.summaries()]
    for game in listed:
        totals = game.totals or [""] * len(game.players)
        players = ", ".join(
            f"{name} {total}".rstrip() for name, total in zip(game.players, totals, strict=True)
        )
        opened = "?" if game.opened_at is None else f"{game.opened_at.astimezone():%Y-%m-%d %H:%M}"
        line = f"{game.game_id}  {opened:<16}  {game.title!s}  {game.state:<10}  {players}"
        click.echo(line.rstrip())
    if not listed:
        click.echo("No games are stored yet; tablescore run opens the first.", err=True)
