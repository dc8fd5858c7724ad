"""The hub's tables, as the newest migration leaves them, and how its values are written there.

Times and JSON are text, so that they come back to the letter, whichever database keeps them;
times that are compared are written by `written_time`, whose text sorts as time does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Boolean, Column, ForeignKey, Integer, LargeBinary, String, Table
from sqlalchemy.schema import UniqueConstraint

from scoreboard.storage.schema import METADATA
from scoreboard.tournament.model.hash_chain import canonical_json

TOURNAMENTS: Final = Table(
    "tournaments",
    METADATA,
    Column("opened", Integer, primary_key=True),
    Column("tournament_id", String, nullable=False, unique=True),
    Column("name", String, nullable=False),
    Column("created_at", String, nullable=False),
    sqlite_autoincrement=True,
)

RECORDS: Final = Table(
    "tournament_records",
    METADATA,
    Column("tournament_id", String, ForeignKey("tournaments.tournament_id"), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("recorded_at", String, nullable=False),
    Column("actor_role", String, nullable=False),
    Column("actor_name", String, nullable=False),
    Column("body", String, nullable=False),
    Column("previous", String, nullable=False),
    Column("hash", String, nullable=False),
    Column("key", String, nullable=False, server_default=""),
    Column("signature", String, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

# What officials keep of an entrant, which no record and no export has.
_OF_EVENT: Final = ForeignKey("tournaments.tournament_id", ondelete="CASCADE")
ENTRANT_NOTES: Final = Table(
    "entrant_notes",
    METADATA,
    Column("tournament_id", String, _OF_EVENT, primary_key=True),
    Column("entrant", Integer, primary_key=True, autoincrement=False),
    *(Column(name, String, nullable=False) for name in ("here_as", "email", "note")),
    Column("paid_as", String, nullable=False, server_default=""),
)

PLAYERS: Final = Table(
    "players",
    METADATA,
    Column("player_id", String, primary_key=True),
    *(Column(name, String, nullable=False) for name in ("name", "club", "note")),
    Column("hidden", Integer, nullable=False),
)

PLAYER_SPELLINGS: Final = Table(
    "player_spellings",
    METADATA,
    Column("spelling_sha256", String, primary_key=True),
    Column("spelling", String),  # null once erased: the digest alone keeps them from coming back
    Column("player_id", String, ForeignKey("players.player_id"), nullable=False, index=True),
)

SEASONS: Final = Table(
    "seasons",
    METADATA,
    Column("opened", Integer, primary_key=True),
    *(Column(name, String, nullable=False) for name in ("name", "rules")),
    sqlite_autoincrement=True,
)

DELIVERED_GAMES: Final = Table(
    "delivered_games",
    METADATA,
    Column("opened", Integer, primary_key=True),
    Column("game_id", String, nullable=False, unique=True),
    Column("table_name", String, nullable=False, index=True),
    Column("through", Integer, nullable=False),
    sqlite_autoincrement=True,
)

ITEMS: Final = Table(
    "delivered_items",
    METADATA,
    Column("game_id", String, ForeignKey("delivered_games.game_id"), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("body", String, nullable=False),
    sqlite_with_rowid=False,
)

DISPUTES: Final = Table(
    "disputes",
    METADATA,
    Column("noted", Integer, primary_key=True),
    Column("game_id", String, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("offered", String, nullable=False),
    Column("offered_sha256", String, nullable=False),  # an index takes no long texts
    UniqueConstraint("game_id", "sequence", "offered_sha256"),
    sqlite_autoincrement=True,
)

ACCOUNTS: Final = Table(
    "accounts",
    METADATA,
    Column("name", String, primary_key=True),
    Column("role", String, nullable=False),
    Column("password_hash", String, nullable=False),
)

SECRETS: Final = Table(
    "secrets",
    METADATA,
    Column("purpose", String, primary_key=True),
    Column("secret", String, nullable=False),
)

TOKENS: Final = Table(
    "table_tokens",
    METADATA,
    Column("token_sha256", String, primary_key=True),
    Column("table_name", String, nullable=False, index=True),
    Column("until", String, nullable=False),
)

CODES: Final = Table(
    "join_codes",
    METADATA,
    Column("code_sha256", String, primary_key=True),
    Column("place", String, nullable=False),
    Column("until", String, nullable=False),
    Column("spent_by", String),
    Column("spent_token_sha256", String),
)

ENDED_SESSIONS: Final = Table(
    "ended_sessions",
    METADATA,
    Column("session_sha256", String, primary_key=True),
    Column("until", String, nullable=False),
)

# Slips that a camera read, as JPEG: `seen` is what was read on it, as JSON; `kept` is 0 until the
# result is entered.
SLIP_PHOTOS: Final = Table(
    "slip_photos",
    METADATA,
    Column("taken", Integer, primary_key=True),
    Column(
        "tournament_id",
        String,
        ForeignKey("tournaments.tournament_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("code", String, nullable=False),
    Column("taken_at", String, nullable=False),
    Column("jpeg", LargeBinary, nullable=False),
    Column("seen", String, nullable=False),
    Column("kept", Integer, nullable=False),
    sqlite_autoincrement=True,
)

PRESENCE: Final = Table(
    "presence",
    METADATA,
    Column("table_name", String, primary_key=True),
    Column("heard_at", String, nullable=False),
)

# What a director does with an event beside its record; no row for one that has no mark.
EVENT_MARKS: Final = Table(
    "event_marks",
    METADATA,
    Column("tournament_id", String, ForeignKey("tournaments.tournament_id"), primary_key=True),
    Column("archived_at", String),
    Column("deleted_at", String),
    Column("test", Boolean, nullable=False, default=False),
    Column("photos", Boolean, nullable=False, default=False),
    Column("section", String, nullable=False, default=""),
)

EVENT_PRESETS: Final = Table(
    "event_presets",
    METADATA,
    Column("name", String, primary_key=True),
    Column("settings", String, nullable=False),
)

TABLE_PHOTOS: Final = Table(
    "table_photos",
    METADATA,
    Column("table_name", String, primary_key=True),
    Column("taken_at", String, nullable=False),
    Column("jpeg", LargeBinary, nullable=False),
)

MESSAGES: Final = Table(
    "hub_messages",
    METADATA,
    Column("message_id", Integer, primary_key=True),
    Column("tournament_id", String, ForeignKey("tournaments.tournament_id"), nullable=False),
    Column("addressee", String, nullable=False),
    Column("text", String, nullable=False),
    Column("sent_at", String, nullable=False),
    Column("sent_by", String, nullable=False),
    sqlite_autoincrement=True,
)

MESSAGES_SEEN: Final = Table(
    "hub_messages_seen",
    METADATA,
    Column(
        "message_id",
        Integer,
        ForeignKey("hub_messages.message_id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("entrant", Integer, primary_key=True, autoincrement=False),
)

NEWS: Final = Table(
    "news",
    METADATA,
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("topic", String, nullable=False),
    Column("about", String, nullable=False),
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
    """A JSON document in its one spelling, so that equal documents are equal texts.

    Raises:
        ValueError: it holds a number that JSON does not know.
        TypeError: it holds a value that JSON does not know.
    """
    return canonical_json(body).decode("ascii")


def read(text: str) -> Any:
    """The document that `written` wrote."""
    return json.loads(text)


def digest(secret: str) -> str:
    """SHA-256 of a token or code, in hexadecimal digits.

    No salt and no stretching: they are random and long, not chosen by people.
    """
    return sha256(secret.encode()).hexdigest()
