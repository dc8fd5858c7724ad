"""Which events are archived, deleted or a test; presets; the newest photo of each table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Make the three tables, empty."""
    event = sa.ForeignKey("tournaments.tournament_id")
    op.create_table(
        "event_marks",
        sa.Column("tournament_id", sa.String, event, primary_key=True),
        sa.Column("archived_at", sa.String),
        sa.Column("deleted_at", sa.String),
        sa.Column("test", sa.Boolean, nullable=False),
        sa.Column("photos", sa.Boolean, nullable=False),
        sa.Column("section", sa.String, nullable=False),
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
