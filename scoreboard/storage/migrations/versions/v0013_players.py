"""Players over events, seasons, and what officials note about an entrant."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Make the tables, and say of each event since when players may check in."""
    op.add_column("tournaments", sa.Column("check_in_since", sa.String))
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
        sa.Column(
            "player_id", sa.String, sa.ForeignKey("players.player_id"), nullable=False, index=True
        ),
    )
    op.create_table(
        "seasons",
        sa.Column("opened", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("rules", sa.String, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "entrant_notes",
        sa.Column(
            "tournament_id",
            sa.String,
            sa.ForeignKey("tournaments.tournament_id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("entrant", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("here_as", sa.String, nullable=False),
        sa.Column("email", sa.String, nullable=False),
        sa.Column("note", sa.String, nullable=False),
    )
