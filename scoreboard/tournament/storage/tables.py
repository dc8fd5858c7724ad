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

import sqlalchemy as sa
from sqlalchemy.schema import UniqueConstraint
from sqlalchemy.types import TypeDecorator

from scoreboard.storage.database import Database
from scoreboard.storage.schema import METADATA
from scoreboard.tournament.model.hash_chain import canonical_json
from scoreboard.tournament.protocol.audit_log import OutdatedError


class _Moment(TypeDecorator[datetime]):
    """A time as text in ISO 8601, with its zone."""

    impl = sa.String
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002 -- the same text in every database
        return None if value is None else value.isoformat()

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002 -- as above
        return None if value is None else datetime.fromisoformat(value)


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String, nullable=False) for name in names]


def _keyed(name: str, key: str, *columns: str | sa.Column[Any]) -> sa.Table:
    """A table with a text as key; columns given by name only hold texts."""
    texts = (each if isinstance(each, sa.Column) else _texts(each)[0] for each in columns)
    return sa.Table(name, METADATA, sa.Column(key, sa.String, primary_key=True), *texts)


def _counted(name: str, key: str, *columns: sa.Column[Any] | UniqueConstraint) -> sa.Table:
    """A table whose key counts its rows, and gives no number twice."""
    serial = sa.Column(key, sa.Integer, primary_key=True)
    return sa.Table(name, METADATA, serial, *columns, sqlite_autoincrement=True)


def _with_event() -> sa.ForeignKey:
    return sa.ForeignKey("tournaments.tournament_id", ondelete="CASCADE")


TOURNAMENTS: Final = _counted(
    "tournaments",
    "opened",
    sa.Column("tournament_id", sa.String, nullable=False, unique=True),
    *_texts("name"),
    sa.Column("created_at", _Moment, nullable=False),
)

