"""The hub's tables after the newest migration, and the format of their values.

Times and JSON are text, so that every database returns them to the letter; times that are compared
are written by `written_time`, whose text sorts as time does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Dialect,
    Executable,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    Table,
)
from sqlalchemy.schema import UniqueConstraint
from sqlalchemy.types import TypeDecorator

from scoreboard.storage.database import Database
from scoreboard.storage.schema import METADATA
from scoreboard.tournament.model.hash_chain import canonical_json
from scoreboard.tournament.protocol.audit_log import OutdatedError


class _Moment(TypeDecorator[datetime]):
    """A time as text in ISO 8601, with its zone."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:  # noqa: ARG002 -- the same text in every database
        return None if value is None else value.isoformat()

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 -- as above
        return None if value is None else datetime.fromisoformat(value)


def _texts(*names: str) -> list[Column[str]]:
    return [Column(name, String, nullable=False) for name in names]


def _keyed(name: str, key: str, *columns: str | Column[Any]) -> Table:
    """A table with a text as key; columns given by name only hold texts."""
    texts = (each if isinstance(each, Column) else _texts(each)[0] for each in columns)
    return Table(name, METADATA, Column(key, String, primary_key=True), *texts)


def _counted(name: str, key: str, *columns: Column[Any] | UniqueConstraint) -> Table:
    """A table whose key counts its rows, and gives no number twice."""
    serial = Column(key, Integer, primary_key=True)
    return Table(name, METADATA, serial, *columns, sqlite_autoincrement=True)


def _with_event() -> ForeignKey:
    return ForeignKey("tournaments.tournament_id", ondelete="CASCADE")


TOURNAMENTS: Final = _counted(
    "tournaments",
    "opened",
    Column("tournament_id", String, nullable=False, unique=True),
    *_texts("name"),
    Column("created_at", _Moment, nullable=False),
)

