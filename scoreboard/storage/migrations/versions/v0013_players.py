"""Players over events, seasons, and what officials note about an entrant."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Make the tables."""
    event = sa.ForeignKey("tournaments.tournament_id", ondelete="CASCADE")
    player = sa.ForeignKey("players.player_id")
    op.create_table(
        "entrant_notes",
        sa.Column("tournament_id", sa.String, event, primary_key=True),
        sa.Column("entrant", sa.Integer, primary_key=True, autoincrement=False),
        *(sa.Column(name, sa.String, nullable=False) for name in ("here_as", "email", "note")),
    )
    op.create_table(
        "players",
        sa.Column("player_id", sa.String, primary_key=True),
        *(sa.Column(name, sa.String, nullable=False) for name in ("name", "club", "note")),
        sa.Column("hidden", sa.Integer, nullable=False),
    )
    op.create_table(
        "player_spellings",
        sa.Column("spelling_sha256", sa.String, primary_key=True),
        sa.Column("spelling", sa.String),
        sa.Column("player_id", sa.String, player, nullable=False, index=True),
    )
    op.create_table(
        "seasons",
        sa.Column("opened", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.String, nullable=False) for name in ("name", "rules")),
        sqlite_autoincrement=True,
    )
