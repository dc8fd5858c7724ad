"""`tablescore hub`: the hub of an event."""

from __future__ import annotations

import logging
import os
import socket
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex
from typing import Final, get_args
from urllib.parse import urlsplit

import click

from scoreboard.errors import ScoreboardError
from scoreboard.storage import database_path, restore_database
from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store
from web.cli.options import Refusal
from web.hub import startup
from web.hub.app import create_hub_app
from web.hub.credentials import Keys
from web.hub.hub import PLAYERS_WATCHING, HubSettings, Viewers
from web.hub.public_api import site_files, write_site
from web.shared.addresses import (
    HUB,
    AddressWatch,
    allowed_hosts,
    announcements,
    is_loopback,
    network_addresses,
    page_addresses,
    parsed_address,
    reachable_addresses,
)
from web.shared.clocks import utc_now
from web.shared.logs import LogPlan, configure_logs, log_options
from web.shared.plan import default_database
from web.shared.server import PageProcess, allow_many_files, listen, serve
from web.shared.words import HUB_LANGUAGES

HUB_FILE: Final = "hub.sqlite3"
PORT: Final = 8100
MOST_WORKERS: Final = 64
TABLES_WAITING: Final = 300  # tables that hold a thread each, waiting for an update
LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HubPlan:
    """What `tablescore hub` will start."""

    host: str
    database: str
    workers: int
    viewers: Viewers
    viewer_limit: int
    address: str
    proxy: tuple[str, ...] = ()
    checks: bool = False
    life: str = field(default_factory=token_hex)

    def __post_init__(self) -> None:
        if self.workers > 1 and sys.platform == "win32":
            raise Refusal("Windows serves with one process: leave --workers out.")
        if self.workers > 1 and database_path(self.database) is not None:
            raise Refusal(
                "Several workers need a PostgreSQL database: name one with "
                "--database postgresql://user@host/name, or leave --workers out."
            )
        if self.workers > 1 and self.database == "memory:":
            raise Refusal("Several workers cannot share a memory: name a PostgreSQL database.")
        if self.address and urlsplit(self.address).scheme not in {"http", "https"}:
            raise Refusal(f"“{self.address}” is no address: write it as https://hub.example.org.")
        for each in self.proxy:
            if parsed_address(each) is None:
                raise Refusal(f"“{each}” is no proxy’s address: write it as 127.0.0.1.")
        if self.address.startswith("https://") and not self.proxy:
            raise Refusal(
                "The hub itself speaks no https: name the address that the proxy before it comes "
                "from, as --proxy 127.0.0.1."
            )

    def addresses(self, port: int) -> tuple[str, ...]:
        """What to type into a browser, what others type last."""
        own = page_addresses(self.host, port, network_addresses())
        return (*own, f"{self.address.rstrip('/')}/") if self.address else own

    def hub_settings(self, port: int) -> HubSettings:
        named = urlsplit(self.address).hostname
        return HubSettings(
            address=self.addresses(port)[-1 if self.address else 0].rstrip("/"),
            allowed_hosts=allowed_hosts(
                self.host, socket.gethostname(), network_addresses(), [named] if named else []
            ),
            viewers=self.viewers,
            named=bool(self.address),
            proxies=self.proxy,
            viewer_limit=self.viewer_limit,
            life=self.life,
            on_network=lambda: reachable_addresses(self.host, port, network_addresses()),
        )

    @property
    def place(self) -> str:
        """Where the events are kept, as a person reads it; without a password."""
        path = database_path(self.database)
        if path is not None or self.database == "memory:":
            return str(path or "in memory, gone at the end")
        parts = urlsplit(self.database)
        return f"{parts.hostname or 'this machine'}, database {parts.path.strip('/')}"


