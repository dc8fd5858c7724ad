"""Which devices may do what at a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table of devices."""
    op.create_table(
        "devices",
        sa.Column("device_id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("secret_sha256", sa.String, nullable=False, unique=True),
        sa.Column("created_at", sa.String, nullable=False),
        sa.Column("used_at", sa.String),
        sa.Column("revoked_at", sa.String),
    )
