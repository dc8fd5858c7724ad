"""What a hub keeps of a tournament outside its record, in each kind of database."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import delete, select

from scoreboard.tournament.hub.admission import TableSeat
from scoreboard.tournament.protocol.audit_log import UnknownTournamentError
from scoreboard.tournament.protocol.items import Item
from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.tables import ENTRANT_NOTES, TOURNAMENTS
from scoreboard.tournament.storage.unrecorded import EntrantNote, EventMarks, TablePhoto
from tests.scoreboard.tournament.storage.samples import MORNING, record

NOW = datetime(2026, 11, 26, 18, 0, tzinfo=UTC)


def begin(hub: SqlHubStore, *names: str) -> None:
    """Store events of one record each."""
    for name in names:
        hub.tournaments.create(name, name, NOW)
        hub.tournaments.append(name, 0, [record(1)])


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


SEEN = [[1, 0, [[33.0, 34.5, "7", True]], True]]


def test_a_slip_waits_and_is_kept_with_its_result(hub: SqlHubStore) -> None:
    """It waits until it is kept, as it came; then its table's page finds it by its code."""
    begin(hub, "open")
    event, photos = "open", hub.slip_photos
    photos.add(event, "TS1/A", MORNING, b"\xff\xd8a", SEEN)
    photos.add(event, "TS1/B", MORNING, b"\xff\xd8b", [])
    first, second = photos.waiting(event)
    assert (first.code, first.seen, second.code) == ("TS1/A", SEEN, "TS1/B")
    photos.keep(event, first.taken)
    assert photos.waiting(event) == (second,)
    assert photos.kept(event, ["TS1/A", "TS1/B"]) == (first.taken,)
    assert photos.kept(event, ["TS1/B"]) == ()
    assert photos.jpeg(event, first.taken) == b"\xff\xd8a"


def test_a_slip_that_is_taken_again_waits_once(hub: SqlHubStore) -> None:
    """The newer photo stands; one that was kept stays beside it."""
    begin(hub, "open")
    event, photos = "open", hub.slip_photos
    for jpeg in (b"1", b"2"):
        photos.add(event, "TS1/A", MORNING, jpeg, SEEN)
    (waiting,) = photos.waiting(event)
    assert photos.jpeg(event, waiting.taken) == b"2"
    photos.keep(event, waiting.taken)
    photos.add(event, "TS1/A", MORNING, b"3", SEEN)
    assert len(photos.waiting(event)) == 1
    assert photos.kept(event, ["TS1/A"]) == (waiting.taken,)


def test_only_what_waits_is_discarded_and_only_by_its_own_event(hub: SqlHubStore) -> None:
    """A photo behind a result stays; another event sees none of them."""
    begin(hub, "open", "other")
    event, other, photos = "open", "other", hub.slip_photos
    photos.add(event, "TS1/A", MORNING, b"1", SEEN)
    (photo,) = photos.waiting(event)
    photos.discard(other, photo.taken)
    photos.keep(other, photo.taken)
    assert photos.waiting(event) == (photo,)
    assert photos.waiting(other) == ()
    assert photos.jpeg(other, photo.taken) is None
    photos.keep(event, photo.taken)
    photos.discard(event, photo.taken)
    assert photos.jpeg(event, photo.taken) == b"1"
    photos.add(event, "TS1/A", MORNING, b"2", SEEN)
    (again,) = photos.waiting(event)
    photos.discard(event, again.taken)
    assert photos.waiting(event) == ()


def test_notes_are_kept_by_kind_and_go_with_their_event(hub: SqlHubStore) -> None:
    """A note doesn't touch the address; whoever deletes the event deletes both."""
    for event in ("e", "f"):
        hub.tournaments.create(event, "An event", MORNING)
    hub.entrant_notes.keep("e", "email", {1: "anna@club.example", 2: "b@club.example"})
    hub.entrant_notes.keep("e", "note", {1: "asked for a quiet table"})
    hub.entrant_notes.keep("e", "paid_as", {2: "Boris"})
    hub.entrant_notes.keep("f", "here_as", {1: "Anna"})
    hub.entrant_notes.keep("f", "here_as", {})
    assert hub.entrant_notes.of("e") == {
        1: EntrantNote("", "anna@club.example", "asked for a quiet table"),
        2: EntrantNote("", "b@club.example", "", "Boris"),
    }
    with hub._database.writing() as connection:
        connection.execute(delete(TOURNAMENTS).where(TOURNAMENTS.c.tournament_id == "e"))
        left = connection.execute(select(ENTRANT_NOTES.c.tournament_id)).scalars().all()
    assert left == ["f"]
