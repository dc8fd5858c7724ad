"""Kept standings are held to the number of events alone."""

from __future__ import annotations

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Drop the checksums over all events of a game."""
    op.drop_column("standings", "checksum")
    op.drop_column("finished_games", "checksum")
