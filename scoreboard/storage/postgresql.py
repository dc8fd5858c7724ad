"""PostgreSQL's differences: a server that can be away, row locks, NOTIFY, SQLSTATEs."""

from __future__ import annotations

import select
from collections.abc import Mapping
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, cast

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.engine import Dialect as SqlDialect
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, InvalidatePoolError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from scoreboard.errors import SchemaError, StoreError
from scoreboard.message import Message, message
from scoreboard.storage.dialect import Dialect

if TYPE_CHECKING:  # who keeps their games in a file has no need of it
    import psycopg

DRIVER: Final = "postgresql+psycopg"
CHANNEL: Final = "tablescore_news"
CLAIM_LOCK: Final = 0x7AB1E5C0  # the number of the advisory lock of who claims the database
SESSION: Final = (
    "-c synchronous_commit=on "  # whatever the server's habit: a power cut takes nothing back
    "-c lock_timeout=5s "
    "-c idle_in_transaction_session_timeout=30s"  # a stopped process must not stop the others
)
CONNECTING: Final[Mapping[str, str | int]] = {
    "application_name": "tablescore",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # milliseconds until a cable that was pulled is noticed
}
RESTS_SINCE: Final = "tablescore_rests_since"  # of `monotonic`, kept with a pooled connection
TRUSTED_SECONDS: Final = 1.0  # of rest after which a connection is asked whether it lives
AWAY: Final = ("08", "57P")  # no connection; shutting down or starting up


class PostgresqlDialect(Dialect):
    """A database of a PostgreSQL server."""

    reading: Mapping[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    # One statement is consistent anyway: without BEGIN and COMMIT it is one round trip, not three.
    glancing: Mapping[str, Any] = {"isolation_level": "AUTOCOMMIT"}
    writing: Mapping[str, Any] = {}
    reaches_processes = True
    path = None
    telling: tuple[sa.ColumnElement[Any], ...] = (sa.func.pg_notify(CHANNEL, ""),)

    def __init__(self, url: sa.URL) -> None:
        self._url = url.set(drivername=DRIVER)
        shown = sa.URL.create("postgresql", url.username, None, url.host, url.port, url.database)
        self.name = shown.render_as_string()

    def engine(self) -> sa.Engine:
        """Connections to the server; one that died at rest is replaced before it is used.

        One that rested for less than a second is checked only if the server has sent something, as
        it does at its end: on a busy evening checks would be half of the traffic.
        """
        given = {name: value for name, value in CONNECTING.items() if name not in self._url.query}
        options = f"{self._url.query.get('options', '')} {SESSION}"
        engine = sa.create_engine(
            self._url,
            connect_args={**given, "options": options},
            hide_parameters=True,  # a fault's trace would tell the hub's codes and hashes
        )

        def note_rest(_connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
            record.info[RESTS_SINCE] = monotonic()

        # Many rows are one statement, as in a file: a tenth less of a hub's time for them.
        engine.dialect.use_insertmanyvalues_wo_returning = True
        sa.event.listen(engine, "checkin", note_rest)
        sa.event.listen(engine, "checkout", partial(_require_alive, engine.dialect))
        return engine

    def insert_missing(self, table: sa.Table) -> sa.Insert:
        return insert(table).on_conflict_do_nothing()

    def claim(self, connection: sa.Connection) -> None:
        """Take the lock under which one transaction goes on and the others wait."""
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({CLAIM_LOCK})"))

    def stored_version(self, connection: sa.Connection, version_table: str) -> int | None:
        tables = sa.inspect(connection).get_table_names()
        if not tables:
            return None
        if version_table not in tables:
            raise SchemaError.worded(
                "{name} belongs to another program; name another database.", name=self.name
            )
        mark = connection.execute(sa.text(f"SELECT version_num FROM {version_table}"))  # noqa: S608 -- a name of ours
        return int(mark.scalar_one())

    def fault(self, error: DBAPIError | UnicodeDecodeError) -> StoreError:
        """The sentence for a fault of the server or the way to it; never with a password."""
        if isinstance(error, UnicodeDecodeError):
            return StoreError(_refusal("", self.name, str(error)))
        state = getattr(error.orig, "sqlstate", None) or ""
        away = isinstance(error, OperationalError) and (not state or state.startswith(AWAY))
        fault = (str(error.orig).strip().splitlines() or [""])[0]
        if not away:
            return StoreError(_refusal(state, self.name, fault))
        return StoreError.worded(
            "The database server of {name} does not answer ({fault}); start it or mend its "
            "address, then try again.",
            name=self.name,
            fault=fault,
        )


def _require_alive(
    dialect: SqlDialect,
    connection: DBAPIConnection,
    record: ConnectionPoolEntry,
    _proxy: PoolProxiedConnection,
) -> None:
    """A connection leaves the pool. Raises InvalidatePoolError if it has died at rest."""
    if RESTS_SINCE not in record.info:
        return
    rested, waiting = monotonic() - record.info[RESTS_SINCE], select.poll()
    waiting.register(cast("psycopg.Connection", connection), select.POLLIN)
    if rested < TRUSTED_SECONDS and not waiting.poll(0):  # the server has sent nothing unasked
        return
    try:
        dialect.do_ping(connection)
    except dialect.loaded_dbapi.Error as error:
        raise InvalidatePoolError from error


def _refusal(state: str, name: str, fault: str) -> Message:
    match state:
        case "55P03" | "40P01" | "40001":  # a lock not had in time, a deadlock, a serialisation
            return message("{name} is too busy; try again in a moment.", name=name)
        case "53100":
            return message("The disk with {name} is full; make room, then try again.", name=name)
        case "42501" | "25006":
            return message(
                "{name} cannot be written; give its user the right to, or name another database.",
                name=name,
            )
        case _:
            return message(
                "{name} cannot be used ({fault}); look at the server’s log.", name=name, fault=fault
            )
