"""The hub put together, after the fork: database and threads don't survive one."""

from __future__ import annotations

import gc
import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime
from functools import partial
from random import SystemRandom
from typing import Final

from argon2 import PasswordHasher

from scoreboard.storage import database_path, lock_database
from scoreboard.tournament.hub.admission import Admission
from scoreboard.tournament.hub.registry import Registrar
from scoreboard.tournament.hub.table_api import TableApi
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store
from scoreboard.worker import Worker
from web.hub.accounts import has_director
from web.hub.app import create_hub_app
from web.hub.client_check import check_clients
from web.hub.credentials import Keys, Passwords
from web.hub.desk import publish_due
from web.hub.hub import Hub, HubSettings, RoundClocks
from web.hub.rankings import Rankings
from web.shared.clocks import utc_now

SECRET_BYTES: Final = 32
LOG: Final = logging.getLogger(__name__)
PUBLISHING_SECONDS: Final = 2.0  # between two looks at what is due
BACKUP_SECONDS: Final = 3600.0  # between two looks whether today's backup was made
ORDERS_REST_SECONDS: Final = 0.05
TIDYING: Final = (50_000, 50, 100)  # see `gc.set_threshold`


class RunningHub:
    """A running hub: its pages and its threads."""

    alive: Final = True  # all its work is done in requests, and the server's own loop is watched

    def __init__(
        self, store: SqlHubStore, settings: HubSettings, workers: Sequence[Worker] = ()
    ) -> None:
        """Build the hub and finish what a killed one left undone. Raises StoreError."""
        self._store = store
        self._hub = hub_of(store, settings, utc_now)
        due = Worker("publishing", partial(publish_due, self._hub), PUBLISHING_SECONDS)
        copies = Worker("backups", lambda: store.back_up(utc_now().astimezone()), BACKUP_SECONDS)
        self._workers = (*workers, due, copies)
        self._hub.table_api.examine_all()
        self.app: Final = create_hub_app(self._hub, secret_of(store))
        for each in self._workers:
            each.start()

    def check_clients(self, report: Callable[[str], object]) -> None:
        """Open an event to check programs of tables against, and report their faults."""
        check_clients(self._hub, self.app, report)

    def close(self) -> None:
        for each in self._workers:
            each.stop()
        self._store.close()


def hub_of(store: SqlHubStore, settings: HubSettings, clock: Callable[[], datetime]) -> Hub:
    """Build a hub over this store; starts nothing."""
    keys, chance = Keys(secret_of(store)), SystemRandom()
    service = TournamentService(store, clock, keys.signing, ORDERS_REST_SECONDS)
    admission = Admission(store.people, clock, chance)
    table_api = TableApi(store, service, admission, clock, settings.life)
    return Hub(
        store=store,
        service=service,
        admission=admission,
        table_api=table_api,
        settings=settings,
        keys=keys,
        passwords=Passwords(PasswordHasher()),
        round_clocks=RoundClocks(service),
        rankings=Rankings(),
        registrar=Registrar(store, service),
        clock=clock,
        chance=chance,
    )


def start_hub(database: str, settings: HubSettings, workers: Sequence[Worker] = ()) -> RunningHub:
    """Open the database, and start the hub and its workers. Raises StoreError, SchemaError."""
    return RunningHub(open_hub_store(database), settings, workers)


def tidy_seldom() -> None:
    """Collect seldom: a full collection of hundreds of games stops every page for long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*TIDYING)


def secret_of(store: SqlHubStore) -> str:
    """The hub's secret, created at its first start."""
    return store.people.session_secret(secrets.token_urlsafe(SECRET_BYTES))


def set_password(store: SqlHubStore, name: str, password: str) -> None:
    """Set an account's password, which ends its sessions. Raises ScoreboardError."""
    store.people.set_password(name, Passwords(PasswordHasher()).hashed(password))


@contextmanager
def reserved(database: str) -> Iterator[None]:
    """Lock a database file for this hub; a server may have several. Raises StoreError."""
    in_file = database_path(database) is not None
    with lock_database(database) if in_file else nullcontext():
        yield


def first_words(database: str) -> tuple[Keys, bool]:
    """The hub's keys, and whether there is a director. Raises StoreError."""
    store = open_hub_store(database)
    try:
        return Keys(secret_of(store)), has_director(store)
    finally:
        store.close()
