"""Which sessions were ended before their time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table of ended sessions."""
    op.create_table(
        "ended_sessions",
        sa.Column("session_sha256", sa.String, primary_key=True),
        sa.Column("until", sa.String, nullable=False),
    )