RECORDS: Final = Table(
    "tournament_records",
    METADATA,
    Column("tournament_id", String, ForeignKey("tournaments.tournament_id"), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("recorded_at", _Moment, nullable=False),
    *_texts("actor_role", "actor_name", "body", "previous", "hash"),
    Column("key", String, nullable=False, server_default=""),
    Column("signature", String, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

# What officials keep of an entrant, which no record and no export has.
ENTRANT_NOTES: Final = Table(
    "entrant_notes",
    METADATA,
    Column("tournament_id", String, _with_event(), primary_key=True),
    Column("entrant", Integer, primary_key=True, autoincrement=False),
    *_texts("here_as", "email", "note"),
    Column("paid_as", String, nullable=False, server_default=""),
)

_HIDDEN: Final = Column("hidden", Integer, nullable=False)
PLAYERS: Final = _keyed("players", "player_id", "name", "club", "note", _HIDDEN)

PLAYER_SPELLINGS: Final = _keyed(
    "player_spellings",
    "spelling_sha256",
    Column("spelling", String),  # null once erased: the digest alone keeps them from coming back
    Column("player_id", String, ForeignKey("players.player_id"), nullable=False, index=True),
)

SEASONS: Final = _counted("seasons", "opened", *_texts("name", "rules"))

DELIVERED_GAMES: Final = _counted(
    "delivered_games",
    "opened",
    Column("game_id", String, nullable=False, unique=True),
    Column("table_name", String, nullable=False, index=True),
    Column("through", Integer, nullable=False),
)

ITEMS: Final = Table(
    "delivered_items",
    METADATA,
    Column("game_id", String, ForeignKey("delivered_games.game_id"), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    *_texts("body"),
    sqlite_with_rowid=False,
)

DISPUTES: Final = _counted(
    "disputes",
    "noted",
    *_texts("game_id"),
    Column("sequence", Integer, nullable=False),
    *_texts("offered", "offered_sha256"),  # an index takes no long texts
    UniqueConstraint("game_id", "sequence", "offered_sha256"),
)

ACCOUNTS: Final = _keyed("accounts", "name", "role", "password_hash")
SECRETS: Final = _keyed("secrets", "purpose", "secret")

TOKENS: Final = _keyed(
    "table_tokens",
    "token_sha256",
    Column("table_name", String, nullable=False, index=True),
    "until",
)

CODES: Final = _keyed(
    "join_codes",
    "code_sha256",
    "place",
    "until",
    *(Column(name, String) for name in ("spent_by", "spent_token_sha256")),
)

ENDED_SESSIONS: Final = _keyed("ended_sessions", "session_sha256", "until")

# Slips that a camera read, as JPEG: `seen` is what was read on it, as JSON; `kept` is 0 until the
# result is entered.
SLIP_PHOTOS: Final = _counted(
    "slip_photos",
    "taken",
    Column("tournament_id", String, _with_event(), nullable=False, index=True),
    *_texts("code"),
    Column("taken_at", _Moment, nullable=False),
    Column("jpeg", LargeBinary, nullable=False),
    *_texts("seen"),
    Column("kept", Integer, nullable=False),
)

PRESENCE: Final = _keyed("presence", "table_name", "heard_at")

# A director's marks on a tournament, outside its record; no row for one without any.
EVENT_MARKS: Final = Table(
    "event_marks",
    METADATA,
    Column("tournament_id", String, ForeignKey("tournaments.tournament_id"), primary_key=True),
    *(Column(name, _Moment) for name in ("archived_at", "deleted_at")),
    *(Column(name, Boolean, nullable=False, default=False) for name in ("test", "photos")),
    Column("section", String, nullable=False, default=""),
)

EVENT_PRESETS: Final = _keyed("event_presets", "name", "settings")

TABLE_PHOTOS: Final = _keyed(
    "table_photos",
    "table_name",
    Column("taken_at", _Moment, nullable=False),
    Column("jpeg", LargeBinary, nullable=False),
)

MESSAGES: Final = _counted(
    "hub_messages",
    "message_id",
    Column("tournament_id", String, ForeignKey("tournaments.tournament_id"), nullable=False),
    *_texts("addressee", "text"),
    Column("sent_at", _Moment, nullable=False),
    *_texts("sent_by"),
)

_OF_MESSAGE: Final = ForeignKey("hub_messages.message_id", ondelete="CASCADE")
MESSAGES_SEEN: Final = Table(
    "hub_messages_seen",
    METADATA,
    Column("message_id", Integer, _OF_MESSAGE, primary_key=True, autoincrement=False),
    Column("entrant", Integer, primary_key=True, autoincrement=False),
)

NEWS: Final = Table(
    "news",
    METADATA,
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    *_texts("topic", "about"),
    Column("through", Integer, nullable=False),
)

# One row. A change is counted here, and the row is held until the change is kept: numbers without
# gaps become visible in their order, which a database's own sequence does not promise.
NEWS_COUNT: Final = Table(
    "news_count",
    METADATA,
    Column("only", Integer, primary_key=True, autoincrement=False),
    Column("sequence", Integer, nullable=False),
)


def written_time(at: datetime) -> str:
    """An aware time as text of one width in UTC, to be compared with others."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def written(body: Mapping[str, Any]) -> str:
    """A document in its one spelling. Raises ValueError or TypeError for what JSON has not."""
    return canonical_json(body).decode("ascii")


read: Final = json.loads  # the document that `written` wrote


def digest(secret: str) -> str:
    """SHA-256 of a token or code, unsalted: they are random and long, not chosen by people."""
    return sha256(secret.encode()).hexdigest()


def require_seen(
    database: Database, connection: Connection, newest: Executable, seen: int | None
) -> None:
    """Check that `newest` is `seen`, if any, and keep it so. Raises OutdatedError."""
    if seen is not None:
        database.dialect.claim(connection)
        if (connection.execute(newest).scalar() or 0) != seen:
            raise OutdatedError
