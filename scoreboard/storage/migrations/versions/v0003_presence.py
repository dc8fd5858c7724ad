"""When each table of an event last made contact."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table of last contacts."""
    op.create_table(
        "presence",
        sa.Column("table_name", sa.String, primary_key=True),
        sa.Column("heard_at", sa.String, nullable=False),
    )
