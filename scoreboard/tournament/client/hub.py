"""What a table needs of its hub, and how a hub can fail it."""

from __future__ import annotations

from typing import Protocol

from scoreboard.errors import ScoreboardError
from scoreboard.tournament.protocol.delivery import Delivery, Receipt
from scoreboard.tournament.protocol.hub_update import Greeting, HubUpdate
from scoreboard.tournament.protocol.join import Joined, JoinRequest


class HubAwayError(ScoreboardError, ConnectionError):
    """The hub was not reached, or gave no answer; whether it heard is not known. Try again."""


class HubRefusedError(ScoreboardError, PermissionError):
    """The hub does not let this table in, or does not take this: trying again changes nothing."""


class NotInvitedError(HubRefusedError):
    """The hub does not know the table's ticket, or not any more."""


class Hub(Protocol):
    """A hub as a table meets it; any thread may call it.

    Every method raises HubAwayError when no answer came, and HubRefusedError when the answer is
    no; NotInvitedError where the ticket lets nobody in.
    """

    def join(self, request: JoinRequest) -> Joined:
        """Spend a code for a place."""
        ...

    def greet(self, token: str, greeting: Greeting) -> HubUpdate:
        """Say what this table has, and hear what the hub wants."""
        ...

    def deliver(self, token: str, delivery: Delivery) -> Receipt:
        """Hand over items of a game."""
        ...

    def hear(self, token: str, after: int, wait_seconds: float) -> HubUpdate:
        """The newest word; waits for one above the version `after`, no longer than that."""
        ...
