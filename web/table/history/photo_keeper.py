"""Stores the frame behind each confirmed step in the background: play never waits for it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Full, Queue
from typing import TYPE_CHECKING, Final

from scoreboard.errors import StoreError
from scoreboard.message import Message, message
from scoreboard.storage.score_photos import MOST_PHOTO_BYTES, ScorePhoto, SqlScorePhotos
from scoreboard.table.pending_acts import ConfirmedReading
from scoreboard.table.pending_dice import PendingRoll
from scoreboard.table.pending_pieces import PiecesReading
from scoreboard.table.proposal import UNREAD, Point, Proposal, corners
from scoreboard.worker import Worker
from vision.capture.photo import crop_photo, open_photo

if TYPE_CHECKING:
    from vision.watch.pipeline import Picture, Pictures

    Waiting = tuple[ConfirmedReading, Proposal, Picture]

MOST_WAITING: Final = 32
STOP_SECONDS: Final = 5.0
LOG: Final = logging.getLogger(__name__)


class PhotoKeeper(Worker):
    """Stores photos of the last `games` games in a thread of its own; none if it is 0.

    `faults` are for the owner to fix; a photo that cannot be stored is lost, the game goes on.
    """

    def __init__(
        self,
        photos: SqlScorePhotos,
        pictures: Pictures,
        games: int,
        stored: Callable[[str, bytes], None] = lambda _game_id, _jpeg: None,
    ) -> None:
        """`stored` gets the game and the JPEG of each photo, in the keeper's own thread."""
        self._photos = photos
        self._pictures = pictures
        self._games = games
        self._stored = stored
        self._waiting: Queue[Waiting | None] = Queue(MOST_WAITING)
        self._cleared_for: str | None = None
        self.faults: tuple[Message, ...] = ()
        super().__init__("photos", self._keep_all, wake=self._end)

    def stop(self, timeout_seconds: float | None = STOP_SECONDS) -> None:
        """Store waiting photos, and end the thread; a hanging disk is not waited for."""
        super().stop(timeout_seconds)
        if self.alive:
            LOG.warning("photos still wait for the disk; they are lost")

    def keep(self, confirmed: ConfirmedReading) -> None:
        """Take the frame behind this step to be stored; never waits."""
        read = confirmed.reading.read
        if not self._games or read is None:
            return
        picture = self._pictures.picture(read.frame)
        if picture is None:
            LOG.info("%s step %s: its picture is gone", confirmed.game_id, confirmed.step)
            return
        taken = confirmed, read, picture
        try:
            self._waiting.put_nowait(taken)
        except Full:
            self._failed(taken, message("the disk is too slow"))

    def _end(self) -> None:
        with suppress(Full):
            self._waiting.put_nowait(None)  # one that is full is worked through to its end

    def _keep_all(self) -> None:
        taken: Waiting | None = None
        while True:
            try:
                if taken is None:  # at the start: the setting may be another one than before
                    self._photos.keep_newest(self._games)
                else:
                    self._store(*taken)
                self.faults = ()
            except StoreError as error:
                self._failed(taken, error.message)
            except Exception:  # the thread's edge: without it no photo would be kept any more
                LOG.exception("a photo could not be made")
                self._failed(taken, message("see the log"))
            if self.stopping.is_set() and self._waiting.empty():
                return
            taken = self._waiting.get()
            if taken is None:
                return

    def _store(self, confirmed: ConfirmedReading, read: Proposal, picture: Picture) -> None:
        photo = score_photo(confirmed, read, picture)
        self._photos.add(photo)
        self._stored(photo.game_id, photo.jpeg)
        if self._cleared_for != confirmed.game_id:
            self._photos.keep_newest(self._games)
            self._cleared_for = confirmed.game_id

    def _failed(self, taken: Waiting | None, reason: Message) -> None:
        if taken is None:
            LOG.warning("old photos of scores stay: %s", reason)
        else:
            of, step = taken[0].game_id, taken[0].step
            LOG.warning("the photo of %s step %s is lost: %s", of, step, reason)
        fault = message("Photos of scores are not kept just now ({reason}).", reason=reason)
        self.faults = (fault,)


def score_photo(confirmed: ConfirmedReading, read: Proposal, picture: Picture) -> ScorePhoto:
    """The photo of a reading to store, cut to the pieces.

    `seen` has the `seat` in turn, its size in pixels, and of each piece its `value`, empty if a
    person deleted it; the camera's reading `read`, empty if a person added one; its `confidence`;
    its `corners` in the photo. `entered` is a roll that was typed instead. Raises PhotoError.
    """
    image, reading = open_photo(picture.jpeg), confirmed.reading
    shrunk = image.shape[1] / picture.width
    pieces = list(_pieces(reading, read))
    quads = [[(x * shrunk, y * shrunk) for x, y in quad] for *_, quad in pieces]
    jpeg, (width, height), placed = crop_photo(image, quads, MOST_PHOTO_BYTES)
    entered = reading.dice if isinstance(reading, PendingRoll) and reading.by_hand else ()
    seen = {
        "seat": confirmed.seat,
        "width": width,
        "height": height,
        "entered": " ".join(str(die.value) for die in entered),
        "pieces": [
            {"value": value, "read": was, "confidence": round(confidence, 4), "corners": quad}
            for (value, was, confidence, _), quad in zip(pieces, placed, strict=True)
        ],
    }
    return ScorePhoto(confirmed.game_id, confirmed.step, read.seen_at, jpeg, seen)


def _pieces(
    reading: PendingRoll | PiecesReading, read: Proposal
) -> Iterator[tuple[str, str, float, tuple[Point, ...]]]:
    """The value, what was read, the confidence and the corners of each piece in the frame."""
    if isinstance(reading, PiecesReading):
        labels = {piece.seen: piece.label for piece in reading.pieces}
        for tile in read.pieces:
            yield labels.get(tile, ""), tile.label, tile.confidence, tile.quad
        return
    dice = read.sightings if reading.by_hand else reading.dice
    faces = {die.box: str(die.face or UNREAD) for die in dice}
    for die in read.sightings:
        yield faces.get(die.box, ""), str(die.face or UNREAD), die.confidence, corners(die.box)
    for die in dice:
        if die.box is None:  # added by a person
            yield str(die.value), "", 1.0, ()
