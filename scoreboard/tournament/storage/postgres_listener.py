"""An ear at PostgreSQL: rings this process's bell when any process tells news."""

from __future__ import annotations

import logging
from threading import Event, Lock, Thread
from typing import Final, cast

import psycopg
from sqlalchemy import Engine
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from scoreboard.storage.postgresql import CHANNEL
from scoreboard.tournament.storage.change_notifier import ChangeNotifier

LISTENING_SECONDS: Final = 0.2  # how long closing may have to wait
DEAF_SECONDS: Final = 0.2  # between two attempts to reach a server that is away
LOG: Final = logging.getLogger(__name__)


class PostgresListener:
    """Listens in a thread of its own, on a connection of its own, and restores it when it breaks.

    After each breaking it rings, whatever was told meanwhile: those who wait read again.
    """

    def __init__(self, engine: Engine, notifier: ChangeNotifier) -> None:
        self._engine = engine
        self._notifier = notifier
        self._closing = Event()
        self._opening = Lock()
        self._thread: Thread | None = None

    def open(self) -> None:
        """Begin to listen, where that has not begun."""
        with self._opening:
            if self._thread is None and not self._closing.is_set():
                self._thread = Thread(target=self._listen, name="news", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop for good, and wait for the thread's end."""
        with self._opening:
            self._closing.set()
        if self._thread is not None:
            self._thread.join()

    def _listen(self) -> None:
        while not self._closing.is_set():
            try:
                self._listen_until_broken()
            except (psycopg.Error, PoolTimeoutError) as error:
                # Those who wait are told by their own reading, and read at their time's end.
                LOG.warning("News of other processes come late until the server answers: %s", error)
                self._closing.wait(DEAF_SECONDS)

    def _listen_until_broken(self) -> None:
        with self._connection() as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self._notifier.ring()
            while not self._closing.is_set():
                for _ in connection.notifies(timeout=LISTENING_SECONDS):
                    self._notifier.ring()

    def _connection(self) -> psycopg.Connection:
        """A connection like the pool's, but none of the pool's any more."""
        pooled = self._engine.raw_connection()
        connection = cast("psycopg.Connection", pooled.driver_connection)
        pooled.detach()
        connection.autocommit = True
        return connection
