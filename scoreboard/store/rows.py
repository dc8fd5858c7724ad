"""Games and events as rows of their tables, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from scoreboard.errors import SchemaError
from scoreboard.phrase import phrase
from scoreboard.transcript import (
    GameHeader,
    Kinds,
    RecordedEvent,
    event_document,
    event_from_document,
)

Row = Mapping[Any, Any]


def header_row(header: GameHeader) -> dict[str, object]:
    """A game's header as a row of `games`."""
    return {
        "game_id": header.game_id,
        "game": header.game,
        "players": json.dumps(header.players, ensure_ascii=False),
        "opened_at": header.opened_at.isoformat(),
        "options": json.dumps(dict(header.options), ensure_ascii=False),
    }


def read_header(row: Row) -> GameHeader:
    """A row of `games` as a header. Raises SchemaError for a damaged one."""
    return GameHeader(
        game_id=row["game_id"],
        game=row["game"],
        players=tuple(_read_json(row, "players")),
        opened_at=datetime.fromisoformat(row["opened_at"]),
        options=_read_json(row, "options"),
    )


def event_row(record: RecordedEvent, kinds: Kinds) -> dict[str, object]:
    """An event as a row of `events`. Raises TranscriptError for one without a declared kind."""
    return {
        "game_id": record.game_id,
        "sequence": record.sequence,
        "recorded_at": record.recorded_at.isoformat(),
        "source": record.source,
        "step": record.step,
        "event": json.dumps(event_document(record.event, kinds), ensure_ascii=False),
    }


def read_event(row: Row, kinds: Kinds) -> RecordedEvent:
    """A row of `events` as a record.

    Raises:
        SchemaError: the row is damaged.
        TranscriptError: the event is not of these kinds.
    """
    return RecordedEvent(
        game_id=row["game_id"],
        sequence=row["sequence"],
        recorded_at=datetime.fromisoformat(row["recorded_at"]),
        source=row["source"],
        step=row["step"],
        event=event_from_document(_read_json(row, "event"), kinds),
    )


def _read_json(row: Row, column: str) -> Any:
    try:
        return json.loads(row[column])
    except json.JSONDecodeError as error:
        raise SchemaError(
            phrase(
                "Game “{game_id}” is damaged in the database; delete it.", game_id=row["game_id"]
            )
        ) from error
