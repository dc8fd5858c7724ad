"""Messages of an event's director to players, and who has seen them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the tables of messages."""
    op.create_table(
        "hub_messages",
        sa.Column("message_id", sa.Integer, primary_key=True),
        sa.Column(
            "tournament_id", sa.String, sa.ForeignKey("tournaments.tournament_id"), nullable=False
        ),
        sa.Column("addressee", sa.String, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("sent_at", sa.String, nullable=False),
        sa.Column("sent_by", sa.String, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "hub_messages_seen",
        sa.Column(
            "message_id",
            sa.Integer,
            sa.ForeignKey("hub_messages.message_id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("entrant", sa.Integer, primary_key=True, autoincrement=False),
    )
