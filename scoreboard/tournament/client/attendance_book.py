"""The table's memory of its event, shared by its threads: on disk before anyone sees it."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock

from scoreboard.tournament.client.attendance import Attendance
from scoreboard.tournament.client.attendance_file import AttendanceFile
from scoreboard.tournament.client.event_game import EventGame


class AttendanceBook:
    """Holds what the file holds; any thread may call it."""

    def __init__(self, file: AttendanceFile) -> None:
        """Read the file. Raises StoreError where it is damaged."""
        self._file = file
        self._lock = RLock()
        self._now = file.read()

    @property
    def now(self) -> Attendance | None:
        """What the table knows of its event, None where it takes part in none."""
        return self._now

    @property
    def games(self) -> tuple[EventGame, ...]:
        """The games of the event at this table."""
        now = self._now
        return () if now is None else now.games

    def begin(self, attendance: Attendance) -> None:
        """Take part in an event. Raises StoreError."""
        with self._lock:
            self._file.write(attendance)
            self._now = attendance

    def change(self, change: Callable[[Attendance], Attendance]) -> None:
        """Replace what is known, if the table takes part in an event. Raises StoreError."""
        with self._lock:
            if self._now is None:
                return
            changed = change(self._now)
            if changed != self._now:
                self._file.write(changed)
                self._now = changed

    def forget(self) -> None:
        """Take part in no event any more. Raises StoreError."""
        with self._lock:
            self._file.forget()
            self._now = None
