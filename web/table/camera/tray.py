"""The tray or play area of a running table: its calibration, and changes of it.

Heavy libraries are loaded where they are needed, as in the wiring.
"""
# ruff: noqa: PLC0415 -- see above

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, Literal

from hardware.camera import public_name
from scoreboard.message import Message, message
from scoreboard.table.pending_pieces import PiecesReading
from scoreboard.table.proposal import Box
from scoreboard.text_files import write_whole
from vision.errors import CalibrationError, TrayError
from web.shared.plan import Plan
from web.shared.settings import Corner, SettingsError

if TYPE_CHECKING:
    from scoreboard.table.pending_acts import ConfirmedReading
    from vision.capture.frame import Image, PlayArea
    from vision.quality.calibration import Calibration, Fingerprint
    from vision.quality.tray import Outline


Kind = Literal["tray", "area"]  # four corners that are rectified, or any that are not

PHOTOS: Final = 4
PHOTOS_BYTES: Final = 96 * 1024 * 1024  # of them all; a phone's may have 72 MB
PHOTO_SIDE: Final = 1280
PREVIEW_SIDE: Final = 480
QUALITY: Final = 85
ROLLS: Final = 8  # whose dice propose a play area
ASKED: Final = 2  # of them with a question: a single one proves nothing about the place
MOST_SHARE: Final = 0.8  # of the picture: beyond it little is left to be ignored

OLD_PICTURE: Final = message("That picture is gone; take a new one.")


