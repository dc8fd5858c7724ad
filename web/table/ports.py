"""The table as the page meets it: what the wiring hands to `create_app`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import IO, Literal

from scoreboard.message import Message
from scoreboard.table.ports import Clock
from scoreboard.table.requests import Answer, TableRequest
from scoreboard.table.view import TableView
from web.live import LiveViews
from web.table.diagnostics import Diagnostics
from web.table.event_door import EventDoor
from web.table.lesson_api import LessonApi
from web.table.tray_calibration import TrayDesk

GameStanding = Literal["on the table", "unfinished", "abandoned", "finished", "damaged"]
ExportFormat = Literal["txt", "json", "csv", "raw"]


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One stored game in the list: newest first, totals in seat order.

    `opened_at` is aware UTC; `totals` are the grand totals so far; `title` is the
    rulebook's; `state` says where the game stands. Of a game that cannot be read `fault` says
    why, and what is not known is left empty.
    """

    game_id: str
    title: Message
    players: tuple[str, ...]
    opened_at: datetime | None
    state: GameStanding
    totals: tuple[int, ...]
    fault: Message | None = None


@dataclass(frozen=True, slots=True)
class GamesPage:
    """Page `number` of the `pages` of the list of games, counted from 1."""

    games: tuple[GameSummary, ...]
    number: int = 1
    pages: int = 1


@dataclass(frozen=True, slots=True)
class Facts:
    """What is real and what is simulated here, and who may act.

    `camera` names the source of the pictures in words; `pins` says for makers what buttons and
    lamps are connected to, or why to nothing; `demo` is true for the demo
    evening; `open_to_network` is true when the page is served beyond this machine, so
    that everyone on that network may act.
    """

    camera: Message
    camera_simulated: bool
    buttons_simulated: bool
    pins: str
    demo: bool
    open_to_network: bool


def utc_now() -> datetime:
    """The time of day as aware UTC."""
    return datetime.now(UTC)


def steady_clock(wall: Clock = utc_now, monotonic: Callable[[], float] = time.monotonic) -> Clock:
    """A clock that shows the time of day of its start and then never jumps.

    What is measured at the table (turns, presses, patience) is measured by it: a machine without
    a battery for its clock sets the time of day by years when the network comes.
    """
    began, origin = wall(), monotonic()
    return lambda: began + timedelta(seconds=monotonic() - origin)


@dataclass(frozen=True, slots=True)
class Table:
    """The one table behind the page; every member may be called from any thread.

    `submit` puts a message into the inbox and waits for the answer. `view` is the newest
    view. `picture` gives the JPEG kept under a proposal's frame number, `latest_picture`
    what the camera saw last; None when there is none (any more). `games` gives a page of the
    list, the last one for a number beyond it, and `game` one of them; None when there is none of
    that id. `export` writes a stored game and raises UnknownGameError (a LookupError) when there
    is none of that id. `upload` takes a player's photo and the address that sent it; the photo is
    asked for only when that sender has no other one in work, and read when its turn comes. It
    gives None when the camera's photo was read, else the sentence that says what is wrong; it is
    None itself when the camera is no upload camera.
    `allowed_hosts` are the host names or addresses, in lower case, without port and without the
    brackets of IPv6, by which the page may be called. `live` is the announcer to give to the
    session too. `tray` calibrates a fixed tray, None where there is no camera to calibrate.
    `lessons` teaches sets, None where none can be taught. `event` is the door to an event, None
    where the table has no place to remember one. `addresses` are what to type on a tablet, as they
    are now: a network may come and change them. `coming` says what the demo does next, None where
    no demo runs. `diagnostics` answers the table's owner.
    """

    submit: Callable[[TableRequest], Answer]
    view: Callable[[], TableView]
    picture: Callable[[int], bytes | None]
    latest_picture: Callable[[], bytes | None]
    games: Callable[[int], GamesPage]
    game: Callable[[str], GameSummary | None]
    export: Callable[[str, ExportFormat], str]
    upload: Callable[[Callable[[], IO[bytes]], str], Message | None] | None
    allowed_hosts: frozenset[str]
    facts: Facts
    live: LiveViews
    clock: Clock = utc_now
    tray: TrayDesk | None = None
    lessons: LessonApi | None = None
    event: EventDoor | None = None
    addresses: Callable[[], tuple[str, ...]] = tuple
    coming: Callable[[TableView], Message | None] | None = None
    diagnostics: Diagnostics | None = None
