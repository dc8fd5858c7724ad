"""Messages of an event's director to players, and who has seen them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the tables of messages."""
    event = sa.ForeignKey("tournaments.tournament_id")
    sent = sa.ForeignKey("hub_messages.message_id", ondelete="CASCADE")
    texts = ("addressee", "text", "sent_at", "sent_by")
    op.create_table(
        "hub_messages",
        sa.Column("message_id", sa.Integer, primary_key=True),
        sa.Column("tournament_id", sa.String, event, nullable=False),
        *(sa.Column(name, sa.String, nullable=False) for name in texts),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "hub_messages_seen",
        sa.Column("message_id", sa.Integer, sent, primary_key=True, autoincrement=False),
        sa.Column("entrant", sa.Integer, primary_key=True, autoincrement=False),
    )
