"""Who has paid the fee of an event."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the column; no entrant has paid so far."""
    column = sa.Column("paid_as", sa.String, nullable=False, server_default="")
    op.add_column("entrant_notes", column)
