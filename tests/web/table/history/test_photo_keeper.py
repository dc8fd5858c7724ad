"""The photos behind the scores are stored beside the table, whatever becomes of the disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PIL import Image

from scoreboard.dice import Roll
from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.storage import SqlStore, open_store
from scoreboard.storage.score_photos import ScorePhoto
from scoreboard.table.pending_acts import ConfirmedReading
from scoreboard.table.pending_dice import PendingRoll
from scoreboard.table.pending_pieces import PiecesReading
from tests.scoreboard.storage.records import EVENING, header
from tests.scoreboard.table.fakes import reading
from tests.scoreboard.table.seen import seen
from tests.scoreboard.tournament.client.fakes import wait_for
from vision.watch.pipeline import Picture, Pictures
from web.table.history.photo_keeper import MOST_WAITING, PhotoKeeper, score_photo

READ = reading("3?5")


def drawn() -> Picture:
    """A picture of 320 x 240 that stands for a frame of twice that."""
    encoded = BytesIO()
    Image.new("RGB", (320, 240), (28, 84, 60)).save(encoded, "JPEG")
    return Picture(encoded.getvalue(), 640, 480)


class OnePicture(Pictures):
    """Has one picture for every number but 0."""

    def picture(self, number: int) -> Picture | None:
        return drawn() if number else None


class FakePhotos:
    """Remembers what it was to keep, or fails."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.kept: list[ScorePhoto] = []
        self.cleared: list[int] = []
        self.fault = fault

    def add(self, photo: ScorePhoto) -> None:
        if self.fault is not None:
            raise self.fault
        self.kept.append(photo)

    def keep_newest(self, games: int) -> None:
        self.cleared.append(games)
        if self.fault is not None:
            raise self.fault


def confirmed(step: int = 1, game: str = "evening", frame: int = 7) -> ConfirmedReading:
    """A roll as it was read."""
    read = replace(READ, frame=frame)
    return ConfirmedReading(game, step, 1, PendingRoll.of(read, EVENING))


def told(photo: ScorePhoto) -> list[tuple[str, str]]:
    """What each piece was confirmed as, and what had been read."""
    return [(piece["value"], piece["read"]) for piece in photo.seen["pieces"]]


@contextmanager
def keeping(photos: Any, games: int = 50, *stored: Any) -> Iterator[PhotoKeeper]:
    """A keeper that runs, and has stored everything afterwards."""
    keeper = PhotoKeeper(photos, OnePicture(), games, *stored)
    keeper.start()
    yield keeper
    keeper.stop()


def test_a_roll_keeps_its_photo_with_what_was_read(tmp_path: Path) -> None:
    """In the database, in the pixels of the part that is kept; what shows it gets it then."""
    given: list[tuple[str, bytes]] = []
    with closing(open_store(f"sqlite:///{tmp_path}/games.db")) as store:
        assert isinstance(store, SqlStore)
        store.open_game(header())
        with keeping(store.photos, 50, lambda *one: given.append(one)) as keeper:
            keeper.keep(confirmed(3))
        (photo,) = store.photos.of_game("evening")
    assert given == [("evening", photo.jpeg)]
    assert (photo.taken_at, photo.seen["seat"]) == (EVENING, 1)
    assert next(iter(photo.seen)) == "seat"  # by this beginning the photos of a person are found
    assert told(photo) == [("3", "3"), ("?", "?"), ("5", "5")]
    assert {die["confidence"] for die in photo.seen["pieces"]} == {0.99}
    with Image.open(BytesIO(photo.jpeg)) as picture:
        assert picture.size == (photo.seen["width"], photo.seen["height"]) == (112, 32)
    assert photo.seen["pieces"][1]["corners"][0] == [40, 0]
    assert keeper.faults == ()


def test_corrected_deleted_and_added_dice_are_told() -> None:
    """What a person said, beside what the camera had read in the same place."""
    roll = PendingRoll.of(READ, EVENING).with_die(1, 4).with_die(0, None).with_die(None, 6)
    photo = score_photo(ConfirmedReading("g", 1, None, roll), READ, drawn())
    assert told(photo) == [("", "3"), ("4", "?"), ("5", "5"), ("6", "")]
    assert photo.seen["pieces"][-1]["corners"] == []


