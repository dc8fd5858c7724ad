"""Who was heard when, in every store."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta

from scoreboard.hub.ports import HubStore
from scoreboard.store.hub import open_hub_store
from tests.scoreboard.store.hub.happenings import MORNING

LATER = MORNING + timedelta(minutes=5)


def test_the_last_time_counts(hub: HubStore) -> None:
    """Of several times the latest is told, whatever their order; who never spoke is left out."""
    for table, at in (("cup/1", MORNING), ("cup/1", LATER), ("cup/2", LATER), ("cup/2", MORNING)):
        hub.presence.note(table, at)
    assert hub.presence.heard(["cup/1", "cup/2", "cup/3"]) == {"cup/1": LATER, "cup/2": LATER}
    assert hub.presence.heard([]) == {}


def test_another_process_knows_who_was_heard(postgresql: str) -> None:
    """Two stores at one server share it."""
    with closing(open_hub_store(postgresql)) as one, closing(open_hub_store(postgresql)) as other:
        one.presence.note("cup/1", MORNING)
        other.presence.note("cup/1", LATER)
        assert one.presence.heard(["cup/1"]) == {"cup/1": LATER}
