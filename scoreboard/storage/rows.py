"""Games and events as rows of their tables and back, and the refusals common to all stores."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from scoreboard.errors import ConflictError
from scoreboard.games.engine.transcript import (
    DAMAGE,
    SOURCES,
    UNKNOWN,
    EventCodec,
    GameHeader,
    GameStatus,
    Kinds,
    RecordedEvent,
    damaged,
)
from scoreboard.message import message

Row = Mapping[Any, Any]


def as_json(value: object) -> str:
    """The value as a row has it: names keep their letters."""
    return json.dumps(value, ensure_ascii=False)


def header_row(header: GameHeader) -> dict[str, object]:
    """A game's header as a row of `games`."""
    return {
        "game_id": header.game_id,
        "game": header.game,
        "players": as_json(header.players),
        "opened_at": header.opened_at.isoformat(),
        "options": as_json(dict(header.options)),
    }


def read_header(row: Row) -> GameHeader:
    """A row of `games` as a header. Raises TranscriptError for a damaged one."""
    try:
        players, options = json.loads(_text(row, "players")), json.loads(_text(row, "options"))
        return GameHeader(
            game_id=_text(row, "game_id"),
            game=_text(row, "game"),
            players=_texts(players),
            opened_at=datetime.fromisoformat(row["opened_at"]),
            options=dict(zip(_texts([*options]), _texts([*options.values()]), strict=True)),
        )
    except DAMAGE as error:
        raise damaged(str(row["game_id"])) from error


def read_standing(row: Row, players: int) -> GameStatus | None:
    """A row of `standings` as the status of that many players, None for a damaged one."""
    try:
        totals = tuple(int(total) for total in json.loads(row["totals"]))
    except DAMAGE:
        return None
    if len(totals) != players:
        return None
    return GameStatus(bool(row["finished"]), bool(row["abandoned"]), totals)


def standing_row(standing: GameStatus, events: int) -> dict[str, object]:
    """A status after that many events as a row of `standings`, without the game's id."""
    return {
        "events": events,
        "finished": int(standing.finished),
        "abandoned": int(standing.abandoned),
        "totals": json.dumps(standing.totals),
    }


def event_row(record: RecordedEvent, kinds: Kinds) -> dict[str, object]:
    """An event as a row of `events`. Raises TranscriptError for one without a declared kind."""
    return {
        "game_id": record.game_id,
        "sequence": record.sequence,
        "recorded_at": record.recorded_at.isoformat(),
        "source": record.source,
        "step": record.step,
        "event": as_json(EventCodec.of(kinds).document(record.event)),
        "confirmed_by": record.confirmed_by,
    }


def read_event(row: Row, kinds: Kinds) -> RecordedEvent:
    """A row of `events` as a record. Raises TranscriptError if it is damaged."""
    try:
        return RecordedEvent(
            game_id=row["game_id"],
            sequence=row["sequence"],
            recorded_at=datetime.fromisoformat(row["recorded_at"]),
            source=SOURCES[SOURCES.index(row["source"])],  # ValueError for an unknown one
            step=range(1, row["sequence"] + 1)[row["step"] - 1],
            event=EventCodec.of(kinds).event(json.loads(_text(row, "event"))),
            confirmed_by=_confirmer(row),
        )
    except DAMAGE as error:
        raise damaged(str(row["game_id"])) from error


def _confirmer(row: Row) -> str:
    """The confirmer of an event; a damaged note of it makes no game unreadable."""
    try:
        return _text(row, "confirmed_by")
    except DAMAGE:
        return UNKNOWN


def read_time(text: str | None) -> datetime | None:
    """A row's time, None for none or a damaged one."""
    try:
        at = datetime.fromisoformat(text or "")
    except DAMAGE:
        return None
    return None if at.tzinfo is None else at


def raw_lines(header: Row, events: Iterable[Row]) -> str:
    """A game's rows unchanged: JSON, one row a line, the header's first."""
    return "".join(f"{json.dumps(dict(row), default=str)}\n" for row in (header, *events))


def _text(row: Row, column: str) -> str:
    """A text. Raises UnicodeError for invalid bytes, TypeError for a number."""
    text = row[column]
    if not isinstance(text, str):
        raise TypeError(column)
    text.encode()
    return text


def _texts(values: Any) -> tuple[str, ...]:
    """A list of texts. Raises TypeError for anything else."""
    if not (isinstance(values, list) and all(isinstance(value, str) for value in values)):
        raise TypeError(values)
    return tuple(values)


def taken(game_id: str) -> ConflictError:
    """The refusal of a second game with the same id."""
    return ConflictError(message("A game “{game_id}” is stored already.", game_id=game_id))


def moved_on(game_id: str, stored: int, expected: int) -> ConflictError:
    """The refusal of events that do not follow on the stored ones."""
    return ConflictError.worded(
        "Game “{game_id}” has {stored} events, not {expected}: something else wrote to it.",
        game_id=game_id,
        stored=stored,
        expected=expected,
    )


def require_successive(game_id: str, expected: int, events: Sequence[RecordedEvent]) -> None:
    """Check that the events are this game's and continue its sequence. Raises ConflictError."""
    for sequence, record in enumerate(events, start=expected + 1):
        if (record.game_id, record.sequence) != (game_id, sequence):
            raise moved_on(game_id, expected, record.sequence - 1)
