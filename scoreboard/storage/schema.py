"""The tables of games, events, photos, devices and players, and bringing a database to them.

`migrations` creates them; a test compares the two.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from scoreboard.dice import FACES
from scoreboard.errors import SchemaError
from scoreboard.storage.dialect import Dialect

METADATA: Final = sa.MetaData()

GAMES_TABLE: Final = sa.Table(
    "games",
    METADATA,
    sa.Column("opened", sa.Integer, primary_key=True),
    sa.Column("game_id", sa.String, nullable=False, unique=True),
    *(
        sa.Column(name, sa.String, nullable=False)
        for name in ("game", "players", "opened_at", "options")
    ),
    sqlite_autoincrement=True,
)

EVENTS_TABLE: Final = sa.Table(
    "events",
    METADATA,
    sa.Column(
        "game_id", sa.String, sa.ForeignKey("games.game_id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("recorded_at", sa.String, nullable=False),
    sa.Column("source", sa.String, nullable=False),
    sa.Column("step", sa.Integer, nullable=False),
    sa.Column("event", sa.String, nullable=False),
    sa.Column("confirmed_by", sa.String, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

# Which games are in the bin, and since when; taking one back deletes its row.
BIN_TABLE: Final = sa.Table(
    "bin",
    METADATA,
    sa.Column(
        "game_id", sa.String, sa.ForeignKey("games.game_id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("deleted_at", sa.String, nullable=False),
)

# The status of each game, so that no list need replay it: a cache whose rows may all be deleted.
STANDINGS_TABLE: Final = sa.Table(
    "standings",
    METADATA,
    sa.Column(
        "game_id", sa.String, sa.ForeignKey("games.game_id", ondelete="CASCADE"), primary_key=True
    ),
    *(sa.Column(name, sa.Integer, nullable=False) for name in ("events", "finished", "abandoned")),
    sa.Column("totals", sa.String, nullable=False),
)

# Each player's part of a finished game, for statistics: a cache like the standings, true as long as
# `events` is that of the game's standing.
FINISHED_TABLE: Final = sa.Table(
    "finished_games",
    METADATA,
    sa.Column(
        "game_id", sa.String, sa.ForeignKey("games.game_id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("events", sa.Integer, nullable=False),
    *(
        sa.Column(name, sa.String, nullable=False)
        for name in ("game", "rules", "finished_at", "finished_on", "name")
    ),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("total", sa.Integer),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("boxes", sa.String, nullable=False),
    sa.Column("yahtzees", sa.Integer),
    sa.Column("bonus", sa.Integer),
    *(sa.Column(f"rolled_{face}", sa.Integer, nullable=False) for face in FACES),
    sa.Column("dice", sa.String, nullable=False),
    sa.Column("luck", sa.Float),
    sa.Column("costs", sa.Float),
)

# Who may do what at the page of a table. Of a device's secret only the SHA-256 is stored; one that
# was removed stays, because events may name it.
DEVICES_TABLE: Final = sa.Table(
    "devices",
    METADATA,
    sa.Column("device_id", sa.String, primary_key=True),
    *(sa.Column(name, sa.String, nullable=False) for name in ("name", "role")),
    sa.Column("secret_sha256", sa.String, nullable=False, unique=True),
    sa.Column("created_at", sa.String, nullable=False),
    *(sa.Column(name, sa.String) for name in ("used_at", "revoked_at")),
)

# Who plays here, one row a person. The photo, a small JPEG, is read only where it is asked for.
PROFILES_TABLE: Final = sa.Table(
    "profiles",
    METADATA,
    sa.Column("profile_id", sa.String, primary_key=True),
    *(
        sa.Column(name, sa.String, nullable=False)
        for name in ("name", "colour", "initial", "emoji")
    ),
    sa.Column("hidden", sa.Integer, nullable=False),
    sa.Column("photo", sa.LargeBinary),
)

_OWNER: Final = sa.ForeignKey("profiles.profile_id", ondelete="CASCADE")
# By which names games know a person: each name is one person's.
PROFILE_NAMES_TABLE: Final = sa.Table(
    "profile_names",
    METADATA,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("profile_id", sa.String, _OWNER, nullable=False),
)

# The frame behind each confirmed step, as JPEG; `seen` is JSON: what was read there and corrected.
SCORE_PHOTOS_TABLE: Final = sa.Table(
    "score_photos",
    METADATA,
    sa.Column(
        "game_id", sa.String, sa.ForeignKey("games.game_id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("step", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("taken_at", sa.String, nullable=False),
    sa.Column("jpeg", sa.LargeBinary, nullable=False),
    sa.Column("seen", sa.String, nullable=False),
)

VERSION: Final = 18  # the number of steps in `migrations`
FIRST_VERSION: Final = 1  # the first one released
VERSION_TABLE: Final = "tablescore_version"
# The version table: as Alembic makes its own, which earlier versions left to it.
_MARK: Final = sa.Table(
    VERSION_TABLE,
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)


def prepare(connection: sa.Connection, dialect: Dialect) -> None:
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
    connection.execute(sa.delete(_MARK))
    connection.execute(sa.insert(_MARK).values(version_num=f"{VERSION:04}"))
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
