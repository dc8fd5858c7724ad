"""Whose large picture is decoded next: one at a time, the senders by turns.

A decoded photo of 24 megapixels takes 72 MB, decoding it up to 350: two at once are more than a
small machine has. What reads photos that people send takes its turn here first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Lock
from typing import Final

from scoreboard.message import Message, message

MOST_SENDERS: Final = 12  # each of them holds one of the page's threads, of which 16 are spare

EARLIER_WAITS: Final = message(
    "Your earlier picture is still being read: wait for it, then send the next one."
)
TOO_MANY: Final = message("Many pictures are waiting to be read; try again in a minute.")


class PictureRefusedError(Exception):
    """A picture that is not even waited for; `message` tells its sender what to do."""

    def __init__(self, phrase: Message) -> None:
        super().__init__(str(phrase))
        self.message = phrase


class FairLock:
    """A lock that is given in the order in which it was asked for."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._queue: deque[object] = deque()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for those who asked before; hold it meanwhile. Not to be asked for while held."""
        mine = object()
        with self._changed:
            self._queue.append(mine)
            self._changed.wait_for(lambda: self._queue[0] is mine)
        try:
            yield
        finally:
            with self._changed:
                self._queue.popleft()
                self._changed.notify_all()


class PictureTurns(FairLock):
    """One large picture at a time; safe for many threads.

    A sender is admitted, then takes a turn for each picture::

        with turns.admitted(address):
            for photo in photos:
                with turns.turn():
                    read(photo)

    As nobody is admitted twice at once, a sender of many pictures waits at the end of the queue
    for each of them, and another one waits for a single picture of theirs at most.
    """

    def __init__(self, most_senders: int = MOST_SENDERS) -> None:
        super().__init__()
        self._most_senders = most_senders
        self._senders: set[str] = set()
        self._admitting = Lock()

    @contextmanager
    def admitted(self, sender: str) -> Iterator[None]:
        """Let the sender of that address take turns, one after the other.

        Raises:
            PictureRefusedError: this sender is admitted already, or too many others are.
        """
        with self._admitting:
            if sender in self._senders:
                raise PictureRefusedError(EARLIER_WAITS)
            if len(self._senders) >= self._most_senders:
                raise PictureRefusedError(TOO_MANY)
            self._senders.add(sender)
        try:
            yield
        finally:
            with self._admitting:
                self._senders.remove(sender)
