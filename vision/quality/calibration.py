"""A tray's calibration: where it lies, for which camera, and what the camera saw then."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from typing import Final

from vision.capture.frame import Image
from vision.errors import CalibrationError
from vision.quality.rectify import Point, TrayCorners
from vision.quality.tray_fingerprint import Fingerprint

_HEAD: Final = (
    "# Where the tray lies in the camera's picture, written by Tablescore's calibration.\n"
    "# `tablescore calibrate --clear` forgets it, and so does deleting this file.\n"
)
_DIGITS: Final = 5


@dataclass(frozen=True, slots=True)
class Calibration:
    """The tray of one camera; `camera` is its source as for --camera, "" the demo evening.

    `str` writes it as TOML, `parse` reads that.
    """

    camera: str
    corners: TrayCorners
    fingerprint: Fingerprint = field(compare=False, repr=False)

    @classmethod
    def of(cls, camera: str, image: Image, corners: TrayCorners) -> Calibration:
        """Calibrate with a picture in which the tray has these corners."""
        exact = TrayCorners(*(_rounded(corner) for corner in corners.around))
        return cls(camera, exact, Fingerprint.of(image, exact))

    @classmethod
    def parse(cls, text: str) -> Calibration:
        """Read what `str` wrote.

        Raises:
            CalibrationError: the text is no calibration.
        """
        try:
            document = tomllib.loads(text)
            corners = TrayCorners(*((float(x), float(y)) for x, y in document["corners"]))
            fingerprint = Fingerprint.parse(document["fingerprint"], corners)
            return cls(str(document["camera"]), corners, fingerprint)
        except (ValueError, KeyError, TypeError) as error:
            raise CalibrationError("This is no calibration of a tray; calibrate again.") from error

    def __str__(self) -> str:
        corners = [list(corner) for corner in self.corners.around]
        return (
            f"{_HEAD}camera = {json.dumps(self.camera)}\ncorners = {json.dumps(corners)}\n"
            f'fingerprint = "{self.fingerprint}"\n'
        )


def _rounded(corner: Point) -> Point:
    return round(corner[0], _DIGITS), round(corner[1], _DIGITS)
