"""Who was heard when, in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime


class MemoryPresence:
    """Keeps the contract of `scoreboard.tournament.hub.ports.Presence` within one process."""

    def __init__(self) -> None:
        self._heard: dict[str, datetime] = {}

    def note(self, table: str, at: datetime) -> None:
        """A table was heard at this time."""
        known = self._heard.get(table)
        self._heard[table] = at if known is None else max(at, known)

    def heard(self, tables: Iterable[str]) -> Mapping[str, datetime]:
        """When these tables were heard last, those that ever were."""
        return {table: self._heard[table] for table in tables if table in self._heard}
