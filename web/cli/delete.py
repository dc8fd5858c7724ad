"""`tablescore delete`: a stored game goes into the bin, comes back from it, or is forgotten."""

from __future__ import annotations

from pathlib import Path

import click

from web.cli.databases import named_databases, store_of
from web.cli.options import Refusal, database_option, same_games, settings_option
from web.shared.clocks import utc_now
from web.table.history.archive import BIN_STAY


@click.command(epilog="Example: tablescore delete GAME_ID")
@click.argument("game_id")
@click.option("--for-good", is_flag=True, help="Do not put it into the bin, or out of the bin.")
@click.option("--take-back", is_flag=True, help="Put it from the bin back into the list.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@database_option
@settings_option
def delete(  # noqa: PLR0913 -- one an option
    game_id: str,
    database: str | None,
    settings_file: Path | None,
    *,
    for_good: bool,
    take_back: bool,
    yes: bool,
) -> None:
    """Put the stored game GAME_ID into the bin, also one that cannot be read.

    There it can be taken back for seven days; the table's next start after them deletes it for
    good. A table that plays with the database must be stopped first, or delete the game on its
    page.
    """
    if for_good and take_back:
        raise Refusal("--for-good and --take-back contradict each other: give one of them.")
    databases = named_databases(database, settings_file)
    if not (take_back or yes):
        where = "for good" if for_good else "into the bin"
        click.confirm(f"Delete {game_id} {where}?", abort=True, err=True)
    with store_of(databases, game_id) as store:
        if take_back:
            store.take_back(game_id)
        elif for_good:
            store.delete(game_id)
        else:
            now = utc_now()
            store.put_in_bin(game_id, now)
            click.echo(
                f"{game_id} is in the bin until {(now + BIN_STAY).astimezone():%Y-%m-%d %H:%M}; "
                f"{same_games('delete', '--take-back', game_id)} puts it back."
            )
