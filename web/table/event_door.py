"""The event as the page meets it: what the wiring hands to the page."""

from __future__ import annotations

from typing import Protocol


class EventDoor(Protocol):
    """How a table comes into an event and out of it; any thread may call it.

    What is known of the event stands in the table's view.
    """

    def join(self, address: str, code: str) -> None:
        """Take part in the event of the hub at this address.

        Raises:
            ScoreboardError: the address is none, the hub does not answer or says no, or the
                ticket cannot be kept; the phrase says which, and the cure.
        """
        ...

    def leave(self) -> None:
        """Take part no longer.

        Raises:
            ScoreboardError: the table is at no event, or that cannot be kept.
        """
        ...

    def unsent(self) -> int:
        """How much of what was played the hub has not got yet."""
        ...