RECORDS: Final = sa.Table(
    "tournament_records",
    METADATA,
    sa.Column(
        "tournament_id", sa.String, sa.ForeignKey("tournaments.tournament_id"), primary_key=True
    ),
    sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("recorded_at", _Moment, nullable=False),
    *_texts("actor_role", "actor_name", "body", "previous", "hash"),
    sa.Column("key", sa.String, nullable=False, server_default=""),
    sa.Column("signature", sa.String, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

# What officials keep of an entrant, which no record and no export has.
ENTRANT_NOTES: Final = sa.Table(
    "entrant_notes",
    METADATA,
    sa.Column("tournament_id", sa.String, _with_event(), primary_key=True),
    sa.Column("entrant", sa.Integer, primary_key=True, autoincrement=False),
    *_texts("here_as", "email", "note"),
    sa.Column("paid_as", sa.String, nullable=False, server_default=""),
)

_HIDDEN: Final = sa.Column("hidden", sa.Integer, nullable=False)
PLAYERS: Final = _keyed("players", "player_id", "name", "club", "note", _HIDDEN)

PLAYER_SPELLINGS: Final = _keyed(
    "player_spellings",
    "spelling_sha256",
    sa.Column(
        "spelling", sa.String
    ),  # null once erased: the digest alone keeps them from coming back
    sa.Column(
        "player_id", sa.String, sa.ForeignKey("players.player_id"), nullable=False, index=True
    ),
)

SEASONS: Final = _counted("seasons", "opened", *_texts("name", "rules"))

DELIVERED_GAMES: Final = _counted(
    "delivered_games",
    "opened",
    sa.Column("game_id", sa.String, nullable=False, unique=True),
    sa.Column("table_name", sa.String, nullable=False, index=True),
    sa.Column("through", sa.Integer, nullable=False),
)

ITEMS: Final = sa.Table(
    "delivered_items",
    METADATA,
    sa.Column("game_id", sa.String, sa.ForeignKey("delivered_games.game_id"), primary_key=True),
    sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
    *_texts("body"),
    sqlite_with_rowid=False,
)

DISPUTES: Final = _counted(
    "disputes",
    "noted",
    *_texts("game_id"),
    sa.Column("sequence", sa.Integer, nullable=False),
    *_texts("offered", "offered_sha256"),  # an index takes no long texts
    UniqueConstraint("game_id", "sequence", "offered_sha256"),
)

ACCOUNTS: Final = _keyed("accounts", "name", "role", "password_hash")
SECRETS: Final = _keyed("secrets", "purpose", "secret")

TOKENS: Final = _keyed(
    "table_tokens",
    "token_sha256",
    sa.Column("table_name", sa.String, nullable=False, index=True),
    "until",
)

CODES: Final = _keyed(
    "join_codes",
    "code_sha256",
    "place",
    "until",
    *(sa.Column(name, sa.String) for name in ("spent_by", "spent_token_sha256")),
)

ENDED_SESSIONS: Final = _keyed("ended_sessions", "session_sha256", "until")

# Slips that a camera read, as JPEG: `seen` is what was read on it, as JSON; `kept` is 0 until the
# result is entered.
SLIP_PHOTOS: Final = _counted(
    "slip_photos",
    "taken",
    sa.Column("tournament_id", sa.String, _with_event(), nullable=False, index=True),
    *_texts("code"),
    sa.Column("taken_at", _Moment, nullable=False),
    sa.Column("jpeg", sa.LargeBinary, nullable=False),
    *_texts("seen"),
    sa.Column("kept", sa.Integer, nullable=False),
)

PRESENCE: Final = _keyed("presence", "table_name", "heard_at")

# A director's marks on a tournament, outside its record; no row for one without any.
EVENT_MARKS: Final = sa.Table(
    "event_marks",
    METADATA,
    sa.Column(
        "tournament_id", sa.String, sa.ForeignKey("tournaments.tournament_id"), primary_key=True
    ),
    *(sa.Column(name, _Moment) for name in ("archived_at", "deleted_at")),
    *(sa.Column(name, sa.Boolean, nullable=False, default=False) for name in ("test", "photos")),
    sa.Column("section", sa.String, nullable=False, default=""),
)

EVENT_PRESETS: Final = _keyed("event_presets", "name", "settings")

TABLE_PHOTOS: Final = _keyed(
    "table_photos",
    "table_name",
    sa.Column("taken_at", _Moment, nullable=False),
    sa.Column("jpeg", sa.LargeBinary, nullable=False),
)

MESSAGES: Final = _counted(
    "hub_messages",
    "message_id",
    sa.Column(
        "tournament_id", sa.String, sa.ForeignKey("tournaments.tournament_id"), nullable=False
    ),
    *_texts("addressee", "text"),
    sa.Column("sent_at", _Moment, nullable=False),
    *_texts("sent_by"),
)

_OF_MESSAGE: Final = sa.ForeignKey("hub_messages.message_id", ondelete="CASCADE")
MESSAGES_SEEN: Final = sa.Table(
    "hub_messages_seen",
    METADATA,
    sa.Column("message_id", sa.Integer, _OF_MESSAGE, primary_key=True, autoincrement=False),
    sa.Column("entrant", sa.Integer, primary_key=True, autoincrement=False),
)

NEWS: Final = sa.Table(
    "news",
    METADATA,
    sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
    *_texts("topic", "about"),
    sa.Column("through", sa.Integer, nullable=False),
)

# One row. A change is counted here, and the row is held until the change is kept: numbers without
# gaps become visible in their order, which a database's own sequence does not promise.
NEWS_COUNT: Final = sa.Table(
    "news_count",
    METADATA,
    sa.Column("only", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("sequence", sa.Integer, nullable=False),
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
    database: Database, connection: sa.Connection, newest: sa.Executable, seen: int | None
) -> None:
    """Check that `newest` is `seen`, if any, and keep it so. Raises OutdatedError."""
    if seen is not None:
        database.dialect.claim(connection)
        if (connection.execute(newest).scalar() or 0) != seen:
            raise OutdatedError
