"""The demo evenings: a camera over a rendered table that plays along with the game."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import Capture
from hardware.errors import CameraError

Pictures = tuple[Traversable, ...]  # of one roll, or of one table, in their order
Showing = tuple[str, str | int, int]  # the evening, its turn or step, the number within it

_EMPTY_TABLE: Final = "empty.webp"
_ROLLS: Final = ""
_LONGEST_PAUSE_SECONDS: Final = 0.2  # between two looks at a table at rest


def demo_pictures(evening: str = "demo_evening") -> Traversable:
    """The folder of an evening inside the package, by its name; else that of the rolls."""
    return files("hardware.cameras") / evening


class DemoCamera:
    """Plays the roll or the table with tiles that the game is waiting for, then shows it at rest.

    `frames_per_second` is at least 1. Every moving picture is given once, however slowly the caller
    takes them. `show` and `show_table` may be called from any thread, `capture` from one.
    """

    name = "demo"
    simulated = True

    def __init__(
        self,
        frames_per_second: float = 10.0,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.frames_per_second = frames_per_second
        self._pictures = demo_pictures()
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._shown: Showing | None = None
        self._asked: Showing | None = None  # as _shown, but None after a step without pictures
        self._on_table: Pictures = ()  # the pictures of a table without dice, while one is shown
        self._given = 0
        self._turns: list[list[Pictures]] = []
        self._due = self._taken = 0.0
        self._follower: Callable[[], None] | None = None
        self._developed: tuple[str, NDArray[np.uint8]] | None = None

    def __enter__(self) -> Self:
        """Find the pictures. Raises CameraError: some are missing."""
        self._turns = [_rolls(turn) for turn in _sorted(self._pictures, "turn")]
        if not self._turns or not all(self._turns):
            raise CameraError.worded(
                "The demo evening's pictures are missing: install Tablescore again."
            )
        self._due = self._taken = self._clock()
        return self

    def __exit__(self, *_: object) -> None:
        self._turns = []
        self._developed = None

    def follow(self, follower: Callable[[], None]) -> None:
        """Register a callback for before each picture, and for each that was due since the last.

        It runs in the capturing thread. However long the pause since the last picture, at most a
        fifth of a second's pictures are counted.
        """
        self._follower = follower

    def tables(self, evening: str, step: str) -> int:
        """The number of successive tables in this step; 0 if it has no pictures."""
        return len(_tables(evening, step))

    def show(self, turn: int, roll: int) -> None:
        """Play a roll from its beginning, unless it is already showing.

        Turns and their rolls count from 0. Past its end the evening begins again.
        """
        self._begin((_ROLLS, turn, roll), ())

    def show_table(self, evening: str, step: str, table: int) -> None:
        """Play a table of an evening without dice, unless it is already showing.

        `step` names what the game is waiting for; `table` counts the successive tables of that
        step from 0, and the last one stays. A step without pictures leaves the current picture,
        and the next table is then played even if it is the same one.
        """
        tables = _tables(evening, step)
        if not tables:
            with self._lock:
                self._asked = None
            return
        number = min(table, len(tables) - 1)
        self._begin((evening, step, number), tables[number])

    def clear(self) -> None:
        """Show the empty table; it may be called from any thread."""
        with self._lock:
            self._asked = self._shown = None
            self._on_table = ()

    def _begin(self, asked: Showing, on_table: Pictures) -> None:
        with self._lock:
            if self._asked != asked:
                self._asked = self._shown = asked
                self._on_table, self._given = on_table, 0

    def capture(self) -> Capture:
        """The next picture, when it is due. Raises CameraError: it is closed, or lacks pictures."""
        if not self._turns:
            raise CameraError.worded("The demo camera is closed: open it first.")
        pause = self._due - self._clock()
        if pause > 0:
            self._sleep(pause)
        taken = self._clock()
        self._due = max(self._due, taken) + 1 / self.frames_per_second
        # a table at rest is looked at less often than pictures are due
        passed = min(taken - self._taken, _LONGEST_PAUSE_SECONDS)
        self._taken = taken
        for _ in range(max(1, round(passed * self.frames_per_second))):
            if self._follower is not None:
                self._follower()
        path, key = self._next_picture()
        if self._developed is None or self._developed[0] != key:
            self._developed = key, _develop(path)
        return Capture(self._developed[1].copy(), datetime.now(UTC))

    def _next_picture(self) -> tuple[Traversable, str]:
        with self._lock:
            pictures = self._shown_pictures()
            if not pictures:
                return self._pictures / _EMPTY_TABLE, _EMPTY_TABLE
            index = min(self._given, len(pictures) - 1)
            self._given += 1
            return pictures[index], f"{self._shown} {index}"

    def _shown_pictures(self) -> Pictures:
        if self._shown is None or self._on_table:
            return self._on_table
        _, turn, roll = self._shown
        rolls = self._turns[int(turn) % len(self._turns)]
        return rolls[roll % len(rolls)]


@cache
def _tables(evening: str, step: str) -> tuple[Pictures, ...]:
    return tuple(_rolls(demo_pictures(evening) / step))


def _rolls(turn: Traversable) -> list[Pictures]:
    rolls = (tuple(_sorted(roll, "")) for roll in _sorted(turn, "throw"))
    return [pictures for pictures in rolls if pictures]


def _sorted(folder: Traversable, prefix: str) -> list[Traversable]:
    if not folder.is_dir():
        return []
    inside = (entry for entry in folder.iterdir() if entry.name.startswith(prefix))
    return sorted(inside, key=lambda entry: entry.name)


def _develop(path: Traversable) -> NDArray[np.uint8]:
    try:
        encoded = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    except OSError as fault:
        raise CameraError.worded(
            "The demo picture {name} is missing: install Tablescore again.", name=path.name
        ) from fault
    image = cv2.imdecode(encoded, cv2.IMREAD_COLOR) if encoded.size else None
    if image is None:
        raise CameraError.worded(
            "The demo picture {name} is damaged: install Tablescore again.", name=path.name
        )
    return np.asarray(image, dtype=np.uint8)
