"""Games and their events: what Tablescore 0.1 made before it had migrations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables of games and events."""
    op.create_table(
        "games",
        sa.Column("opened", sa.Integer, primary_key=True),
        sa.Column("game_id", sa.String, nullable=False, unique=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("players", sa.String, nullable=False),
        sa.Column("opened_at", sa.String, nullable=False),
        sa.Column("options", sa.String, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "events",
        sa.Column(
            "game_id",
            sa.String,
            sa.ForeignKey("games.game_id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("recorded_at", sa.String, nullable=False),
        sa.Column("source", sa.String, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("event", sa.String, nullable=False),
        sqlite_with_rowid=False,
    )
