"""`tablescore rebuild`: the statistics are worked out anew from the events of all games."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click
from platformdirs import user_data_path

from web.cli.databases import named_databases
from web.cli.options import database_option, settings_option


@click.command(epilog="Example: tablescore rebuild")
@database_option
@settings_option
def rebuild(database: str | None, settings_file: Path | None) -> None:
    """Replay all stored games and work out the players' figures anew, also while a table plays.

    A table does this by itself for each game that it lacks. Names of sets of dice are kept.
    """
    from scoreboard.storage import holds_games, open_store  # noqa: PLC0415 -- a second
    from web.table.history.statistics import work_out  # noqa: PLC0415 -- as above

    advice = user_data_path("tablescore") / "advice"
    for url in filter(holds_games, named_databases(database, settings_file)):
        with closing(open_store(url)) as store:
            ids = [header.game_id for header in reversed(store.headers())]
            progress = click.progressbar(
                work_out(store, ids, advice), len(ids), url.rpartition("/")[2], file=sys.stderr
            )
            with progress as steps:
                unread = sum(not is_read for _, is_read in steps)
            more = f"; {unread} cannot be read" if unread else ""
            click.echo(f"{len(ids) - unread} games are worked out{more}.")
