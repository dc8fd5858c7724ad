"""The tray from straight above."""

from __future__ import annotations

from datetime import UTC, datetime

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.capture.frame import Frame
from vision.capture.play_area import PlayArea, Point
from vision.errors import TrayError
from vision.quality.rectify import TrayCorners, homography, narrowed, rectify

SKEWED = TrayCorners((0.25, 0.1), (0.75, 0.1), (0.95, 0.9), (0.05, 0.9))


def test_a_frame_is_narrowed_to_what_is_known() -> None:
    """Nothing: the very same frame; a tray: its picture alone; a play area: the frame knows it."""
    frame = Frame(3, datetime(2026, 1, 1, tzinfo=UTC), np.zeros((200, 400, 3), np.uint8))
    assert narrowed(frame, None) is frame
    tray = narrowed(frame, SKEWED)
    assert (tray.image.shape, tray.area, tray.sequence) == ((179, 280, 3), None, 3)
    area = PlayArea(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))
    assert narrowed(frame, area).area is area
    assert narrowed(frame, area).image is frame.image


def test_a_small_tray_is_the_tray_made_small() -> None:
    """For what looks at small pictures: in one go, at a fraction of the cost."""
    rows, columns = np.mgrid[0:600, 0:800]
    waves = 128 + 100 * np.sin(columns / 60) * np.cos(rows / 45)
    image = np.repeat(waves[..., None], 3, axis=2).astype(np.uint8)
    whole = rectify(image, SKEWED)
    small = rectify(image, SKEWED, 192)
    assert max(small.shape) == 192
    reduced = cv2.resize(whole, small.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert np.abs(small.astype(int) - reduced).mean() < 4
    assert np.array_equal(rectify(image, SKEWED, 2000), whole)


def test_corners_go_to_the_corners() -> None:
    """The homography takes each corner of the tray to a corner of the new picture."""
    matrix, (width, height) = homography(SKEWED, (400, 200))
    corners = np.array([(x * 400, y * 200, 1) for x, y in SKEWED.around])
    mapped = corners @ matrix.T
    mapped = mapped[:, :2] / mapped[:, 2:]
    expected = np.array([(0, 0), (width, 0), (width, height), (0, height)])
    assert np.allclose(mapped, expected, atol=1e-3)
    assert (width, height) == (280, 179)  # (200 + 360) / 2, and both sides hypot(80, 160)


def test_the_tray_fills_the_new_picture() -> None:
    """A skewed white tray on black becomes white all over."""
    matrix, (width, height) = homography(SKEWED, (400, 200))
    rows, columns = np.mgrid[0:200, 0:400]
    points = np.stack([columns, rows, np.ones_like(rows)], axis=-1) @ matrix.T
    points = points[..., :2] / points[..., 2:]
    inside = (points > -3).all(axis=-1) & (points < np.array([width, height]) + 3).all(axis=-1)
    image = np.zeros((200, 400, 3), np.uint8)
    image[inside] = 255
    assert 0.3 < inside.mean() < 0.8
    straight = rectify(image, SKEWED)
    assert straight.shape == (height, width, 3)
    assert straight.mean() > 250


def test_the_whole_picture_as_tray_changes_nothing() -> None:
    """Corners at the picture's own corners give the same picture."""
    image = np.random.default_rng(3).integers(0, 255, (20, 30, 3), np.uint8)
    whole = TrayCorners((0, 0), (1, 0), (1, 1), (0, 1))
    assert np.array_equal(rectify(image, whole), image)


@pytest.mark.parametrize(
    ("corners", "sentence"),
    [
        (((0, 0), (1.2, 0), (1, 1), (0, 1)), "shares of the picture"),
        (((-0.1, 0), (1, 0), (1, 1), (0, 1)), "shares of the picture"),
        (((0, 1), (1, 1), (1, 0), (0, 0)), "clockwise"),
        (((0, 0), (1, 1), (1, 0), (0, 1)), "clockwise"),
        (((0, 0), (1, 0), (0.2, 0.2), (0, 1)), "clockwise"),
        (((0, 0), (0, 0), (1, 1), (0, 1)), "clockwise"),
    ],
)
def test_corners_of_no_tray_are_refused(
    corners: tuple[Point, Point, Point, Point], sentence: str
) -> None:
    """Corners outside, the wrong way round, crossed, dented or doubled are told."""
    with pytest.raises(ValueError, match=sentence):
        TrayCorners(*corners)


@given(st.permutations(SKEWED.around))
def test_four_taps_mean_the_same_tray_in_any_order(taps: list[Point]) -> None:
    """Clockwise from the top left, however they were made."""
    assert TrayCorners.around_taps(taps) == SKEWED


@given(st.lists(st.tuples(st.floats(-0.5, 1.5), st.floats(-0.5, 1.5)), max_size=5))
def test_any_taps_are_a_tray_or_explained(taps: list[Point]) -> None:
    """Nothing but four corners of a tray, or a sentence for the player."""
    try:
        tray = TrayCorners.around_taps(taps)
    except TrayError as error:
        assert str(error).endswith(".")  # noqa: PT017 -- both ends are right
    else:
        assert sorted(tray.around) == sorted(taps)
