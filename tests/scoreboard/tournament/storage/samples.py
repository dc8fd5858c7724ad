"""Little records to keep, for the tests of the hub's stores."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from scoreboard.tournament.protocol.audit_log import Actor, TournamentRecord
from scoreboard.tournament.protocol.items import Item

MORNING = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)
DIRECTOR = Actor("director", "Seo-yeon")


def record(sequence: int, **body: Any) -> TournamentRecord:
    """One record of a tournament, with hashes that are none."""
    return TournamentRecord(
        sequence,
        MORNING + timedelta(seconds=sequence, microseconds=sequence),
        DIRECTOR,
        body or {"kind": "entered", "name": "Zoë", "table": None, "points": [-12, 30.5]},
        f"before {sequence}",
        f"hash {sequence}",
        f"key {sequence}",
        f"signature {sequence}",
    )


def item(sequence: int, kind: str = "rolled") -> Item:
    """One item of a game."""
    return Item(sequence, {"kind": kind, "number": sequence})


def items(*sequences: int) -> tuple[Item, ...]:
    """Items of a game."""
    return tuple(item(sequence) for sequence in sequences)
