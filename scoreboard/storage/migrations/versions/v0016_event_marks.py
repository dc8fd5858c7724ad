"""Which events are archived, deleted or a test; presets; the newest photo of each table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0012"


def upgrade() -> None:
    """Make the three tables, empty."""
    op.create_table(
        "event_marks",
        sa.Column(
            "tournament_id",
            sa.String,
            sa.ForeignKey("tournaments.tournament_id"),
            primary_key=True,
        ),
        sa.Column("archived_at", sa.String),
        sa.Column("deleted_at", sa.String),
        sa.Column("test", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("photos", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("section", sa.String, nullable=False, server_default=""),
    )
    op.create_table(
        "event_presets",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("settings", sa.String, nullable=False),
    )
    op.create_table(
        "table_photos",
        sa.Column("table_name", sa.String, primary_key=True),
        sa.Column("taken_at", sa.String, nullable=False),
        sa.Column("jpeg", sa.LargeBinary, nullable=False),
    )
