"""How well the table can be seen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.table.proposal import HEALTHY, Light
from tests.vision.drawn_tray import CORNERS, Scene, lit, moved
from vision.capture.frame import Frame, Image, PlayArea
from vision.quality.calibration import Comparison, Fingerprint
from vision.quality.health import FAULTS, HealthFault, HealthWatch, Measures, health, judge, measure

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TABLE = Scene().picture()
KNOWN = Fingerprint.of(Scene(dice=()).picture(), CORNERS)
WELL = Measures(brightness=220, burnt=0.0, contrast=150, sharpness=0.7)


def blurred(image: Image, share: float) -> Image:
    """Out of focus, by so much of the picture's width."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), share * image.shape[1]), np.uint8)


def glaring(image: Image, radius: float) -> Image:
    """With a lamp mirrored on the table; its radius is a share of the width."""
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    far = np.hypot(columns - 300, rows - 220) / (radius * image.shape[1])
    burnt = np.clip(image + 430 * np.exp(-(far[..., None] ** 2)), 0, 255)
    return np.asarray(burnt, np.uint8)


def on_burnt_paper() -> Image:
    """Dark dice on white paper that is burnt out: they are seen all the same."""
    drawn = np.full((480, 640, 3), 255, np.uint8)
    for left, top in ((120, 90), (300, 200), (450, 330)):
        cv2.rectangle(drawn, (left, top), (left + 60, top + 60), (30, 30, 120), -1)
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), 0.8), np.uint8)


def covered(image: Image) -> Image:
    """With a cloth over the tray; the table around it is still seen."""
    drawn = image.copy()
    cv2.rectangle(drawn, (60, 50), (600, 450), (150, 90, 120), -1)
    return drawn


@pytest.mark.parametrize(
    ("image", "light", "sentence"),
    [
        (TABLE, Light.GREEN, ""),
        (lit(TABLE, 0.35), Light.AMBER, "rather dark"),
        (lit(TABLE, 0.1), Light.RED, "too dark"),
        (np.zeros((480, 640, 3), np.uint8), Light.RED, "uncover the camera’s lens"),
        (glaring(TABLE, 0.2), Light.AMBER, "patch of glare"),
        (glaring(TABLE, 0.6), Light.RED, "Glare hides the table"),
        (on_burnt_paper(), Light.AMBER, "patch of glare"),
        (blurred(TABLE, 0.006), Light.AMBER, "not sharp"),
        (blurred(TABLE, 0.012), Light.RED, "too blurred"),
        (np.full((480, 640, 3), 140, np.uint8), Light.AMBER, "one even surface"),
    ],
    ids=["well", "dim", "dark", "black", "glare", "burnt", "paper", "soft", "blurred", "even"],
)
def test_each_fault_has_its_light_and_its_cure(image: Image, light: Light, sentence: str) -> None:
    """Drawn tables, one fault each."""
    seen = health(image)
    assert seen.light is light
    assert sentence in " ".join(map(str, seen.reasons))
    assert bool(seen.reasons) is (light is not Light.GREEN)


@pytest.mark.parametrize(
    ("image", "light", "sentence"),
    [
        (TABLE, Light.GREEN, ""),
        (lit(TABLE, 0.7), Light.GREEN, ""),
        (moved(TABLE, 0.022, 0.0), Light.AMBER, "moved a little"),
        (moved(TABLE, 0.06, 0.02), Light.RED, "put it back, or calibrate"),
        (np.full((480, 640, 3), 140, np.uint8), Light.RED, "The tray is covered"),
        (covered(TABLE), Light.RED, "The tray is covered"),
    ],
    ids=["there", "other light", "nudged", "moved", "all covered", "covered"],
)
def test_a_calibrated_tray_is_watched_over(image: Image, light: Light, sentence: str) -> None:
    """A camera that moved and a covered tray are told apart from dice and light."""
    seen = health(image, KNOWN)
    assert seen.light is light
    assert sentence in " ".join(map(str, seen.reasons))


@pytest.mark.parametrize(
    ("around", "light"),
    [((0.0, 0.0, 0.6, 0.6), Light.AMBER), ((0.7, 0.0, 1.0, 1.0), Light.GREEN)],
    ids=["within", "beside"],
)
def test_a_lamp_mirrored_beside_the_play_area_is_nobodys_fault(
    around: tuple[float, float, float, float], light: Light
) -> None:
    """Nor is white paper there; in the area it is told."""
    left, top, right, bottom = around
    area = PlayArea(((left, top), (right, top), (right, bottom), (left, bottom)))
    frame = Frame(0, NOON, glaring(TABLE, 0.1), single=True)
    seen = HealthWatch(area=lambda: area)(frame, at_rest=True)
    assert seen is not None
    assert seen.light is light


