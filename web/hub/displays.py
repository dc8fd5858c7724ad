"""The displays of a process: one for each part of a page and language."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final

from web.hub.display import Display

MOST_KEPT: Final = 200


class Displays:
    """Makes each display once. Any thread may ask. Those asked for longest ago are let go."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, Display] = OrderedDict()

    def of(self, what: Hashable, make: Callable[[], Display]) -> Display:
        """The display of that name."""
        with self._lock:
            if what not in self._kept:
                self._kept[what] = make()
            self._kept.move_to_end(what)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return self._kept[what]