@click.group(
    invoke_without_command=True,
    epilog="Example: tablescore hub --host 0.0.0.0 lets tables and phones in.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="H",
    help="127.0.0.1 is this machine alone, 0.0.0.0 the network.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    metavar="P",
    help="0 takes any free port.",
)
@click.option(
    "--database",
    metavar="URL",
    help="Where the events are: sqlite:///path/to/hub.db, or postgresql://user@host/name for a "
    "large event. Without one a file in your data folder.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes that serve; more than one only with PostgreSQL.",
)
@click.option(
    "--viewers",
    type=click.Choice(get_args(Viewers)),
    default="open",
    show_default=True,
    help="Whether everybody may look on, or only who knows the viewing code.",
)
@click.option(
    "--viewer-limit",
    type=click.IntRange(1, 2000),
    default=500,
    show_default=True,
    metavar="N",
    help="How many boards and desks each process keeps at the newest state.",
)
@click.option(
    "--address",
    default="",
    metavar="URL",
    help="What others type, where it is not this machine's own address.",
)
@click.option(
    "--proxy",
    multiple=True,
    callback=lambda _context, _option, given: tuple(filter(None, given)),  # compose gives ""
    metavar="ADDRESS",
    help="A proxy before the hub, which is believed who asks; may be repeated. https:// needs one.",
)
@click.option(
    "--try",
    "checks",
    is_flag=True,
    help="Check the program of a table: a code, and what is wrong with what it sends; keeps "
    "nothing.",
)
@log_options
@click.pass_context
def hub(
    context: click.Context, /, port: int, database: str | None, log: LogPlan, **options: object
) -> None:
    """Start the hub of an event and its pages; Ctrl-C ends it.

    At the first start it prints an address at which the director's password is set.
    """
    if context.invoked_subcommand is not None:
        context.obj = database
        return
    kept = "memory:" if options["checks"] else database or default_database(HUB_FILE)
    plan = HubPlan(database=kept, **options)  # type: ignore[arg-type]  # click checked them
    if plan.workers > 1 and log.file is not None:
        raise Refusal(
            "Several workers cannot share a log file that is begun anew: leave --log-file out, "
            "and keep what they write to the standard error."
        )
    allow_many_files()
    os.umask(0o077)  # its log is its owner's alone, too
    configure_logs(log)
    with startup.reserved(plan.database):
        keys, directed = startup.first_words(plan.database)
        with listen(plan.host, port) as listening:
            number = listening.getsockname()[1]
            click.echo(start_text(plan, number, keys, directed=directed), nl=False)
            threads = plan.viewer_limit + PLAYERS_WATCHING + TABLES_WAITING
            start = partial(started, plan, number)
            serve(listening, start, threads, workers=plan.workers, called="hub")


hub_database_option = click.option(
    "--database",
    metavar="URL",
    default=lambda: click.get_current_context().obj,  # it may be named before the command, too
    help="Where the events are, as for tablescore hub. Without one the file in your data folder.",
)


@hub.command(epilog="Example: tablescore hub password Dana")
@click.argument("name")
@hub_database_option
def password(name: str, database: str | None) -> None:
    """Set a new password for the account NAME, where the old one is lost.

    It is asked for, and may be set while the hub runs. Who is signed in by that name is
    signed out.
    """
    with closing(stored_hub(database)) as store:
        names = [each.name for each in store.people.accounts()]
        if name not in names:
            known = ", ".join(names) or "nobody yet"
            raise Refusal(f"Nobody is called “{name}” at this hub; it knows {known}.")
        given = click.prompt("New password", hide_input=True, confirmation_prompt=True)
        startup.set_password(store, name, given)
    click.echo(f"{name} has a new password.")


@hub.command(epilog="Example: tablescore hub backup /media/stick/hub-in-may.sqlite3")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@hub_database_option
def backup(file: Path, database: str | None) -> None:
    """Write all events, games, accounts and keys of the hub into the new FILE, also while it runs.

    A running hub makes a backup a day and keeps the newest five, in a folder next to the
    database. A PostgreSQL server's events are backed up with pg_dump.
    """
    with closing(stored_hub(database)) as store:
        store.copy_to(file)
        click.echo(f"{file}: events: {len(store.tournaments.headers())}.")


