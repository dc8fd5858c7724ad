"""The tables of games, events, photos, devices and players, and bringing a database to them.

`migrations` creates them; a test compares the two.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    delete,
    insert,
)

from scoreboard.dice import FACES
from scoreboard.errors import SchemaError
from scoreboard.storage.dialect import Dialect

METADATA: Final = MetaData()

GAMES_TABLE: Final = Table(
    "games",
    METADATA,
    Column("opened", Integer, primary_key=True),
    Column("game_id", String, nullable=False, unique=True),
    *(Column(name, String, nullable=False) for name in ("game", "players", "opened_at", "options")),
    sqlite_autoincrement=True,
)

EVENTS_TABLE: Final = Table(
    "events",
    METADATA,
    Column("game_id", String, ForeignKey("games.game_id", ondelete="CASCADE"), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("recorded_at", String, nullable=False),
    Column("source", String, nullable=False),
    Column("step", Integer, nullable=False),
    Column("event", String, nullable=False),
    Column("confirmed_by", String, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

# Which games are in the bin, and since when; taking one back deletes its row.
BIN_TABLE: Final = Table(
    "bin",
    METADATA,
    Column("game_id", String, ForeignKey("games.game_id", ondelete="CASCADE"), primary_key=True),
    Column("deleted_at", String, nullable=False),
)

# The status of each game, so that no list need replay it: a cache whose rows may all be deleted.
STANDINGS_TABLE: Final = Table(
    "standings",
    METADATA,
    Column("game_id", String, ForeignKey("games.game_id", ondelete="CASCADE"), primary_key=True),
    *(Column(name, Integer, nullable=False) for name in ("events", "finished", "abandoned")),
    Column("totals", String, nullable=False),
)

# Each player's part of a finished game, for statistics: a cache like the standings, true as long as
# `events` is that of the game's standing.
FINISHED_TABLE: Final = Table(
    "finished_games",
    METADATA,
    Column("game_id", String, ForeignKey("games.game_id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("events", Integer, nullable=False),
    *(
        Column(name, String, nullable=False)
        for name in ("game", "rules", "finished_at", "finished_on", "name")
    ),
    Column("players", Integer, nullable=False),
    Column("total", Integer),
    Column("place", Integer, nullable=False),
    Column("boxes", String, nullable=False),
    Column("yahtzees", Integer),
    Column("bonus", Integer),
    *(Column(f"rolled_{face}", Integer, nullable=False) for face in FACES),
    Column("dice", String, nullable=False),
    Column("luck", Float),
    Column("costs", Float),
)

# Who may do what at the page of a table. Of a device's secret only the SHA-256 is stored; one that
# was removed stays, because events may name it.
DEVICES_TABLE: Final = Table(
    "devices",
    METADATA,
    Column("device_id", String, primary_key=True),
    *(Column(name, String, nullable=False) for name in ("name", "role")),
    Column("secret_sha256", String, nullable=False, unique=True),
    Column("created_at", String, nullable=False),
    *(Column(name, String) for name in ("used_at", "revoked_at")),
)

# Who plays here, one row a person. The photo, a small JPEG, is read only where it is asked for.
PROFILES_TABLE: Final = Table(
    "profiles",
    METADATA,
    Column("profile_id", String, primary_key=True),
    *(Column(name, String, nullable=False) for name in ("name", "colour", "initial", "emoji")),
    Column("hidden", Integer, nullable=False),
    Column("photo", LargeBinary),
)

_OWNER: Final = ForeignKey("profiles.profile_id", ondelete="CASCADE")
# By which names games know a person: each name is one person's.
PROFILE_NAMES_TABLE: Final = Table(
    "profile_names",
    METADATA,
    Column("name", String, primary_key=True),
    Column("profile_id", String, _OWNER, nullable=False),
)

# The frame behind each confirmed step, as JPEG; `seen` is JSON: what was read there and corrected.
SCORE_PHOTOS_TABLE: Final = Table(
    "score_photos",
    METADATA,
    Column("game_id", String, ForeignKey("games.game_id", ondelete="CASCADE"), primary_key=True),
    Column("step", Integer, primary_key=True, autoincrement=False),
    Column("taken_at", String, nullable=False),
    Column("jpeg", LargeBinary, nullable=False),
    Column("seen", String, nullable=False),
)

VERSION: Final = 18  # the number of steps in `migrations`
FIRST_VERSION: Final = 1  # the first one released
VERSION_TABLE: Final = "tablescore_version"
# The version table: as Alembic makes its own, which earlier versions left to it.
_MARK: Final = Table(
    VERSION_TABLE,
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)


def prepare(connection: Connection, dialect: Dialect) -> None:
    """Make or update the tables, all or nothing, in the transaction of `connection`.

    Raises SchemaError if another program or a newer Tablescore wrote the database, StoreError if
    there is no room for the copy of an older one.
    """
    dialect.claim(connection)
    stored = dialect.stored_version(connection, VERSION_TABLE)
    if stored == VERSION:
        return
    if stored is not None and not FIRST_VERSION <= stored < VERSION:
        raise _other_version(dialect, stored)
    if stored is not None:
        dialect.keep_before_migration(stored)

    from alembic.operations import Operations  # noqa: PLC0415 -- most starts need none of it
    from alembic.runtime.migration import MigrationContext  # noqa: PLC0415 -- as above

    from scoreboard.storage.migrations import STEPS  # noqa: PLC0415 -- as above

    with Operations.context(MigrationContext.configure(connection)):
        for step in STEPS[stored or 0 :]:
            step()
    _MARK.create(connection, checkfirst=True)
    connection.execute(delete(_MARK))
    connection.execute(insert(_MARK).values(version_num=f"{VERSION:04}"))
    dialect.mark_version(connection, VERSION)


def _other_version(dialect: Dialect, version: int) -> SchemaError:
    gaps: dict[str, str | float] = {"name": dialect.name, "stored": version, "known": VERSION}
    command = dialect.way_back(VERSION)
    if version < VERSION:
        return SchemaError.worded(
            "{name} was written by an older Tablescore (schema {stored}, this one writes "
            "{known}); export its games with that version, then name another file.",
            **gaps,
        )
    if command is None:
        return SchemaError.worded(
            "{name} was written by a newer Tablescore (schema {stored}, this one knows "
            "{known}); update Tablescore, or name another file.",
            **gaps,
        )
    return SchemaError.worded(
        "{name} was written by a newer Tablescore (schema {stored}, this one knows {known}); "
        "update Tablescore, or go back to its copy from before: {command}",
        **gaps,
        command=command,
    )
