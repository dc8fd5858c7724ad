"""Keeps the frame behind each confirmed step, beside the table: play never waits for it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from queue import Full, Queue
from threading import Thread
from typing import TYPE_CHECKING, Final

from scoreboard.errors import StoreError
from scoreboard.message import Message, message
from scoreboard.storage.score_photos import MOST_PHOTO_BYTES, PhotoPiece, ScorePhoto, SqlScorePhotos
from scoreboard.table.pending_reading import ConfirmedReading, PendingRoll
from scoreboard.table.proposal import UNREAD, Box, Proposal

if TYPE_CHECKING:
    from vision.watch.pictures import Picture, Pictures

MOST_WAITING: Final = 32
STOP_SECONDS: Final = 5.0
LOG: Final = logging.getLogger(__name__)


class PhotoKeeper:
    """Stores photos of the last `games` games in a thread of its own; none where it is 0.

    `faults` are what the owner should mend; a photo that cannot be kept is lost, the game goes on.
    """

    def __init__(self, photos: SqlScorePhotos, pictures: Pictures, games: int) -> None:
        self._photos = photos
        self._pictures = pictures
        self._games = games
        self._waiting: Queue[tuple[ConfirmedReading, Proposal, Picture] | None] = Queue(
            MOST_WAITING
        )
        self._cleared_for: str | None = None
        self.faults: tuple[Message, ...] = ()
        self._thread = Thread(target=self._run, name="photos", daemon=True)

    def start(self) -> None:
        """Begin; call it once, after any fork."""
        self._thread.start()

    def stop(self) -> None:
        """Store what waits, and end the thread; a disk that hangs is not waited for."""
        try:
            self._waiting.put(None, timeout=STOP_SECONDS)
        except Full:
            LOG.warning("photos still wait for the disk; they are lost")
        else:
            self._thread.join(STOP_SECONDS)

    def keep(self, confirmed: ConfirmedReading) -> None:
        """Take the frame behind this step to be stored; never waits."""
        read = confirmed.reading.read
        if not self._games or read is None:
            return
        picture = self._pictures.picture(read.frame)
        if picture is None:
            LOG.info("%s step %s: its picture is gone", confirmed.game_id, confirmed.step)
            return
        try:
            self._waiting.put_nowait((confirmed, read, picture))
        except Full:
            self._failed(confirmed, message("the disk is too slow"))

    def _run(self) -> None:
        try:
            self._photos.keep_newest(self._games)
        except StoreError as error:
            LOG.warning("old photos stay: %s", error)
        while (taken := self._waiting.get()) is not None:
            try:
                self._store(*taken)
            except StoreError as error:
                self._failed(taken[0], error.message)
            except Exception:  # the thread's edge: without it no photo would be kept any more
                LOG.exception("a photo could not be made")
                self._failed(taken[0], message("see the log"))
            else:
                self.faults = ()

    def _store(self, confirmed: ConfirmedReading, read: Proposal, picture: Picture) -> None:
        self._photos.add(score_photo(confirmed, read, picture))
        if self._cleared_for != confirmed.game_id:
            self._photos.keep_newest(self._games)
            self._cleared_for = confirmed.game_id

    def _failed(self, confirmed: ConfirmedReading, reason: Message) -> None:
        LOG.warning(
            "the photo of %s step %s is lost: %s", confirmed.game_id, confirmed.step, reason
        )
        self.faults = (
            message("Photos of scores are not kept just now ({reason}).", reason=reason),
        )


def score_photo(confirmed: ConfirmedReading, read: Proposal, picture: Picture) -> ScorePhoto:
    """The photo to keep of what was read, cut to the pieces.

    Raises:
        PhotoError: the picture cannot be decoded.
    """
    from vision.capture.photo import open_photo  # noqa: PLC0415 -- OpenCV, once there is a picture
    from vision.capture.photo_crop import crop_photo  # noqa: PLC0415 -- as above

    image = open_photo(picture.jpeg)
    shrunk = image.shape[1] / picture.width
    reading = confirmed.reading
    entered = ""
    if isinstance(reading, PendingRoll):
        entered = " ".join(str(die.value) for die in reading.dice) if reading.by_hand else ""
        pieces = tuple(_dice(reading, read))
    else:
        pieces = tuple(
            PhotoPiece(piece.label, piece.seen.label, piece.seen.confidence, piece.seen.quad)
            for piece in reading.pieces
        )
        left = {piece.seen for piece in reading.pieces}
        removed = (seen for seen in read.pieces if seen not in left)
        pieces += tuple(PhotoPiece("", one.label, one.confidence, one.quad) for one in removed)
    scaled = [
        replace(piece, corners=tuple((x * shrunk, y * shrunk) for x, y in piece.corners))
        for piece in pieces
    ]
    crop = crop_photo(image, (piece.corners for piece in scaled), MOST_PHOTO_BYTES)
    return ScorePhoto(
        confirmed.game_id,
        confirmed.step,
        read.seen_at,
        crop.jpeg,
        crop.width,
        crop.height,
        tuple(
            replace(
                piece,
                confidence=round(piece.confidence, 4),
                corners=tuple(map(crop.placed, piece.corners)),
            )
            for piece in scaled
        ),
        entered,
    )


def _dice(reading: PendingRoll, read: Proposal) -> Iterator[PhotoPiece]:
    """Each die that was read or added, and what it was confirmed as."""
    confirmed = read.sightings if reading.by_hand else reading.dice
    shown = {die.box: die for die in confirmed}
    for seen in read.sightings:
        was = str(seen.face or UNREAD)
        die = shown.get(seen.box)
        value = "" if die is None else str(die.face or UNREAD)
        yield PhotoPiece(value, was, seen.confidence, _corners(seen.box))
    for added in confirmed:
        if added.box is None:
            yield PhotoPiece(str(added.value), "", 1.0)


def _corners(box: Box | None) -> tuple[tuple[float, float], ...]:
    if box is None:
        return ()
    left, top, right, bottom = box
    return (left, top), (right, top), (right, bottom), (left, bottom)
