"""The table's desk for an event, put together: its file beside the database, the hub over HTTP."""

from __future__ import annotations

import secrets
import socket
from typing import TYPE_CHECKING

from scoreboard.linking.attendance_book import AttendanceBook
from scoreboard.linking.attendance_file import AttendanceFile
from scoreboard.linking.desk import EventDesk
from scoreboard.linking.http_hub import HttpHub
from web.table import utc_now

if TYPE_CHECKING:
    from scoreboard.table.ports import EventStore


def open_event_desk(database: str, store: EventStore) -> EventDesk | None:
    """The desk with what the table remembers of its event; None where no file can be kept.

    Raises:
        StoreError: the file is damaged.
    """
    from scoreboard.store import database_path  # noqa: PLC0415 -- it loads the database's library

    path = database_path(database)
    if path is None:
        return None
    book = AttendanceBook(AttendanceFile(path.with_suffix(".event.json")))
    return EventDesk(book, store, HttpHub, utc_now, event_game_id, table=socket.gethostname())


def event_game_id(round_number: int, table: int, number: int) -> str:
    """A name for a game of an event, of which every hub knows many."""
    return f"r{round_number}-t{table}-g{number}-{secrets.token_hex(5)}"
