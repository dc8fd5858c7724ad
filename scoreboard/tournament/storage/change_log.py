"""Change notifications: this log now has entries up to N.

They are kept in one transaction with what they are about. Who waits reads, waits for the
notifier, and reads again; with PostgreSQL a listener notifies of what other processes kept.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Condition, Event, Lock, Thread
from time import monotonic
from typing import Final, cast

import psycopg
from sqlalchemy import Connection, Engine, bindparam, insert, select, update
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from scoreboard.storage.database import Database
from scoreboard.storage.postgresql import CHANNEL
from scoreboard.tournament.protocol.audit_log import ChangeEvent, Topic
from scoreboard.tournament.protocol.throttle import Throttle
from scoreboard.tournament.storage.tables import NEWS, NEWS_COUNT

MOST_AT_ONCE: Final = 1000  # changes in one answer
LISTENING_SECONDS: Final = 0.2  # the longest that closing may have to wait
DEAF_SECONDS: Final = 0.2  # between two attempts to reach a server that is away
LOG: Final = logging.getLogger(__name__)
ABOVE: Final = (
    select(NEWS.c.sequence, NEWS.c.topic, NEWS.c.about, NEWS.c.through)
    .where(NEWS.c.sequence > bindparam("after"))
    .order_by(NEWS.c.sequence)
    .limit(MOST_AT_ONCE)
)
LATEST: Final = select(NEWS_COUNT.c.sequence)
Change = tuple[Topic, str, int]  # topic, about, through
TELL: Final = insert(NEWS)
REST_SECONDS: Final = 0.05  # between two readings of a listener that asks again and again


class ChangeNotifier:
    """Counter plus condition variable; waiters compare counters, so no notification is lost."""

    def __init__(self) -> None:
        self._count = 0
        self._condition = Condition()

    @property
    def count(self) -> int:
        """The number of notifications so far."""
        with self._condition:
            return self._count

    def notify(self) -> None:
        """Wake all who wait."""
        with self._condition:
            self._count += 1
            self._condition.notify_all()

    def wait(self, heard: int, seconds: float) -> bool:
        """Wait for more than `heard` notifications; False when the time passed without."""
        with self._condition:
            return self._condition.wait_for(lambda: self._count > heard, seconds)


def first_changes(
    read: Callable[[], tuple[ChangeEvent, ...]], notifier: ChangeNotifier, wait_seconds: float
) -> tuple[ChangeEvent, ...]:
    """The first changes that `read` gives; empty when the time passes without any.

    The counter is read before each reading, so that a notification between reading and waiting
    counts. At the end it reads once more: a lost notification delays changes, and loses none.
    """
    end = monotonic() + wait_seconds
    while True:
        heard = notifier.count
        if change := read():
            return change
        if not notifier.wait(heard, max(0.0, end - monotonic())):
            return read()


class PostgresListener:
    """Notifies this process when any process keeps something, over a connection of its own.

    A broken connection is restored; after that it notifies, so that those who wait read again.
    """

    def __init__(self, engine: Engine, notifier: ChangeNotifier) -> None:
        self._engine = engine
        self._notifier = notifier
        self._closing = Event()
        self._opening = Lock()
        self._thread: Thread | None = None

    def open(self) -> None:
        """Begin to listen, unless it has begun."""
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
                # No change is lost: waiters read once more when their time is over.
                LOG.warning("News of other processes come late until the server answers: %s", error)
                self._closing.wait(DEAF_SECONDS)

    def _listen_until_broken(self) -> None:
        with self._connection() as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self._notifier.notify()
            while not self._closing.is_set():
                for _ in connection.notifies(timeout=LISTENING_SECONDS):
                    self._notifier.notify()

    def _connection(self) -> psycopg.Connection:
        """A connection made by the pool and taken out of it."""
        pooled = self._engine.raw_connection()
        connection = cast("psycopg.Connection", pooled.driver_connection)
        pooled.detach()
        connection.autocommit = True
        return connection


class SqlChangeLog:
    """The changes of a hub, in the order in which they were kept.

    SQLite notifies no other process: a hub on SQLite is one process. On a busy evening changes
    come faster than they are read: a listener that asks again at once pauses, and reads many.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._notifier = ChangeNotifier()
        self._throttle = Throttle(REST_SECONDS)
        self._counting = (
            update(NEWS_COUNT)
            .values(sequence=NEWS_COUNT.c.sequence + bindparam("more"))
            .returning(NEWS_COUNT.c.sequence, *database.dialect.telling)
        )
        self._listener = (
            PostgresListener(database.engine, self._notifier) if self.reaches_processes else None
        )

    @property
    def reaches_processes(self) -> bool:
        """Whether changes of other processes arrive."""
        return self._database.dialect.reaches_processes

    def close(self) -> None:
        """Stop listening to other processes."""
        if self._listener is not None:
            self._listener.close()

    def latest(self) -> int:
        """The sequence of the last change, 0 before the first. Raises StoreError."""
        with self._database.glancing() as connection:
            latest: int = connection.execute(LATEST).scalar_one()
        return latest

    def listen(self, after: int, wait_seconds: float) -> tuple[ChangeEvent, ...]:
        """The changes above `after`, in order; waits for the first of them.

        Raises:
            StoreError: the database cannot be read now; ask again with the same `after`.
        """
        if self._listener is not None:
            self._listener.open()
        if wait_seconds > REST_SECONDS:
            self._throttle.rest()
        return first_changes(lambda: self._above(after), self._notifier, wait_seconds)

    @contextmanager
    def telling(self) -> Iterator[Connection]:
        """A writing transaction; waiters are notified when it is kept. Raises StoreError."""
        with self._database.writing() as connection:
            yield connection
        self._notifier.notify()

    def publish(self, connection: Connection, topic: Topic, about: str, through: int) -> None:
        """Publish one change within the transaction that makes it, as its last statement."""
        self.publish_all(connection, [(topic, about, through)])

    def publish_all(
        self, connection: Connection, changes: Sequence[tuple[Topic, str, int]]
    ) -> None:
        """Publish changes in their order, as `publish` does.

        From here to its end the transaction holds the count, and others wait.
        """
        if not changes:
            return
        last = connection.execute(self._counting, {"more": len(changes)}).scalar_one()
        rows = [
            {"sequence": sequence, "topic": topic, "about": about, "through": through}
            for sequence, (topic, about, through) in enumerate(
                changes, start=last - len(changes) + 1
            )
        ]
        connection.execute(TELL, rows)

    def _above(self, after: int) -> tuple[ChangeEvent, ...]:
        with self._database.glancing() as connection:
            rows = connection.execute(ABOVE, {"after": after}).all()
        return tuple(ChangeEvent(*row) for row in rows)
