"""The photo of each result slip that a camera read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Make the table of photos."""
    event = sa.ForeignKey("tournaments.tournament_id", ondelete="CASCADE")
    op.create_table(
        "slip_photos",
        sa.Column("taken", sa.Integer, primary_key=True),
        sa.Column("tournament_id", sa.String, event, nullable=False, index=True),
        sa.Column("code", sa.String, nullable=False),
        sa.Column("taken_at", sa.String, nullable=False),
        sa.Column("jpeg", sa.LargeBinary, nullable=False),
        sa.Column("seen", sa.String, nullable=False),
        sa.Column("kept", sa.Integer, nullable=False),
        sqlite_autoincrement=True,
    )
