"""What is particular about PostgreSQL: a server that can be away, row locks, NOTIFY, SQLSTATEs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Engine,
    Insert,
    Table,
    create_engine,
    func,
    inspect,
    text,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError, OperationalError

from scoreboard.errors import SchemaError, StoreError
from scoreboard.phrase import Phrase, phrase

DRIVER: Final = "postgresql+psycopg"
CHANNEL: Final = "tablescore_news"
SCHEMA_LOCK: Final = 0x7AB1E5C0  # the number of the advisory lock under which tables are made
SESSION: Final = " ".join(
    f"-c {setting}"
    for setting in (
        "synchronous_commit=on",  # whatever the server's habit: a power cut takes nothing back
        "lock_timeout=5s",
        "idle_in_transaction_session_timeout=30s",  # a stopped process must not stop the others
    )
)
CONNECTING: Final[Mapping[str, str | int]] = {
    "application_name": "tablescore",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # milliseconds until a cable that was pulled is noticed
}
AWAY: Final = ("08", "57P")  # no connection; shutting down or starting up


class PostgresqlDialect:
    """A database of a PostgreSQL server; keeps `scoreboard.store.dialect.Dialect`."""

    reading: Mapping[str, Any] = {
        "isolation_level": "REPEATABLE READ",
        "postgresql_readonly": True,
    }
    # One statement sees one moment anyway: without BEGIN and COMMIT it is one way instead of three.
    glancing: Mapping[str, Any] = {"isolation_level": "AUTOCOMMIT"}
    writing: Mapping[str, Any] = {}
    reaches_processes = True
    telling: tuple[ColumnElement[Any], ...] = (func.pg_notify(CHANNEL, ""),)

    def __init__(self, url: URL) -> None:
        self._url = url.set(drivername=DRIVER)
        shown = URL.create("postgresql", url.username, None, url.host, url.port, url.database)
        self.name = shown.render_as_string()

    def engine(self) -> Engine:
        """Connections to the server; one that died meanwhile is replaced before it is used."""
        given = {name: value for name, value in CONNECTING.items() if name not in self._url.query}
        options = f"{self._url.query.get('options', '')} {SESSION}"
        return create_engine(
            self._url, pool_pre_ping=True, connect_args={**given, "options": options}
        )

    def insert_missing(self, table: Table) -> Insert:
        """An INSERT that leaves out the rows whose keys are there already."""
        return insert(table).on_conflict_do_nothing()

    def claim_schema(self, connection: Connection) -> None:
        """Take the lock under which one process makes tables and the others wait."""
        connection.execute(text(f"SELECT pg_advisory_xact_lock({SCHEMA_LOCK})"))

    def stored_version(self, connection: Connection, version_table: str) -> int | None:
        """Alembic's mark, None for an empty database. Raises SchemaError for another program's."""
        tables = inspect(connection).get_table_names()
        if not tables:
            return None
        if version_table not in tables:
            raise _foreign(self.name)
        mark = connection.execute(text(f"SELECT version_num FROM {version_table}"))  # noqa: S608 -- a name of ours
        return int(mark.scalar_one())

    def mark_version(self, connection: Connection, version: int) -> None:
        """Alembic's table is all the mark that is needed."""

    def fault(self, error: DBAPIError) -> StoreError:
        """The sentence for what the server or the way to it reports; never with a password."""
        state = getattr(error.orig, "sqlstate", None) or ""
        away = isinstance(error, OperationalError) and (not state or state.startswith(AWAY))
        fault = (str(error.orig).strip().splitlines() or [""])[0]
        return StoreError(_away(self.name, fault) if away else _refusal(state, self.name, fault))


def _foreign(name: str) -> SchemaError:
    return SchemaError(
        phrase("{name} belongs to another program; name another database.", name=name)
    )


def _away(name: str, fault: str) -> Phrase:
    return phrase(
        "The database server of {name} does not answer ({fault}); start it or mend its "
        "address, then try again.",
        name=name,
        fault=fault,
    )


def _refusal(state: str, name: str, fault: str) -> Phrase:
    match state:
        case "55P03" | "40P01" | "40001":  # a lock not had in time, a deadlock, a serialisation
            return phrase("{name} is too busy; try again in a moment.", name=name)
        case "53100":
            return phrase("The disk with {name} is full; make room, then try again.", name=name)
        case "42501" | "25006":
            return phrase(
                "{name} cannot be written; give its user the right to, or name another database.",
                name=name,
            )
        case _:
            return phrase(
                "{name} cannot be used ({fault}); look at the server’s log.",
                name=name,
                fault=fault,
            )
