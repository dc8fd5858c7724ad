"""A hub's store without a disk: gone when the process ends, for tests and for trying out."""

from __future__ import annotations

from threading import RLock

from scoreboard.tournament.storage.memory_change_log import MemoryChangeLog
from scoreboard.tournament.storage.memory_deliveries import MemoryDeliveries
from scoreboard.tournament.storage.memory_people import MemoryPeople
from scoreboard.tournament.storage.memory_presence import MemoryPresence
from scoreboard.tournament.storage.memory_tournaments import MemoryTournaments


class MemoryHubStore:
    """Keeps the contract of `scoreboard.tournament.hub.ports.HubStore`."""

    def __init__(self) -> None:
        lock = RLock()
        self.change_log = MemoryChangeLog(lock)
        self.tournaments = MemoryTournaments(lock, self.change_log)
        self.deliveries = MemoryDeliveries(lock, self.change_log)
        self.people = MemoryPeople(lock)
        self.presence = MemoryPresence()

    def close(self) -> None:
        """Nothing to let go of; so that any store can be closed."""