@hub.command(epilog="Example: tablescore hub restore /media/stick/hub-in-may.sqlite3")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@hub_database_option
def restore(file: Path, database: str | None) -> None:
    """Put the backup FILE in the place of the hub's database, while no hub runs.

    The backup is checked first; the file that it replaces is kept under another name. Tables tell
    the hub again, by themselves, what the backup lacks.
    """
    where = database or default_database(HUB_FILE)
    kept = restore_database(where, file)
    with closing(stored_hub(where)) as store:
        click.echo(f"Events stored now: {len(store.tournaments.headers())}.")
    if kept is not None:
        click.echo(f"What was there before is kept as {kept}.")


def stored_hub(database: str | None) -> SqlHubStore:
    """Open what a hub keeps, without one the file in the data folder. Raises Refusal for none."""
    where = database or default_database(HUB_FILE)
    path = database_path(where)
    if path is not None and not path.exists():
        raise Refusal(f"There is no hub in {path}: name its database with --database.")
    return open_hub_store(where)


def started(plan: HubPlan, port: int, process: PageProcess) -> startup.RunningHub:
    """Start the hub, in a process that serves it; one of them announces where it is."""
    workers = (
        (AddressWatch(plan.host, port), *announcements(HUB, plan.host, port))
        if process.is_first
        else ()
    )
    hub = startup.start_hub(plan.database, plan.hub_settings(port), workers)
    LOG.info("version %s: events in %s", version("tablescore"), plan.place)
    startup.tidy_seldom()
    if plan.checks:
        hub.check_clients(click.echo)
    return hub


def start_text(plan: HubPlan, port: int, keys: Keys, *, directed: bool) -> str:
    """What is printed at the start: where the events are, how to get in, who may look on."""
    addresses = plan.addresses(port)
    if is_loopback(plan.host):
        reach = "closed; --host 0.0.0.0 lets tables and phones in"
    else:
        reach = "open; only who signs in, or has a table's or player's own key, changes anything"
    if plan.viewers == "open":
        viewers = "everybody who reaches it may look on"
    else:
        viewers = f"who types the viewing code {keys.viewing}"
    set_up = f"  set up   {addresses[0]}set-up/{keys.set_up}"
    lines = [
        "Tablescore: the hub of an event",
        f"  events   {plan.place}",
        *([] if directed or plan.checks else [set_up, "           first: your name and password"]),
        *(f"  open     {address}" for address in addresses),
        f"  network  {reach}",
        f"  viewers  {viewers}",
        *([f"  workers  {plan.workers}"] if plan.workers > 1 else []),
        "  stop     Ctrl-C",
    ]
    return "".join(f"{line}\n" for line in lines)


@click.command(epilog="Example: tablescore publish /var/www/cup --every 15")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--database", metavar="URL", help="The hub's database.")
@click.option("--event", "events", multiple=True, metavar="ID", help="Only this event; repeatable.")
@click.option(
    "--language", type=click.Choice(tuple(HUB_LANGUAGES)), default="en", help="Of the pages."
)
@click.option("--every", type=click.IntRange(1, 86_400), metavar="SECONDS", help="Again so often.")
def publish(
    *, folder: Path, database: str | None, events: tuple[str, ...], language: str, every: int | None
) -> None:
    """Write the public results of a hub into DIR: pages, style and JSON, for any web host.

    Without --database it reads the hub in your data folder, which may be running; without --event
    it takes all events but tests. Only what changed is written, each file as a whole, so that DIR
    may be served or copied at any moment. Who gets the files sees names, clubs, seats and
    results.
    """
    with closing(stored_hub(database)) as store:
        settings = HubSettings("http://localhost", frozenset({"localhost"}))
        published = startup.hub_of(store, settings, utc_now)
        app = create_hub_app(published, startup.secret_of(store))
        while True:
            try:
                with app.test_request_context(headers={"Accept-Language": language}):
                    changed = write_site(folder, site_files(published, events))
            except (ScoreboardError, OSError) as error:
                if every is None:
                    raise
                click.echo(f"Not published, trying again: {error}", err=True)
            else:
                click.echo(f"{folder}: {changed} files changed.")
            if every is None:
                return
            time.sleep(every)
