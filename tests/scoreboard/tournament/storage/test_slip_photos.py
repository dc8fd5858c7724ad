"""Photos of result slips, in every store."""

from __future__ import annotations

from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.tournament.storage.samples import MORNING

SEEN = [[1, 0, [[33.0, 34.5, "7", True]], True]]


def opened(hub: SqlHubStore, name: str = "open") -> str:
    """An event, by its id."""
    hub.tournaments.create(name, "Winter Open", MORNING)
    return name


def test_a_slip_waits_and_is_kept_with_its_result(hub: SqlHubStore) -> None:
    """It waits until it is kept, as it came; then its table's page finds it by its code."""
    event = opened(hub)
    photos = hub.slip_photos
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
    event = opened(hub)
    photos = hub.slip_photos
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
    event, other = opened(hub), opened(hub, "other")
    photos = hub.slip_photos
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
