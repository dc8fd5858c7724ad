"""The hub: logbooks of tournaments, what tables deliver, who may come in, and news."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the hub's tables to those of the games."""
    _make_logbooks()
    _make_deliveries()
    _make_access()
    _make_news()


def _make_logbooks() -> None:
    op.create_table(
        "tournaments",
        sa.Column("opened", sa.Integer, primary_key=True),
        sa.Column("tournament_id", sa.String, nullable=False, unique=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("created_at", sa.String, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "tournament_records",
        sa.Column(
            "tournament_id", sa.String, sa.ForeignKey("tournaments.tournament_id"), primary_key=True
        ),
        sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("recorded_at", sa.String, nullable=False),
        sa.Column("actor_role", sa.String, nullable=False),
        sa.Column("actor_name", sa.String, nullable=False),
        sa.Column("body", sa.String, nullable=False),
        sa.Column("previous", sa.String, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        sqlite_with_rowid=False,
    )


def _make_deliveries() -> None:
    op.create_table(
        "delivered_games",
        sa.Column("opened", sa.Integer, primary_key=True),
        sa.Column("game_id", sa.String, nullable=False, unique=True),
        sa.Column("table_name", sa.String, nullable=False, index=True),
        sa.Column("through", sa.Integer, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "delivered_items",
        sa.Column("game_id", sa.String, sa.ForeignKey("delivered_games.game_id"), primary_key=True),
        sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("body", sa.String, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "disputes",
        sa.Column("noted", sa.Integer, primary_key=True),
        sa.Column("game_id", sa.String, nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("offered", sa.String, nullable=False),
        sa.Column("offered_sha256", sa.String, nullable=False),
        sa.UniqueConstraint("game_id", "sequence", "offered_sha256"),
        sqlite_autoincrement=True,
    )


def _make_access() -> None:
    op.create_table(
        "accounts",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("password_hash", sa.String, nullable=False),
    )
    op.create_table(
        "secrets",
        sa.Column("purpose", sa.String, primary_key=True),
        sa.Column("secret", sa.String, nullable=False),
    )
    op.create_table(
        "table_tokens",
        sa.Column("token_sha256", sa.String, primary_key=True),
        sa.Column("table_name", sa.String, nullable=False, index=True),
        sa.Column("until", sa.String, nullable=False),
    )
    op.create_table(
        "join_codes",
        sa.Column("code_sha256", sa.String, primary_key=True),
        sa.Column("place", sa.String, nullable=False),
        sa.Column("until", sa.String, nullable=False),
        sa.Column("spent_by", sa.String),
        sa.Column("spent_token_sha256", sa.String),
    )


def _make_news() -> None:
    op.create_table(
        "news",
        sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("topic", sa.String, nullable=False),
        sa.Column("about", sa.String, nullable=False),
        sa.Column("through", sa.Integer, nullable=False),
    )
    count = op.create_table(
        "news_count",
        sa.Column("only", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("sequence", sa.Integer, nullable=False),
    )
    op.bulk_insert(count, [{"only": 1, "sequence": 0}])
