"""The status of each game, so that lists need no replay."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table of standings, empty: they are worked out when a list first needs them."""
    op.create_table(
        "standings",
        sa.Column(
            "game_id",
            sa.String,
            sa.ForeignKey("games.game_id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("events", sa.Integer, nullable=False),
        sa.Column("checksum", sa.BigInteger, nullable=False),
        sa.Column("finished", sa.Integer, nullable=False),
        sa.Column("abandoned", sa.Integer, nullable=False),
        sa.Column("totals", sa.String, nullable=False),
    )
