"""A tray's calibration as a value with a text."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scoreboard.table.proposal import HEALTHY, Light
from tests.vision.drawn_tray import CORNERS, Scene, lit, moved
from vision.capture.frame import Image, PlayArea
from vision.errors import CalibrationError
from vision.quality.calibration import Calibration, Comparison, Fingerprint
from vision.quality.health import health
from vision.quality.tray import TrayCorners

WRITTEN = str(Calibration.of("webcam:0", Scene().picture(), CORNERS))
FINGERPRINT = WRITTEN.split('"')[-2]
CUT = FINGERPRINT[:200]
STEADY = 0.006


@pytest.mark.parametrize("camera", ["webcam:0", 'folder:/tmp/a "quoted" näme', ""])
def test_what_is_written_is_read_again(camera: str) -> None:
    """Camera and corners come back the same, and the place is known."""
    calibration = Calibration.of(camera, Scene().picture(), CORNERS)
    again = Calibration.parse(str(calibration))
    assert again == calibration
    comparison = again.fingerprint.compared(Scene(dice=()).picture())
    assert comparison is not None
    assert comparison.seen > 0.8
    assert comparison.shift == pytest.approx(0, abs=STEADY)
    assert len(str(calibration.fingerprint)) < 12_000


def test_the_text_says_what_it_is() -> None:
    """Whoever finds the file knows how to be rid of it."""
    assert WRITTEN.startswith("# Where the dice lie")
    assert "tablescore calibrate --clear" in WRITTEN


@pytest.mark.parametrize(
    "text",
    [
        "",
        "corners =",
        WRITTEN.replace("camera", "kamera"),
        WRITTEN.replace("corners = [", "corners = [[7.5, 7.5],"),
        *(WRITTEN.replace(FINGERPRINT, each) for each in ("", "no base 64!", "AAAA", CUT)),
        "camera = 'a'\ncorners = 3\nfingerprint = 'x'",
    ],
)
def test_what_is_no_calibration_is_refused(text: str) -> None:
    """In one sentence."""
    with pytest.raises(CalibrationError, match="calibrate again"):
        Calibration.parse(text)


EMPTY = Scene(dice=()).picture()
KNOWN = Fingerprint.of(EMPTY, CORNERS)


def compared(image: Image) -> Comparison:
    """Against the calibration of the empty tray."""
    comparison = KNOWN.compared(image)
    assert comparison is not None
    return comparison


def with_hand(image: Image) -> Image:
    """A hand and a sleeve that reach in from below."""
    drawn = image.copy()
    cv2.rectangle(drawn, (300, 220), (420, 480), (140, 170, 220), -1)
    return drawn


@pytest.mark.parametrize(
    "image",
    [
        EMPTY,
        Scene(dice=tuple((170 + 62 * n, 130 + 41 * (n % 5)) for n in range(6))).picture(),
        Scene(noise=6.0).picture(),
        lit(EMPTY, 0.5),
        lit(EMPTY, 1.3),
        with_hand(EMPTY),
    ],
    ids=["itself", "dice", "noise", "darker", "brighter", "hand"],
)
def test_what_happens_in_the_tray_moves_no_camera(image: Image) -> None:
    """Neither dice, a hand, noise nor other light."""
    comparison = compared(image)
    assert comparison.seen > 0.6
    assert comparison.shift is not None
    assert comparison.shift < STEADY


@pytest.mark.parametrize(
    ("across", "down"), [(0.02, 0.0), (0.0, -0.03), (-0.04, 0.02), (0.08, 0.05), (-0.1, -0.06)]
)
def test_a_pushed_camera_is_measured(across: float, down: float) -> None:
    """To half a per cent, also with dice in the tray and in other light."""
    comparison = compared(lit(moved(Scene().picture(), across, down), 0.8))
    assert comparison.shift == pytest.approx(np.hypot(across, down), abs=0.008)


def test_a_turned_camera_is_noticed() -> None:
    """Two degrees move the corners by more than a per cent."""
    shift = compared(moved(Scene().picture(), 0, 0, degrees=2)).shift
    assert shift is not None
    assert shift > 0.01


@pytest.mark.parametrize(
    "image",
    [
        np.full((480, 640, 3), 140, np.uint8),
        np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8),
        EMPTY[:, :480],
    ],
    ids=["a sheet", "noise", "another format"],
)
def test_another_picture_is_not_found_again(image: Image) -> None:
    """Nothing is said of a shift then."""
    comparison = compared(np.ascontiguousarray(image))
    assert comparison.seen < 0.3
    assert comparison.shift is None


def test_a_play_area_notices_a_pushed_camera_and_nothing_else() -> None:
    """A cup beside a mat, or a cloth over half of it, are no reason to stop reading."""
    known = Fingerprint.of(EMPTY, PlayArea(CORNERS.around))
    pushed = known.compared(moved(EMPTY, 0.08, 0.05))
    assert pushed is not None
    assert pushed.shift == pytest.approx(np.hypot(0.08, 0.05), abs=0.008)
    covered = EMPTY.copy()
    covered[:, :320] = 140
    for image in (covered, np.full((480, 640, 3), 140, np.uint8), EMPTY[:, :480].copy()):
        assert health(image, known, HEALTHY).light is not Light.RED


def test_an_area_is_kept_with_its_corners() -> None:
    """Written and read back; an old file, which has a tray's corners, is still one."""
    area = PlayArea((*CORNERS.around[:3], (0.1, 0.9), (0.05, 0.5)))
    kept = Calibration.parse(str(Calibration.of("webcam:0", EMPTY, area)))
    assert kept.outline == area
    tray = str(Calibration.of("webcam:0", EMPTY, CORNERS))
    assert "\ncorners = [" in tray
    assert isinstance(Calibration.parse(tray).outline, TrayCorners)


def test_a_tray_without_anything_around_it_cannot_be_compared() -> None:
    """When the tray fills the picture, nothing is left to know the place by."""
    whole = TrayCorners(((0, 0), (1, 0), (1, 1), (0, 1)))
    plain = np.full((480, 640, 3), 90, np.uint8)
    assert Fingerprint.of(plain, whole).compared(plain) is None
