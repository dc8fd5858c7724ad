"""The database's tables, and how a database tells which version of them it has."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    inspect,
)

from scoreboard.errors import SchemaError
from scoreboard.phrase import phrase

VERSION: Final = 1
APPLICATION_ID: Final = 0x7AB1E5C0  # marks the file as ours, for `file` too

METADATA: Final = MetaData()

GAMES_TABLE: Final = Table(
    "games",
    METADATA,
    Column("opened", Integer, primary_key=True),
    Column("game_id", String, nullable=False, unique=True),
    Column("game", String, nullable=False),
    Column("players", String, nullable=False),
    Column("opened_at", String, nullable=False),
    Column("options", String, nullable=False),
    sqlite_autoincrement=True,
)

EVENTS_TABLE: Final = Table(
    "events",
    METADATA,
    Column(
        "game_id",
        String,
        ForeignKey("games.game_id", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("recorded_at", String, nullable=False),
    Column("source", String, nullable=False),
    Column("step", Integer, nullable=False),
    Column("event", String, nullable=False),
    sqlite_with_rowid=False,
)


def prepare(connection: Connection, name: str) -> None:
    """Make the tables in an empty database, or check that the stored ones are of this version.

    `name` is the database as a person knows it, for the sentence.

    Raises:
        SchemaError: another program, an older or a newer Tablescore wrote the database.
    """
    version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    application = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
    if version == application == 0 and not inspect(connection).get_table_names():
        METADATA.create_all(connection)
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.exec_driver_sql(f"PRAGMA user_version = {VERSION}")
        return
    if application != APPLICATION_ID:
        raise _foreign(name)
    if version != VERSION:
        raise _other_version(name, version)


def _foreign(name: str) -> SchemaError:
    return SchemaError(
        phrase("{name} belongs to another program; name another file for the games.", name=name)
    )


def _other_version(name: str, version: int) -> SchemaError:
    if version > VERSION:
        return SchemaError(
            phrase(
                "{name} was written by a newer Tablescore (schema {stored}, this one knows "
                "{known}); update Tablescore, or name another file.",
                name=name,
                stored=version,
                known=VERSION,
            )
        )
    return SchemaError(
        phrase(
            "{name} was written by an older Tablescore (schema {stored}, this one writes "
            "{known}); export its games with that version, then name another file.",
            name=name,
            stored=version,
            known=VERSION,
        )
    )
