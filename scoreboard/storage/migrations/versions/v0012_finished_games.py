"""What is remembered of finished games for their players' statistics."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the table, empty: the games of before are worked out while a table runs."""
    game_id = sa.ForeignKey("games.game_id", ondelete="CASCADE")
    op.create_table(
        "finished_games",
        sa.Column("game_id", sa.String, game_id, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("events", sa.Integer, nullable=False),
        sa.Column("checksum", sa.BigInteger, nullable=False),
        *(
            sa.Column(name, sa.String, nullable=False)
            for name in ("game", "rules", "finished_at", "finished_on", "name")
        ),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("boxes", sa.String, nullable=False),
        sa.Column("yahtzees", sa.Integer),
        sa.Column("bonus", sa.Integer),
        *(sa.Column(f"rolled_{face}", sa.Integer, nullable=False) for face in range(1, 7)),
        sa.Column("dice", sa.String, nullable=False),
        sa.Column("luck", sa.Float),
        sa.Column("costs", sa.Float),
    )
