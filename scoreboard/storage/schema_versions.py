"""Brings a database to this version's tables: an empty one, or one of an older Tablescore."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    delete,
    insert,
)

from scoreboard.errors import SchemaError
from scoreboard.message import message
from scoreboard.storage.dialect import Dialect

VERSION: Final = 18  # the number of steps in `migrations`
FIRST_VERSION: Final = 1  # the first one released
VERSION_TABLE: Final = "tablescore_version"
# As Alembic makes its own: earlier versions left that to it.
_MARK: Final = Table(
    VERSION_TABLE,
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)


def prepare(connection: Connection, dialect: Dialect) -> None:
    """Make or update the tables, or do nothing if they are of this version.

    All or nothing, in the transaction of `connection`.

    Raises:
        SchemaError: another program or a newer Tablescore wrote the database.
        StoreError: there is no room for the copy of an older one.
    """
    dialect.claim(connection)
    stored = dialect.stored_version(connection, VERSION_TABLE)
    if stored == VERSION:
        return
    if stored is not None and not FIRST_VERSION <= stored < VERSION:
        raise _other_version(dialect, stored)
    if stored is not None:
        dialect.keep_before_migration(stored)
    _migrate(connection, stored)
    dialect.mark_version(connection, VERSION)


def _migrate(connection: Connection, stored: int | None) -> None:
    """Take the steps above `stored`. Alembic is loaded here: most starts need none of it."""
    from alembic.operations import Operations  # noqa: PLC0415 -- see above
    from alembic.runtime.migration import MigrationContext  # noqa: PLC0415

    from scoreboard.storage.migrations import STEPS  # noqa: PLC0415

    with Operations.context(MigrationContext.configure(connection)):
        for step in STEPS[stored or 0 :]:
            step()
    _MARK.create(connection, checkfirst=True)
    connection.execute(delete(_MARK))
    connection.execute(insert(_MARK).values(version_num=f"{VERSION:04}"))


def _other_version(dialect: Dialect, version: int) -> SchemaError:
    gaps: dict[str, str | float] = {"name": dialect.name, "stored": version, "known": VERSION}
    if version < VERSION:
        return SchemaError(
            message(
                "{name} was written by an older Tablescore (schema {stored}, this one writes "
                "{known}); export its games with that version, then name another file.",
                **gaps,
            )
        )
    command = dialect.way_back(VERSION)
    if command is None:
        return SchemaError(
            message(
                "{name} was written by a newer Tablescore (schema {stored}, this one knows "
                "{known}); update Tablescore, or name another file.",
                **gaps,
            )
        )
    return SchemaError(
        message(
            "{name} was written by a newer Tablescore (schema {stored}, this one knows {known}); "
            "update Tablescore, or go back to its copy from before: {command}",
            **gaps,
            command=command,
        )
    )
