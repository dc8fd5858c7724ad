"""The steps from an empty database to this version's tables: a released one is never changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import SchemaItem


def games() -> None:
    """Games and their events: what Tablescore 0.1 made before it had migrations."""
    _create_counted(
        "games",
        sa.Column("game_id", sa.String, nullable=False, unique=True),
        *_texts("game", "players", "opened_at", "options"),
    )
    op.create_table(
        "events",
        _of_game(),
        _number_in_key("sequence"),
        *_texts("recorded_at", "source"),
        *_numbers("step"),
        *_texts("event"),
        sqlite_with_rowid=False,
    )


def hub() -> None:
    """What a hub has of its tournaments and what tables deliver; who may come in; and news."""
    _create_counted(
        "tournaments",
        sa.Column("tournament_id", sa.String, nullable=False, unique=True),
        *_texts("name", "created_at"),
    )
    op.create_table(
        "tournament_records",
        _of_tournament(primary_key=True),
        _number_in_key("sequence"),
        *_texts("recorded_at", "actor_role", "actor_name", "body", "previous", "hash"),
        sqlite_with_rowid=False,
    )
    _create_counted(
        "delivered_games",
        sa.Column("game_id", sa.String, nullable=False, unique=True),
        sa.Column("table_name", sa.String, nullable=False, index=True),
        *_numbers("through"),
    )
    op.create_table(
        "delivered_items",
        sa.Column("game_id", sa.String, sa.ForeignKey("delivered_games.game_id"), primary_key=True),
        _number_in_key("sequence"),
        *_texts("body"),
        sqlite_with_rowid=False,
    )
    _create_counted(
        "disputes",
        *_texts("game_id"),
        *_numbers("sequence"),
        *_texts("offered", "offered_sha256"),
        sa.UniqueConstraint("game_id", "sequence", "offered_sha256"),
        key="noted",
    )
    op.create_table("accounts", _text_key("name"), *_texts("role", "password_hash"))
    op.create_table("secrets", _text_key("purpose"), *_texts("secret"))
    op.create_table(
        "table_tokens",
        _text_key("token_sha256"),
        sa.Column("table_name", sa.String, nullable=False, index=True),
        *_texts("until"),
    )
    op.create_table(
        "join_codes",
        _text_key("code_sha256"),
        *_texts("place", "until"),
        sa.Column("spent_by", sa.String),
        sa.Column("spent_token_sha256", sa.String),
    )
    op.create_table(
        "news", _number_in_key("sequence"), *_texts("topic", "about"), *_numbers("through")
    )
    count = op.create_table("news_count", _number_in_key("only"), *_numbers("sequence"))
    op.bulk_insert(count, [{"only": 1, "sequence": 0}])


def presence() -> None:
    """When each table of a tournament last made contact."""
    op.create_table("presence", _text_key("table_name"), *_texts("heard_at"))


def standings() -> None:
    """The status of each game, worked out when a list first needs it: lists need no replay."""
    op.create_table(
        "standings",
        _of_game(),
        *_numbers("events"),
        sa.Column("checksum", sa.BigInteger, nullable=False),
        *_numbers("finished", "abandoned"),
        *_texts("totals"),
    )


def sessions() -> None:
    """Which sessions were ended before their time."""
    op.create_table("ended_sessions", _text_key("session_sha256"), *_texts("until"))


def signatures() -> None:
    """Which key signed each record of a tournament; the records of before have none."""
    for name in ("key", "signature"):
        _add_text("tournament_records", name)


def game_bin() -> None:
    """Which games are in the bin."""
    op.create_table("bin", _of_game(), *_texts("deleted_at"))


def confirmed_by() -> None:
    """Who confirmed each event of a game; for earlier events it is unknown."""
    _add_text("events", "confirmed_by")


def devices() -> None:
    """Which devices may do what at a table."""
    op.create_table(
        "devices",
        _text_key("device_id"),
        *_texts("name", "role"),
        sa.Column("secret_sha256", sa.String, nullable=False, unique=True),
        *_texts("created_at"),
        sa.Column("used_at", sa.String),
        sa.Column("revoked_at", sa.String),
    )


def profiles() -> None:
    """Who plays at a table, and by which names its games know them."""
    op.create_table(
        "profiles",
        _text_key("profile_id"),
        *_texts("name", "colour", "initial", "emoji"),
        *_numbers("hidden"),
        sa.Column("photo", sa.LargeBinary),
    )
    owner = sa.ForeignKey("profiles.profile_id", ondelete="CASCADE")
    op.create_table(
        "profile_names",
        _text_key("name"),
        sa.Column("profile_id", sa.String, owner, nullable=False),
    )


def score_photos() -> None:
    """The photo of each confirmed step."""
    op.create_table(
        "score_photos",
        _of_game(),
        _number_in_key("step"),
        *_texts("taken_at"),
        sa.Column("jpeg", sa.LargeBinary, nullable=False),
        *_texts("seen"),
    )


def finished_games() -> None:
    """The figures of finished games; those of before are worked out while a table runs."""
    op.create_table(
        "finished_games",
        _of_game(),
        _number_in_key("seat"),
        *_numbers("events"),
        sa.Column("checksum", sa.BigInteger, nullable=False),
        *_texts("game", "rules", "finished_at", "finished_on", "name"),
        *_numbers("players"),
        sa.Column("total", sa.Integer),
        *_numbers("place"),
        *_texts("boxes"),
        sa.Column("yahtzees", sa.Integer),
        sa.Column("bonus", sa.Integer),
        *_numbers(*(f"rolled_{face}" for face in range(1, 7))),
        *_texts("dice"),
        sa.Column("luck", sa.Float),
        sa.Column("costs", sa.Float),
    )


def players() -> None:
    """Players over tournaments, seasons, and what officials note about an entrant."""
    player = sa.ForeignKey("players.player_id")
    op.create_table(
        "entrant_notes",
        _of_tournament(ondelete="CASCADE", primary_key=True),
        _number_in_key("entrant"),
        *_texts("here_as", "email", "note"),
    )
    op.create_table(
        "players", _text_key("player_id"), *_texts("name", "club", "note"), *_numbers("hidden")
    )
    op.create_table(
        "player_spellings",
        _text_key("spelling_sha256"),
        sa.Column("spelling", sa.String),
        sa.Column("player_id", sa.String, player, nullable=False, index=True),
    )
    _create_counted("seasons", *_texts("name", "rules"))


def messages() -> None:
    """Messages of a director to players, and who has seen them."""
    sent = sa.ForeignKey("hub_messages.message_id", ondelete="CASCADE")
    _create_counted(
        "hub_messages",
        _of_tournament(nullable=False),
        *_texts("addressee", "text", "sent_at", "sent_by"),
        key="message_id",
    )
    op.create_table(
        "hub_messages_seen",
        sa.Column("message_id", sa.Integer, sent, primary_key=True, autoincrement=False),
        _number_in_key("entrant"),
    )


def slip_photos() -> None:
    """The photo of each result slip that a camera read."""
    _create_counted(
        "slip_photos",
        _of_tournament(ondelete="CASCADE", nullable=False, index=True),
        *_texts("code", "taken_at"),
        sa.Column("jpeg", sa.LargeBinary, nullable=False),
        *_texts("seen"),
        *_numbers("kept"),
        key="taken",
    )


def event_marks() -> None:
    """Which tournaments are archived, deleted or a test; presets; each table's newest photo."""
    op.create_table(
        "event_marks",
        _of_tournament(primary_key=True),
        sa.Column("archived_at", sa.String),
        sa.Column("deleted_at", sa.String),
        sa.Column("test", sa.Boolean, nullable=False),
        sa.Column("photos", sa.Boolean, nullable=False),
        *_texts("section"),
    )
    op.create_table("event_presets", _text_key("name"), *_texts("settings"))
    op.create_table(
        "table_photos",
        _text_key("table_name"),
        *_texts("taken_at"),
        sa.Column("jpeg", sa.LargeBinary, nullable=False),
    )


