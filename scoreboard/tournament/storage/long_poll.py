"""Waiting for news: read, wait for the bell, read again."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final

from scoreboard.tournament.protocol.changes import ChangeEvent
from scoreboard.tournament.storage.change_notifier import ChangeNotifier

MOST_AT_ONCE: Final = 1000  # news in one answer


def first_changes(
    read: Callable[[], tuple[ChangeEvent, ...]], notifier: ChangeNotifier, wait_seconds: float
) -> tuple[ChangeEvent, ...]:
    """What `read` gives as soon as it gives something; empty when the time passes without.

    The bell is looked at before each reading, so that a stroke between reading and waiting
    counts. At the end it reads once more: a stroke that was lost delays news, and loses none.
    """
    end = monotonic() + wait_seconds
    while True:
        heard = notifier.strokes
        if change := read():
            return change
        if not notifier.wait(heard, max(0.0, end - monotonic())):
            return read()