def test_in_the_dark_nothing_else_is_said() -> None:
    """A black picture is no covered tray, as far as anybody can tell."""
    assert len(health(np.zeros((480, 640, 3), np.uint8), KNOWN).reasons) == 1


@given(
    brightness=st.floats(0, 255),
    burnt=st.floats(0, 1),
    sharpness=st.none() | st.floats(0, 1),
    comparison=st.none()
    | st.builds(Comparison, st.none() | st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)),
)
def test_every_light_but_green_has_reasons_and_no_fault_flickers(
    brightness: float, burnt: float, sharpness: float | None, comparison: Comparison | None
) -> None:
    """Whatever is measured: judged again after itself, the light stays."""
    measures = Measures(brightness, burnt, 150.0, sharpness, comparison)
    first = judge(measures)
    assert (first == HEALTHY) is (first.light is Light.GREEN)
    assert judge(measures, first) == first


@pytest.mark.parametrize("fault", FAULTS[:3], ids=["dark", "glare", "blur"])
def test_a_fault_ends_only_when_it_is_clearly_better(fault: HealthFault) -> None:
    """A value that hangs at the threshold keeps the light it has."""
    place = FAULTS.index(fault)
    at, near, well = (
        [Measures(94, 0, 150, 0.7), Measures(106, 0, 150, 0.7), Measures(125, 0, 150, 0.7)],
        [Measures(220, 0.031, 150, 0.7), Measures(220, 0.028, 150, 0.7), WELL],
        [Measures(220, 0, 150, 0.235), Measures(220, 0, 150, 0.25), Measures(220, 0, 150, 0.3)],
    )[place]
    amber = judge(at)
    assert amber.light is Light.AMBER
    assert judge(near, amber) == amber
    assert judge(near) == HEALTHY
    assert judge(well, amber) == HEALTHY


def frame(image: Image, seconds: float = 0.0, *, single: bool = False) -> Frame:
    """A frame so long after noon."""
    return Frame(round(seconds * 100), NOON + timedelta(seconds=seconds), image, single)


def test_the_table_is_judged_at_rest_and_once_a_second() -> None:
    """Not while anything moves; at once when it came to rest; then every second."""
    watch = HealthWatch()
    dark = lit(TABLE, 0.05)
    assert watch(frame(dark, 0.0), at_rest=False) is None
    assert watch(frame(TABLE, 0.2), at_rest=True) == HEALTHY
    assert watch(frame(dark, 0.7), at_rest=True) == HEALTHY
    assert watch(frame(dark, 0.8), at_rest=False) == HEALTHY
    red = watch(frame(dark, 0.9), at_rest=True)
    assert red is not None
    assert red.light is Light.RED
    assert watch(frame(TABLE, 1.5), at_rest=True) == red
    assert watch(frame(TABLE, 2.0), at_rest=True) == HEALTHY


def test_a_table_that_never_rests_is_judged_by_light_and_focus() -> None:
    """After a while; what moves there may cover the tray, and says nothing of the camera."""
    watch = HealthWatch(lambda: KNOWN)
    sheet = np.full((480, 640, 3), 140, np.uint8)
    assert watch(frame(sheet, 0.0), at_rest=False) is None
    assert watch(frame(sheet, 4.0), at_rest=False) is None
    judged = watch(frame(sheet, 5.1), at_rest=False)
    assert judged is not None
    assert judged.light is Light.AMBER
    dark = watch(frame(lit(TABLE, 0.05), 6.2), at_rest=False)
    assert dark is not None
    assert dark.light is Light.RED


def test_a_clock_that_was_set_back_stops_nothing() -> None:
    """The next frame is judged, whatever time it is."""
    watch = HealthWatch()
    watch(frame(TABLE, 50.0), at_rest=True)
    red = watch(frame(lit(TABLE, 0.05), 10.0), at_rest=True)
    assert red is not None
    assert red.light is Light.RED


def test_a_photo_by_itself_is_judged_by_itself() -> None:
    """What the one before was like does not matter."""
    watch = HealthWatch()
    red = watch(frame(lit(TABLE, 0.05), 0.0, single=True), at_rest=True)
    assert red is not None
    assert red.light is Light.RED
    assert watch(frame(TABLE, 0.1, single=True), at_rest=True) == HEALTHY


def test_large_and_small_pictures_are_judged_alike() -> None:
    """Focus is a share of the picture, not a number of pixels."""
    large = np.asarray(cv2.resize(blurred(TABLE, 0.006), (1920, 1440)), np.uint8)
    assert health(large).light is Light.AMBER
    assert measure(np.ascontiguousarray(TABLE[:6, :9])).sharpness is None