def paid() -> None:
    """Who has paid the fee of a tournament; no entrant has so far."""
    _add_text("entrant_notes", "paid_as")


def event_counts() -> None:
    """Kept standings are compared by the number of events alone: their checksums go."""
    op.drop_column("standings", "checksum")
    op.drop_column("finished_games", "checksum")


STEPS: Final[tuple[Callable[[], None], ...]] = (
    games,
    hub,
    presence,
    standings,
    sessions,
    signatures,
    game_bin,
    confirmed_by,
    devices,
    profiles,
    score_photos,
    finished_games,
    players,
    messages,
    slip_photos,
    event_marks,
    paid,
    event_counts,
)


def _create_counted(name: str, *others: SchemaItem, key: str = "opened") -> None:
    """A table whose rows are numbered as they come, and no number is given twice."""
    column = sa.Column(key, sa.Integer, primary_key=True)
    op.create_table(name, column, *others, sqlite_autoincrement=True)


def _texts(*names: str) -> Iterator[sa.Column[Any]]:
    return (sa.Column(name, sa.String, nullable=False) for name in names)


def _numbers(*names: str) -> Iterator[sa.Column[Any]]:
    return (sa.Column(name, sa.Integer, nullable=False) for name in names)


def _text_key(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.String, primary_key=True)


def _number_in_key(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer, primary_key=True, autoincrement=False)


def _of_game() -> sa.Column[Any]:
    game_id = sa.ForeignKey("games.game_id", ondelete="CASCADE")
    return sa.Column("game_id", sa.String, game_id, primary_key=True)


def _of_tournament(ondelete: str | None = None, **options: Any) -> sa.Column[Any]:
    tournament_id = sa.ForeignKey("tournaments.tournament_id", ondelete=ondelete)
    return sa.Column("tournament_id", sa.String, tournament_id, **options)


def _add_text(table: str, name: str) -> None:
    op.add_column(table, sa.Column(name, sa.String, nullable=False, server_default=""))