def test_a_typed_roll_stands_beside_what_was_read() -> None:
    """Nobody knows which die is which."""
    roll = PendingRoll.entered(Roll.parse("346"), EVENING, READ)
    photo = score_photo(ConfirmedReading("g", 1, None, roll), READ, drawn())
    assert photo.seen["entered"] == "3 4 6"
    assert told(photo) == [("3", "3"), ("?", "?"), ("5", "5")]


def test_tiles_keep_their_outlines_and_corrections() -> None:
    """One was named by a person, one is none."""
    read = seen("K10 R10 B1 B2")
    pieces = PiecesReading.of(read, EVENING).with_piece(2, "B10").with_piece(3, None)
    photo = score_photo(ConfirmedReading("g", 1, None, pieces), read, drawn())
    assert told(photo) == [("K10", "K10"), ("R10", "R10"), ("B10", "B1"), ("", "B2")]
    assert [len(tile["corners"]) for tile in photo.seen["pieces"]] == [4, 4, 4, 4]


def test_old_photos_go_at_the_start_and_with_each_new_game() -> None:
    """Not with each photo."""
    photos = FakePhotos()
    with keeping(photos, 3) as keeper:
        for step, game in enumerate(("one", "one", "two"), start=1):
            keeper.keep(confirmed(step, game))
    assert photos.cleared == [3, 3, 3]
    assert [photo.step for photo in photos.kept] == [1, 2, 3]


def test_switched_off_it_keeps_none_and_clears_all() -> None:
    """One setting: 0 games."""
    photos = FakePhotos()
    with keeping(photos, 0) as keeper:
        keeper.keep(confirmed())
    assert (photos.kept, photos.cleared) == ([], [0])


def test_a_picture_that_is_gone_leaves_no_photo() -> None:
    """Only the last few are held in memory."""
    photos = FakePhotos()
    with keeping(photos) as keeper:
        keeper.keep(confirmed(frame=0))
    assert photos.kept == []


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (StoreError(message("The disk is full.")), "The disk is full."),
        (ValueError("no such thing"), "see the log"),
    ],
)
def test_a_photo_that_fails_is_reported(
    fault: Exception, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    """To the owner and in the log; the next one is tried."""
    with keeping(FakePhotos(fault)) as keeper:
        keeper.keep(confirmed(1))
        keeper.keep(confirmed(2))
    assert words in str(keeper.faults[0])
    assert "old photos of scores stay" in caplog.text
    assert "evening step 2 is lost" in caplog.text


def test_a_fault_ends_with_the_next_photo_that_is_kept() -> None:
    """The owner is not told of what is mended."""
    photos = FakePhotos(StoreError(message("The disk is full.")))
    keeper = PhotoKeeper(photos, OnePicture(), 50)  # type: ignore[arg-type]  # a fake
    keeper.start()
    keeper.keep(confirmed(1))
    wait_for(lambda: bool(keeper.faults) and keeper._waiting.empty())
    photos.fault = None
    keeper.keep(confirmed(2))
    keeper.stop()
    assert keeper.faults == ()


def test_a_slow_disk_never_holds_up_the_table(caplog: pytest.LogCaptureFixture) -> None:
    """What does not fit into the queue is dropped, and said."""
    keeper = PhotoKeeper(FakePhotos(), OnePicture(), 50)  # type: ignore[arg-type]  # a fake
    for step in range(MOST_WAITING + 1):
        keeper.keep(confirmed(step))
    assert "the disk is too slow" in str(keeper.faults[0])
    assert f"step {MOST_WAITING} is lost" in caplog.text


def test_photos_that_the_end_does_not_wait_for_are_reported(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A disk that hangs holds up no restart, but is in the log."""
    photos, awake = FakePhotos(), Event()
    photos.keep_newest = lambda games: photos.cleared.append(games) if awake.wait() else None  # type: ignore[method-assign]
    keeper = PhotoKeeper(photos, OnePicture(), 50)  # type: ignore[arg-type]  # a fake
    keeper.start()
    keeper.stop(0)
    awake.set()
    assert "they are lost" in caplog.text
