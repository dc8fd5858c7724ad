"""Which key signed each record of a tournament."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add key and signature; the records of before have none."""
    for name in ("key", "signature"):
        column = sa.Column(name, sa.String, nullable=False, server_default="")
        op.add_column("tournament_records", column)
