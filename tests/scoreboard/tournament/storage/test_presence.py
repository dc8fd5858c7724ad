"""Who was heard when, in every store."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta

from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store
from tests.scoreboard.tournament.storage.samples import MORNING

LATER = MORNING + timedelta(minutes=5)


def test_the_last_time_counts(hub: SqlHubStore) -> None:
    """Of several times the latest is told, whatever their order; who never spoke is left out."""
    for table, at in (("cup/1", MORNING), ("cup/1", LATER), ("cup/2", LATER), ("cup/2", MORNING)):
        hub.presence.note(table, at)
    assert hub.presence.last_contacts(["cup/1", "cup/2", "cup/3"]) == {
        "cup/1": LATER,
        "cup/2": LATER,
    }
    assert hub.presence.last_contacts([]) == {}


def test_another_process_knows_who_was_heard(postgresql: str) -> None:
    """Two stores at one server share it."""
    with closing(open_hub_store(postgresql)) as one, closing(open_hub_store(postgresql)) as other:
        one.presence.note("cup/1", MORNING)
        other.presence.note("cup/1", LATER)
        assert one.presence.last_contacts(["cup/1"]) == {"cup/1": LATER}


def test_what_this_process_heard_it_knows_at_once(hub: SqlHubStore) -> None:
    """Though many times of a moment are written together, and later."""
    tables = [f"cup/{number}" for number in range(5)]
    for table in tables:
        hub.presence.note(table, MORNING)
    assert hub.presence.last_contacts(tables) == dict.fromkeys(tables, MORNING)


def test_many_who_are_heard_are_written_together(postgresql: str) -> None:
    """Another process knows of all of them once the next word came, a second later."""
    tables = {f"cup/{number}" for number in range(5)}
    with closing(open_hub_store(postgresql)) as one, closing(open_hub_store(postgresql)) as other:
        for table in sorted(tables):
            one.presence.note(table, MORNING)
        assert other.presence.last_contacts(tables).keys() < tables
        one.presence.note("cup/0", MORNING + timedelta(seconds=1))
        assert other.presence.last_contacts(tables).keys() == tables