def stored_calibration(file: Path, camera: str) -> Calibration | None:
    """What is stored for this camera, or None. Raises CalibrationError if the file is damaged."""
    from vision.quality.calibration import Calibration

    try:
        stored = Calibration.parse(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise CalibrationError(
            f"The tray's calibration {file} cannot be used; delete this file, and calibrate again."
        ) from error
    return stored if stored.camera == camera else None


class FixedTray:
    """The tray or play area shared by camera, page and health light; thread-safe.

    `camera` is the camera's source; `file` stores the calibration, None to store nothing; `fixed`
    is the one in the settings, which no page overrides. Raises CalibrationError for a damaged one.
    """

    def __init__(self, camera: str, file: Path | None, *, fixed: Outline | None = None) -> None:
        self._camera = camera
        self._file = file
        self._fixed = fixed
        self._changed: Callable[[bool], None] | None = None
        self._lock = Lock()
        self._numbers = count(1)
        self._photos: OrderedDict[int, Image] = OrderedDict()
        self._latest: Image | None = None
        self._rolls: deque[tuple[list[Box], bool]] = deque(maxlen=ROLLS)
        self._calibration = None if fixed or file is None else stored_calibration(file, camera)

    def listen(self, changed: Callable[[bool], None]) -> None:
        """Have `changed` called after each change, with whether the tray is known now."""
        self._changed = changed

    # -- for the session's thread

    def note(self, confirmed: ConfirmedReading) -> None:
        """Remember the places of a confirmed roll's dice, and whether the camera asked."""
        read = confirmed.reading.read
        if read is None or isinstance(confirmed.reading, PiecesReading) or self.outline is not None:
            return
        boxes = [die.box for die in confirmed.reading.dice if die.box is not None]
        across, down = read.width, read.height
        shares = [(x / across, y / down, right / across, low / down) for x, y, right, low in boxes]
        if shares:
            self._rolls.append((shares, bool(read.doubts) or len(read.sightings) > len(shares)))

    # -- for the camera's thread

    def look_at(self, image: Image) -> Outline | None:
        """Where to look in this picture, which is remembered as the newest."""
        self._latest = image
        return self.outline

    def fingerprint(self) -> Fingerprint | None:
        calibration = self._calibration
        return None if calibration is None else calibration.fingerprint

    def area(self) -> PlayArea | None:
        """The play area; None for none, or for a tray."""
        from vision.capture.frame import PlayArea

        outline = self.outline
        return outline if isinstance(outline, PlayArea) else None

    @property
    def outline(self) -> Outline | None:
        """The tray or the play area, None if the whole picture counts."""
        if self._fixed is not None:
            return self._fixed
        calibration = self._calibration
        return None if calibration is None else calibration.outline

    # -- for the page

    @property
    def proposed(self) -> PlayArea | None:
        """The play area of the last rolls' dice; None if it is too large, or little was asked."""
        from vision.capture.frame import PlayArea

        rolls = tuple(self._rolls)
        if len(rolls) < ROLLS or sum(asked for _, asked in rolls) < ASKED or self.obstacle:
            return None
        area = PlayArea.around_boxes([box for boxes, _ in rolls for box in boxes], (1.0, 1.0))
        return area if area is not None and area.share <= MOST_SHARE else None

    def keep_proposed(self) -> Message | None:
        """Use the play area that is proposed; gives the obstacle, if any."""
        area, image = self.proposed, self._latest
        return OLD_PICTURE if area is None or image is None else self.keep_found(image, area)

    @property
    def kind(self) -> Kind | None:
        if self.outline is None:
            return None
        return "tray" if self.area() is None else "area"

    @property
    def obstacle(self) -> Message | None:
        """The reason the page cannot change the calibration, or None."""
        if self._fixed is not None:
            return _IN_SETTINGS
        if self._camera in _UNSTEADY:
            return _UNSTEADY[self._camera]
        return _NOWHERE if self._file is None else None

    def take(self) -> int | None:
        """Keep the newest picture under a number, to be shown and tapped on."""
        image = self._latest
        if image is None:
            return None
        number = next(self._numbers)
        with self._lock:
            self._photos[number] = image
            while len(self._photos) > 1:
                held = {id(each): each.nbytes for each in self._photos.values()}
                if len(self._photos) <= PHOTOS and sum(held.values()) <= PHOTOS_BYTES:
                    break
                self._photos.popitem(last=False)
        return number

    def photo(self, number: int) -> bytes | None:
        """A kept picture as JPEG; None when it is gone."""
        image = self._photo(number)
        return None if image is None else _jpeg(image, PHOTO_SIDE)

    def find(self, number: int) -> tuple[Corner, ...] | Message:
        """Look for the tray in a kept picture: its corners, or the reason for none."""
        from vision.quality.tray import find_tray

        image = self._photo(number)
        if image is None:
            return OLD_PICTURE
        try:
            return find_tray(image).around
        except TrayError as error:
            return error.message

    def fault(self, kind: Kind, taps: Sequence[Corner]) -> Message | None:
        """The fault of these corners, None when they could be a tray's or an area's."""
        found = _outline(kind, taps)
        return found if isinstance(found, Message) else None

    def preview(self, number: int, taps: Sequence[Corner]) -> bytes | None:
        """The tray of a kept picture, rectified, as JPEG; None for a bad tray or an old picture."""
        from vision.quality.tray import TrayCorners, rectify

        image, corners = self._photo(number), _outline("tray", taps)
        if image is None or not isinstance(corners, TrayCorners):
            return None
        return _jpeg(rectify(image, corners), PREVIEW_SIDE)

    def keep(self, number: int, kind: Kind, taps: Sequence[Corner]) -> Message | None:
        """Calibrate with a kept picture and use it at once; gives the obstacle, if any."""
        image, outline = self._photo(number), _outline(kind, taps)
        if image is None:
            return OLD_PICTURE
        return outline if isinstance(outline, Message) else self.keep_found(image, outline)

    def keep_found(self, image: Image, outline: Outline) -> Message | None:
        """Calibrate with an outline that is known to be one; gives the obstacle, if any."""
        from vision.quality.calibration import Calibration

        return self.obstacle or self._store(Calibration.of(self._camera, image, outline))

    def forget(self) -> Message | None:
        """Delete the calibration: the whole picture counts; gives the obstacle, if any."""
        return self.obstacle or self._store(None)

    def _store(self, calibration: Calibration | None) -> Message | None:
        if self._file is None:
            return _NOWHERE
        try:
            if calibration is None:
                self._file.unlink(missing_ok=True)
            else:
                write_whole(self._file, str(calibration).encode())
        except OSError:
            return message("The calibration could not be stored: is the disk full or read-only?")
        self._calibration = calibration
        self._rolls.clear()
        if self._changed is not None:
            self._changed(calibration is not None)
        return None

    def _photo(self, number: int) -> Image | None:
        with self._lock:
            return self._photos.get(number)


_IN_SETTINGS: Final = message(
    "The settings file says where the dice lie: remove corners and area from its [tray] section "
    "to calibrate here."
)
_UNSTEADY: Final = {
    "": message(
        "The demo shows a different tray every turn: you can try this out, but not keep it."
    ),
    "upload": message(
        "Phone photos are each taken from a different place: only a fixed camera can be calibrated."
    ),
}
_NOWHERE: Final = message("This table’s games are in memory only: no calibration can be kept.")


def calibration_file(plan: Plan) -> Path | None:
    """Where the tray's calibration is kept: next to the database, None for one in memory."""
    return plan.file(".tray.toml")


def open_tray(plan: Plan) -> FixedTray:
    """The tray in the settings, or else the calibrated one for this camera.

    Raises CalibrationError if that one is damaged; SettingsError if the settings' corners are no
    tray's, or enclose no area.
    """
    from vision.capture.frame import PlayArea
    from vision.quality.tray import TrayCorners

    settings = plan.settings
    fixed: Outline | None = None
    try:
        if settings.tray.corners:
            fixed = TrayCorners(settings.tray.corners)
        elif settings.tray.area:
            fixed = PlayArea.around_taps(settings.tray.area)
    except ValueError as error:
        raise SettingsError(f"The settings' section [tray]: {error}") from error
    return FixedTray(public_name(settings.camera.source), calibration_file(plan), fixed=fixed)


def _outline(kind: Kind, taps: Sequence[Corner]) -> Outline | Message:
    from vision.capture.frame import PlayArea
    from vision.quality.tray import TrayCorners

    try:
        return (PlayArea if kind == "area" else TrayCorners).around_taps(taps)
    except TrayError as error:
        return error.message


def _jpeg(image: Image, longest_side: int) -> bytes:
    from vision.capture.photo import encode_small

    return encode_small(image, longest_side, QUALITY)
