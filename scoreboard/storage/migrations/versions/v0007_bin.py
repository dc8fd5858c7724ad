"""Which games are in the bin."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the bin, empty."""
    op.create_table(
        "bin",
        sa.Column(
            "game_id",
            sa.String,
            sa.ForeignKey("games.game_id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("deleted_at", sa.String, nullable=False),
    )
