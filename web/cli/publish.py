"""`tablescore publish`: the public results as files for any web host."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final

import click

from scoreboard.errors import ScoreboardError
from web.cli.hub import stored_hub
from web.cli.options import Refusal
from web.hub.app import create_hub_app
from web.hub.hub import HubSettings
from web.hub.site import Fetch, site_files, write_site
from web.hub.startup import hub_of, secret_of
from web.shared.clocks import utc_now
from web.shared.words import LANGUAGES

API: Final = "/api/v1/events"


@click.command(epilog="Example: tablescore publish /var/www/cup --every 15")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--database", metavar="URL", help="The hub's database.")
@click.option("--event", "events", multiple=True, metavar="ID", help="Only this event; repeatable.")
@click.option("--language", type=click.Choice(tuple(LANGUAGES)), default="en", help="Of the pages.")
@click.option("--every", type=click.IntRange(1, 86_400), metavar="SECONDS", help="Again so often.")
def publish(
    *, folder: Path, database: str | None, events: tuple[str, ...], language: str, every: int | None
) -> None:
    """Write the public results of a hub into DIR: pages, style and JSON, for any web host.

    Without --database it reads the hub in your data folder, which may be running; without --event
    it takes all events but tests. Only what changed is written, each file as a whole, so that DIR
    may be served or copied at any moment. Whoever gets the files sees names, clubs, seats and
    results.
    """
    with hub_pages(database, language) as fetch:
        while True:
            try:
                changed = write_site(folder, site_files(fetch, language, events))
            except (ScoreboardError, OSError) as error:
                if every is None:
                    raise
                click.echo(f"Not published, trying again: {error}", err=True)
            else:
                click.echo(f"{folder}: {changed} files changed.")
            if every is None:
                return
            time.sleep(every)


@contextmanager
def hub_pages(database: str | None, language: str) -> Iterator[Fetch]:
    """What answers as the reading API does, out of the hub's database."""
    with closing(stored_hub(database)) as store:
        settings = HubSettings("http://localhost", frozenset({"localhost"}))
        app = create_hub_app(hub_of(store, settings, utc_now), secret_of(store))
        client, headers = app.test_client(), {"Accept-Language": language}

        def fetch(path: str) -> bytes:
            answer = client.get(API + path, headers=headers)
            if answer.status_code != HTTPStatus.OK:
                raise Refusal(answer.get_json()["message"])
            return answer.get_data()

        yield fetch
