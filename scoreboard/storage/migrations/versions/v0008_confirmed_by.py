"""Who confirmed each event of a game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column; for earlier events it is unknown."""
    column = sa.Column("confirmed_by", sa.String, nullable=False, server_default="")
    op.add_column("events", column)
