"""The marks of events, presets and photos, in each kind of database."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scoreboard.tournament.hub.admission import TableSeat
from scoreboard.tournament.protocol.audit_log import Actor, TournamentRecord, UnknownTournamentError
from scoreboard.tournament.protocol.items import Item
from scoreboard.tournament.storage.event_marks import EventMarks, TablePhoto
from scoreboard.tournament.storage.hub_store import SqlHubStore

NOW = datetime(2026, 11, 26, 18, 0, tzinfo=UTC)


def begin(hub: SqlHubStore, *names: str) -> None:
    """Store events of one record each."""
    record = TournamentRecord(1, NOW, Actor("director", "Dana"), {}, "", "", "", "")
    for name in names:
        hub.tournaments.create(name, name, NOW)
        hub.tournaments.append(name, 0, [record])


def test_marks_come_back_as_they_were_made(hub: SqlHubStore) -> None:
    """What one change says stands beside what the others said, and None takes a mark away."""
    begin(hub, "cup")
    assert hub.event_marks.of("cup") == EventMarks()
    hub.event_marks.change("cup", archived_at=NOW, test=True)
    hub.event_marks.change("cup", photos=True, section="Winter")
    assert hub.event_marks.of("cup") == EventMarks(NOW, test=True, photos=True, section="Winter")
    hub.event_marks.change("cup", archived_at=None, deleted_at=NOW)
    assert hub.event_marks.all() == {
        "cup": EventMarks(None, NOW, test=True, photos=True, section="Winter")
    }


def test_an_erased_event_leaves_nothing_and_takes_nothing_of_others(hub: SqlHubStore) -> None:
    """Its record, games, photos and marks go; the event whose id begins alike stays whole."""
    begin(hub, "cup", "cup-2")
    for name in ("cup", "cup-2"):
        seat = str(TableSeat(name, 1))
        hub.deliveries.take(seat, f"game-{name}", [Item(1, {"kind": "x"})])
        hub.presence.note(seat, NOW)
        hub.event_marks.keep_photo(seat, TablePhoto(NOW, b"jpeg"))
        hub.event_marks.change(name, photos=True)
    hub.event_marks.erase("cup")
    with pytest.raises(UnknownTournamentError):
        hub.tournaments.records("cup")
    assert hub.deliveries.table_of("game-cup") is None
    assert hub.event_marks.photo("cup/1") is None
    assert set(hub.event_marks.all()) == {"cup-2"}
    assert len(hub.tournaments.records("cup-2")) == 1
    assert hub.deliveries.table_of("game-cup-2") == "cup-2/1"
    assert hub.event_marks.photo("cup-2/1") == TablePhoto(NOW, b"jpeg")


def test_presets_are_kept_by_name(hub: SqlHubStore) -> None:
    """A second one of the same name replaces the first; a deleted one is gone."""
    hub.event_marks.save_preset("Tuesday", "one")
    hub.event_marks.save_preset("Monday", "two")
    hub.event_marks.save_preset("Tuesday", "three")
    assert list(hub.event_marks.presets().items()) == [("Monday", "two"), ("Tuesday", "three")]
    hub.event_marks.delete_preset("Monday")
    assert hub.event_marks.presets() == {"Tuesday": "three"}


def test_only_the_newest_photo_of_a_table_is_kept(hub: SqlHubStore) -> None:
    """A photo replaces the one before, and all of an event's are forgotten at once."""
    begin(hub, "cup")
    hub.event_marks.keep_photo("cup/1", TablePhoto(NOW, b"one"))
    hub.event_marks.keep_photo("cup/1", TablePhoto(NOW, b"two"))
    hub.event_marks.keep_photo("cup-2/1", TablePhoto(NOW, b"other"))
    assert hub.event_marks.photo("cup/1") == TablePhoto(NOW, b"two")
    hub.event_marks.forget_photos("cup")
    assert hub.event_marks.photo("cup/1") is None
    assert hub.event_marks.photo("cup-2/1") == TablePhoto(NOW, b"other")
