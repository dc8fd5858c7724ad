"""Who plays at a table, and by which names its games know them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the tables of players, empty."""
    shown = ("name", "colour", "initial", "emoji")
    op.create_table(
        "profiles",
        sa.Column("profile_id", sa.String, primary_key=True),
        *(sa.Column(each, sa.String, nullable=False) for each in shown),
        sa.Column("hidden", sa.Integer, nullable=False),
        sa.Column("photo", sa.LargeBinary),
    )
    owner = sa.ForeignKey("profiles.profile_id", ondelete="CASCADE")
    op.create_table(
        "profile_names",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("profile_id", sa.String, owner, nullable=False),
    )
