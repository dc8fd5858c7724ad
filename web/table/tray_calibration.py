"""The tray's calibration as the page meets it: what the wiring hands to the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scoreboard.message import Message

Corner = tuple[float, float]


@dataclass(frozen=True, slots=True)
class TrayStanding:
    """How the calibration stands.

    `corners` are shares of the picture's width and height, clockwise from the top left, none
    where the whole picture counts; `obstacle` says why the page cannot change it.
    """

    corners: tuple[Corner, ...] = ()
    obstacle: Message | None = None


class TrayDesk(Protocol):
    """What the calibration's page can do; every member may be called from any thread."""

    def standing(self) -> TrayStanding:
        """How the calibration stands now."""
        ...

    def take(self) -> int | None:
        """Keep the newest picture under a number; None before the first."""
        ...

    def photo(self, number: int) -> bytes | None:
        """A kept picture as JPEG; None when it is gone."""
        ...

    def find(self, number: int) -> tuple[Corner, ...] | Message:
        """Look for the tray in a kept picture: its corners, or why there are none."""
        ...

    def fault(self, taps: Sequence[Corner]) -> Message | None:
        """What is wrong with these corners, in whatever order; None when nothing is."""
        ...

    def preview(self, number: int, taps: Sequence[Corner]) -> bytes | None:
        """The tray of a kept picture, rectified, as JPEG; None when that cannot be."""
        ...

    def keep(self, number: int, taps: Sequence[Corner]) -> Message | None:
        """Calibrate and use it at once; gives what stands against it."""
        ...

    def forget(self) -> Message | None:
        """Calibrate no more; gives what stands against it."""
        ...
