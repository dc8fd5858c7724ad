"""The table's desk for an event, put together: its file beside the database, the hub over HTTP."""

from __future__ import annotations

import secrets
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from scoreboard.tournament.client.attendance import AttendanceBook, AttendanceFile
from scoreboard.tournament.client.event_client import EventClient
from scoreboard.tournament.client.http_hub import HttpHub
from web.table.ports import utc_now

if TYPE_CHECKING:
    from scoreboard.table.ports import EventStore


def open_event_desk(database: str, store: EventStore) -> EventClient | None:
    """The desk with what the table remembers of its event; None where no file can be kept.

    Raises:
        StoreError: the file is damaged.
    """
    from scoreboard.storage import database_path  # noqa: PLC0415 -- it loads the database's library

    path = database_path(database)
    if path is None:
        return None
    book = AttendanceBook(_attendance_file(path))
    return EventClient(book, store, HttpHub, utc_now, event_game_id, table=socket.gethostname())


def event_games(database: str) -> frozenset[str]:
    """The ids of the games that a table with this database plays at its event.

    Raises:
        StoreError: the file in which it remembers its event is damaged.
    """
    from scoreboard.storage import database_path  # noqa: PLC0415 -- as above

    path = database_path(database)
    attendance = None if path is None else _attendance_file(path).read()
    return frozenset(() if attendance is None else (game.game_id for game in attendance.games))


def _attendance_file(database: Path) -> AttendanceFile:
    return AttendanceFile(database.with_suffix(".event.json"))


def event_game_id(round_number: int, table: int, number: int) -> str:
    """A name for a game of an event, of which every hub knows many."""
    return f"r{round_number}-t{table}-g{number}-{secrets.token_hex(5)}"
