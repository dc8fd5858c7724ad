"""News in a database: kept with what they tell, in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, bindparam, insert, select, update

from scoreboard.storage.database import Database
from scoreboard.tournament.protocol.changes import ChangeEvent, Topic
from scoreboard.tournament.protocol.throttle import Throttle
from scoreboard.tournament.storage.change_notifier import ChangeNotifier
from scoreboard.tournament.storage.long_poll import MOST_AT_ONCE, first_changes
from scoreboard.tournament.storage.postgres_listener import PostgresListener
from scoreboard.tournament.storage.tables import NEWS, NEWS_COUNT

ABOVE: Final = (
    select(NEWS.c.sequence, NEWS.c.topic, NEWS.c.about, NEWS.c.through)
    .where(NEWS.c.sequence > bindparam("after"))
    .order_by(NEWS.c.sequence)
    .limit(MOST_AT_ONCE)
)
LATEST: Final = select(NEWS_COUNT.c.sequence)
TELL: Final = insert(NEWS)
REST_SECONDS: Final = 0.05  # between two readings of who listens on and on


class SqlChangeLog:
    """Keeps the contract of `scoreboard.tournament.hub.ports.ChangeLog`.

    Within the process a bell wakes the listeners; with PostgreSQL an ear rings it for what
    other processes tell. SQLite wakes nobody else: a hub on SQLite is one process.

    On a busy evening news come faster than they are read: who listens again at once rests before
    reading, and reads many of them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._notifier = ChangeNotifier()
        self._resting = Throttle(REST_SECONDS)
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
        """Whether news of other processes arrive."""
        return self._database.dialect.reaches_processes

    def close(self) -> None:
        """Stop listening to other processes."""
        if self._listener is not None:
            self._listener.close()

    def latest(self) -> int:
        """The sequence of the last news, 0 before the first. Raises StoreError."""
        with self._database.glancing() as connection:
            latest: int = connection.execute(LATEST).scalar_one()
        return latest

    def listen(self, after: int, wait_seconds: float) -> tuple[ChangeEvent, ...]:
        """The news above `after`, in order; waits for the first of them.

        Raises:
            StoreError: the database cannot be read now; ask again with the same `after`.
        """
        if self._listener is not None:
            self._listener.open()
        if wait_seconds > REST_SECONDS:
            self._resting.rest()
        return first_changes(lambda: self._above(after), self._notifier, wait_seconds)

    @contextmanager
    def telling(self) -> Iterator[Connection]:
        """A writing transaction whose news are heard when it is kept. Raises StoreError."""
        with self._database.writing() as connection:
            yield connection
        self._notifier.ring()

    def publish(self, connection: Connection, topic: Topic, about: str, through: int) -> None:
        """Tell one change within the transaction that makes it, as its last statements."""
        self.publish_all(connection, [(topic, about, through)])

    def publish_all(self, connection: Connection, told: Sequence[tuple[Topic, str, int]]) -> None:
        """Tell changes, each as (topic, about, through), in their order, as `publish` does.

        From here to its end the transaction holds the count, and others wait.
        """
        if not told:
            return
        last = connection.execute(self._counting, {"more": len(told)}).scalar_one()
        rows = [
            {"sequence": sequence, "topic": topic, "about": about, "through": through}
            for sequence, (topic, about, through) in enumerate(told, start=last - len(told) + 1)
        ]
        connection.execute(TELL, rows)

    def _above(self, after: int) -> tuple[ChangeEvent, ...]:
        with self._database.glancing() as connection:
            rows = connection.execute(ABOVE, {"after": after}).all()
        return tuple(ChangeEvent(*row) for row in rows)
