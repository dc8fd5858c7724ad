"""Change notifications: a tournament's record or a game now has entries up to N.

    with feed.publishing() as connection:
        ...  # what changes
        feed.publish(connection, [("game", "g1", 7)])

    with feed.subscribed(lambda versions: "open" in versions) as subscription:
        ...  # read; what changes from here on wakes the subscription
        subscription.wait(5.0)

They are stored in one transaction with the change itself. One thread of each process reads them,
and wakes only the concerned subscriptions: a thousand waiting ones cost the store no more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from threading import Event, Lock
from typing import TYPE_CHECKING, Final, cast

from sqlalchemy import Connection, bindparam, insert, select, update

from scoreboard.storage.database import Database
from scoreboard.storage.postgresql import CHANNEL
from scoreboard.tournament.protocol.audit_log import ChangeEvent, Topic
from scoreboard.tournament.storage.tables import NEWS, NEWS_COUNT
from scoreboard.worker import Worker

if TYPE_CHECKING:
    import psycopg

POLL_SECONDS: Final = 0.5  # without a notification it reads then; closing may have to wait as long
REST_SECONDS: Final = 0.05  # between two readings: on a busy evening one reads many changes
ABOVE: Final = (
    select(NEWS.c.sequence, NEWS.c.topic, NEWS.c.about, NEWS.c.through)
    .where(NEWS.c.sequence > bindparam("after"))
    .order_by(NEWS.c.sequence)
)
Change = tuple[Topic, str, int]  # topic, about, through
Concern = Callable[[Mapping[str, int]], bool]


class Subscription:
    """A waiter for changes of its concern."""

    def __init__(self, concern: Concern) -> None:
        self._concern = concern
        self._woken = Event()

    def wait(self, seconds: float) -> bool:
        """Wait for a change since the last call; False when the time passed without one."""
        is_woken = self._woken.wait(seconds)
        self._woken.clear()
        return is_woken

    def offer(self, versions: Mapping[str, int]) -> None:
        """Wake it if the changes concern it, or if that is unknown now."""
        try:
            if not self._concern(versions):
                return
        except Exception:  # noqa: BLE001, S110 -- who waits asks again, and raises it where it is seen
            pass
        self.wake()

    def wake(self) -> None:
        self._woken.set()


class ChangeFeed:
    """The changes of a hub's store. Thread-safe.

    With PostgreSQL changes of other processes arrive at once, by LISTEN and NOTIFY. SQLite notifies
    no other process, and a hub on SQLite is one process.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counting = (
            update(NEWS_COUNT)
            .values(sequence=NEWS_COUNT.c.sequence + bindparam("more"))
            .returning(NEWS_COUNT.c.sequence, *database.dialect.telling)
        )
        self._lock = Lock()
        self._subscriptions: set[Subscription] = set()
        self._newest: dict[str, ChangeEvent] = {}  # of each tournament that changed
        self._unrecorded: dict[str, int] = {}  # and its last change without a new record
        self._begun = 0  # the sequence of the last change before the first subscription
        self.published = 0  # the sequence of the last change passed to subscriptions
        self._news = Event()
        self._closing = Event()
        self._reader = Worker("changes", self._read)  # begins with the first subscription

    @property
    def closed(self) -> bool:
        """Whether it was closed: then no more notifications come."""
        return self._closing.is_set()

    def close(self) -> None:
        """Wake everybody, and stop reading for good."""
        with self._lock:
            self._closing.set()
            for subscription in self._subscriptions:
                subscription.wake()
        self._news.set()
        self._reader.stop(None)

    def latest(self) -> int:
        """The sequence of the last change, 0 before the first. Raises StoreError."""
        return self._database.value(select(NEWS_COUNT.c.sequence)) or 0

    def since(self, after: int) -> tuple[ChangeEvent, ...]:
        """All changes above the sequence `after` that are stored now, in order. Raises StoreError.

        Asking with the last received sequence misses nothing.
        """
        return tuple(ChangeEvent(*row) for row in self._database.rows(ABOVE, {"after": after}))

    def version(self, tournament_id: str) -> int:
        """The last published record of a tournament; 0 if there was none."""
        newest = self._newest.get(tournament_id)
        return 0 if newest is None else newest.through

    def unrecorded(self, tournament_id: str) -> int:
        """The sequence of a tournament's last change outside its record, or of the feed's begin."""
        return self._unrecorded.get(tournament_id, self._begun)

    @contextmanager
    def subscribed(self, concern: Concern) -> Iterator[Subscription]:
        """Be woken by every change of concern from now on. Raises StoreError.

        `concern` is called in another thread, with the last record of each tournament that changed:
        none if only games did.
        """
        subscription = Subscription(concern)
        with self._lock:
            if not self._reader.alive and not self.closed:
                self.published = self._begun = self.latest()
                self._reader.start()
            self._subscriptions.add(subscription)
            if self.closed:
                subscription.wake()
        try:
            yield subscription
        finally:
            with self._lock:
                self._subscriptions.remove(subscription)

    @contextmanager
    def publishing(self) -> Iterator[Connection]:
        """A writing transaction; subscriptions are woken when it is kept. Raises StoreError."""
        with self._database.writing() as connection:
            yield connection
        self._news.set()

    def publish(self, connection: Connection, changes: Sequence[Change]) -> None:
        """Publish changes within the transaction that makes them, as its last statement.

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
        connection.execute(insert(NEWS), rows)

    def _read(self) -> None:
        """Read new changes, until the end, and those delayed by a broken connection."""
        with self._notified() as wait:
            while not self.closed:
                self._tell(self.since(self.published))
                self._reader.works()
                self._closing.wait(REST_SECONDS)
                wait()

    def _tell(self, changes: Sequence[ChangeEvent]) -> None:
        if not changes:
            return
        ours = [each for each in changes if each.topic == "tournament"]
        versions = {each.about: each.through for each in ours}
        with self._lock:
            self.published = changes[-1].sequence
            for each in ours:
                if each.through <= self.version(each.about) or each.about not in self._newest:
                    self._unrecorded[each.about] = each.sequence
                self._newest[each.about] = each
            subscriptions = tuple(self._subscriptions)
        for subscription in subscriptions:
            subscription.offer(versions)

    @contextmanager
    def _notified(self) -> Iterator[Callable[[], object]]:
        """A wait for the next notification, of at most `POLL_SECONDS`."""
        if not self._database.dialect.reaches_processes:
            yield self._wait_for_own
            return
        pooled = self._database.engine.raw_connection()
        connection = cast("psycopg.Connection", pooled.driver_connection)
        pooled.detach()  # made by the pool, and taken out of it
        with closing(connection):
            connection.autocommit = True
            connection.execute(f"LISTEN {CHANNEL}")
            yield lambda: list(connection.notifies(timeout=POLL_SECONDS, stop_after=1))

    def _wait_for_own(self) -> None:
        self._news.wait(POLL_SECONDS)
        self._news.clear()
