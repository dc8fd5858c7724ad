"""`tablescore publish`: the public results as files for any web host."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

import click

from scoreboard.errors import ScoreboardError
from scoreboard.storage import database_path
from scoreboard.tournament.storage.hub_store import open_hub_store
from web.cli.hub import HUB_FILE
from web.cli.options import Refusal
from web.clocks import utc_now
from web.hub.app import create_hub_app
from web.hub.hub import HubSettings
from web.hub.site import Fetch, site_files, write_site
from web.hub.startup import hub_of, secret_of
from web.plan import default_database
from web.words import LANGUAGES

API: Final = "/api/v1/events"
ANSWER_SECONDS: Final = 20.0


@click.command(epilog="Example: tablescore publish /var/www/cup --every 15")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--url", metavar="URL", help="The hub to ask, as http://10.0.0.7:8100.")
@click.option("--code", metavar="CODE", help="The viewing code, where the hub at --url wants one.")
@click.option("--database", metavar="URL", help="The hub's database, read without the hub itself.")
@click.option("--event", "events", multiple=True, metavar="ID", help="Only this event; repeatable.")
@click.option("--language", type=click.Choice(tuple(LANGUAGES)), default="en", help="Of the pages.")
@click.option("--every", type=click.IntRange(1, 86_400), metavar="SECONDS", help="Again so often.")
def publish(  # noqa: PLR0913 -- its options
    *,
    folder: Path,
    url: str | None,
    code: str | None,
    database: str | None,
    events: tuple[str, ...],
    language: str,
    every: int | None,
) -> None:
    """Write the public results of a hub into DIR: pages, style and JSON, for any web host.

    Without --url and --database it reads the hub in your data folder; without --event it takes all
    events but tests. Only what changed is written, each file as a whole, so that DIR may be served
    or copied at any moment. Whoever gets the files sees names, clubs, seats and results.
    """
    if url and database:
        raise Refusal("Name --url or --database, not both.")
    with hub_pages(url, code, database, language) as fetch:
        while True:
            _publish_once(folder, fetch, language, events, goes_on=every is not None)
            if every is None:
                return
            time.sleep(every)


def _publish_once(
    folder: Path, fetch: Fetch, language: str, events: tuple[str, ...], *, goes_on: bool
) -> None:
    try:
        changed = write_site(folder, site_files(fetch, language, events))
    except (ScoreboardError, OSError) as error:
        if not goes_on:
            raise
        click.echo(f"Not published, trying again: {error}", err=True)
    else:
        click.echo(f"{folder}: {changed} files changed.")


@contextmanager
def hub_pages(
    url: str | None, code: str | None, database: str | None, language: str
) -> Iterator[Fetch]:
    """What answers as the reading API does: a hub at an address, or its database."""
    if url is not None:
        yield _remote(url, code, language)
        return
    where = database or default_database(HUB_FILE)
    path = database_path(where)
    if path is not None and not path.exists():
        raise Refusal(f"There is no hub in {path}: name its database, or the hub with --url.")
    store = open_hub_store(where)
    try:
        house = HubSettings("http://localhost", frozenset({"localhost"}))
        app = create_hub_app(hub_of(store, house, utc_now), secret_of(store))
        client, headers = app.test_client(), {"Accept-Language": language}

        def fetch(path: str) -> bytes:
            answer = client.get(API + path, headers=headers)
            if answer.status_code != HTTPStatus.OK:
                raise Refusal(answer.get_json()["message"])
            return answer.get_data()

        yield fetch
    finally:
        store.close()


def _remote(url: str, code: str | None, language: str) -> Callable[[str], bytes]:
    base, parts = url.rstrip("/"), urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise Refusal(f"“{url}” is no address of a hub: write it as http://10.0.0.7:8100.")
    opener = build_opener(HTTPCookieProcessor(CookieJar()))
    opener.addheaders = [("Accept-Language", language), ("Origin", base)]

    def fetch(path: str) -> bytes:
        try:
            if code is not None and not path:  # the list comes first
                given = urlencode({"code": code, "next": API}).encode()
                opener.open(Request(f"{base}/look", given), timeout=ANSWER_SECONDS).close()  # noqa: S310 -- http alone, see above
            with opener.open(f"{base}{API}{path}", timeout=ANSWER_SECONDS) as answer:
                content: bytes = answer.read()
        except URLError as error:
            raise Refusal(f"{base} does not answer with its results: {error.reason}.") from error
        return content

    return fetch
