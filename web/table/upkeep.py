"""The thread that keeps the games' file in one piece: folds its log in, and makes backups."""

from __future__ import annotations

import logging
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from scoreboard.errors import StoreError
from scoreboard.table.ports import Clock
from scoreboard.table.view import TableView

if TYPE_CHECKING:  # it loads the database's library
    from scoreboard.storage import SqlStore

LOG: Final = logging.getLogger(__name__)
PAUSE_SECONDS: Final = 60.0
STOP_SECONDS: Final = 0.5
ENDED: Final = frozenset({"finished", "abandoned"})


class Upkeep:
    """An announcer: at each game's end the file is backed up, and within a minute it is whole.

    A backup is also made when the table cannot record any more: the file may have been deleted,
    and what is open goes with the table. A backup that fails is told in the log; play goes on.
    """

    def __init__(self, store: SqlStore, clock: Clock, pause_seconds: float = PAUSE_SECONDS) -> None:
        self._store = store
        self._clock = clock
        self._pause_seconds = pause_seconds
        self._view: TableView | None = None
        self._due = Event()
        self._stopping = False
        self._thread = Thread(target=self._run, name="upkeep", daemon=True)

    def start(self) -> None:
        """Begin; call it once, after any fork."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; a backup that is being made may be left out."""
        self._stopping = True
        self._due.set()
        self._thread.join(STOP_SECONDS)

    def announce(self, view: TableView) -> None:
        """Take the newest view."""
        before, self._view = self._view, view
        if before is None:
            return
        ends = view.stage in ENDED and view.game_id == before.game_id
        pauses = view.paused is not None and before.paused is None
        if (ends and view.sequence > before.sequence) or pauses:
            self._due.set()

    def _run(self) -> None:
        recorded: object = None
        while True:
            due = self._due.wait(self._pause_seconds)
            self._due.clear()
            if self._stopping:
                return
            now = self._recorded()
            if due or now != recorded:
                self._keep(backup=due)
            recorded = now

    def _recorded(self) -> tuple[str | None, int]:
        """How far the game on the table is recorded."""
        return (None, 0) if self._view is None else (self._view.game_id, self._view.sequence)

    def _keep(self, *, backup: bool) -> None:
        try:
            if backup:
                self._store.back_up(self._clock())
            self._store.checkpoint()
        except StoreError as error:
            LOG.warning("%s", error)
