"""A tray's calibration as a value with a text."""

from __future__ import annotations

import pytest

from tests.vision.drawn_tray import CORNERS, Scene
from vision.errors import CalibrationError
from vision.quality.calibration import Calibration

WRITTEN = str(Calibration.of("webcam:0", Scene().picture(), CORNERS))


@pytest.mark.parametrize("camera", ["webcam:0", 'folder:/tmp/a "quoted" näme', ""])
def test_what_is_written_is_read_again(camera: str) -> None:
    """Camera and corners come back the same, and the place is known."""
    calibration = Calibration.of(camera, Scene().picture(), CORNERS)
    again = Calibration.parse(str(calibration))
    assert again == calibration
    comparison = again.fingerprint.compared(Scene(dice=()).picture())
    assert comparison is not None
    assert comparison.seen > 0.8


def test_the_text_says_what_it_is() -> None:
    """Whoever finds the file knows how to be rid of it."""
    assert WRITTEN.startswith("# Where the tray lies")
    assert "tablescore calibrate --clear" in WRITTEN


@pytest.mark.parametrize(
    "text",
    [
        "",
        "corners =",
        WRITTEN.replace("camera", "kamera"),
        WRITTEN.replace("corners = [[", "corners = [[7.5, 7.5], ["),
        WRITTEN.replace('fingerprint = "', 'fingerprint = "damaged'),
        "camera = 'a'\ncorners = 3\nfingerprint = 'x'",
    ],
)
def test_what_is_no_calibration_is_refused(text: str) -> None:
    """In one sentence."""
    with pytest.raises(CalibrationError, match="calibrate again"):
        Calibration.parse(text)
