"""What lets a table into its event."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Ticket:
    """A table's place at an event: the hub's address, the secret, and what it is called there.

    `address` is where the hub is reached (`https://hub.example:8443`), `place` the table's
    number at the event called `title`.
    """

    address: str
    token: str = field(repr=False)
    tournament_id: str
    title: str
    place: int
