"""The photo of each confirmed step."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the table of photos."""
    op.create_table(
        "score_photos",
        sa.Column(
            "game_id",
            sa.String,
            sa.ForeignKey("games.game_id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("step", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("taken_at", sa.String, nullable=False),
        sa.Column("jpeg", sa.LargeBinary, nullable=False),
        sa.Column("seen", sa.String, nullable=False),
    )
