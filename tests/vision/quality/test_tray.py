"""Finding a rectangular tray by itself."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.cameras.demo import demo_evening
from tests.vision.drawn_tray import CORNERS, Scene, fill, furthest
from vision.capture.frame import Frame, Image, PlayArea, Point
from vision.capture.photo import open_photo
from vision.errors import TrayError
from vision.quality.tray import TrayCorners, find_tray, homography, narrowed, rectify

TURNS = Path(str(demo_evening()))
UPRIGHT = TrayCorners(((0.15, 0.15), (0.85, 0.15), (0.85, 0.85), (0.15, 0.85)))
NEAR = 0.02
TRAYS = {
    "wood and felt": Scene(),
    "straight above": Scene(UPRIGHT),
    "felt without a rim": Scene(rim=(40, 40, 170), felt=(40, 40, 170)),
    "a light box lid": Scene(rim=(225, 228, 230), felt=(205, 208, 210)),
    "a dark tray on a dark table": Scene(rim=(35, 35, 40), felt=(70, 60, 50), table=(60, 62, 66)),
    "full of dice": Scene(dice=tuple((180 + 60 * n, 150 + 50 * (n % 4)) for n in range(6))),
    "noisy": Scene(noise=9.0),
}


@pytest.mark.parametrize("name", TRAYS)
def test_a_tray_is_found_where_it_lies(name: str) -> None:
    """All four corners within two per cent of the picture."""
    scene = TRAYS[name]
    assert furthest(find_tray(scene.picture()), scene.corners) < NEAR


def test_trays_anywhere_are_found_or_refused() -> None:
    """Random places, turns and slants: the corners are right, or nothing is said."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        around = np.array(CORNERS.around) + rng.uniform(-0.06, 0.06, (4, 2))
        corners = TrayCorners(tuple((float(x), float(y)) for x, y in around.clip(0.03, 0.97)))
        try:
            found = find_tray(Scene(corners, seed=seed).picture())
        except TrayError:
            continue
        assert furthest(found, corners) < NEAR


def table() -> Image:
    """The table alone: boards, knots, dice."""
    scene = Scene()
    drawn = scene._table()
    for left, top in scene.dice:
        cv2.rectangle(drawn, (left, top), (left + 36, top + 36), (235, 240, 240), -1)
    return scene.photographed(drawn)


def round_tray() -> Image:
    """A round tray on the table."""
    drawn = Scene()._table()
    cv2.ellipse(drawn, (320, 240), (220, 180), 0, 0, 360, (60, 90, 130), -1)
    cv2.ellipse(drawn, (320, 240), (190, 152), 0, 0, 360, (60, 120, 30), -1)
    return Scene().photographed(drawn)


def hexagonal_tray() -> Image:
    """A tray with six corners."""
    drawn = Scene()._table()
    turns = np.arange(6) * np.pi / 3
    points = np.stack([320 + 210 * np.cos(turns), 240 + 180 * np.sin(turns)], axis=1)
    cv2.fillConvexPoly(drawn, points.astype(np.int32), (110, 40, 90))
    return Scene().photographed(drawn)


def two_trays() -> Image:
    """Two trays side by side."""
    drawn = Scene()._table()
    for left, colour in ((0.04, (60, 120, 30)), (0.54, (40, 40, 170))):
        right = left + 0.42
        fill(drawn, TrayCorners(((left, 0.1), (right, 0.1), (right, 0.9), (left, 0.9))), colour)
    return Scene().photographed(drawn)


def cut_off() -> Image:
    """A tray of which the picture shows three sides only."""
    drawn = Scene()._table()
    fill(drawn, TrayCorners(((0.3, 0.2), (1, 0.2), (1, 0.8), (0.3, 0.8))), (60, 120, 30))
    return Scene().photographed(drawn)


def large_die() -> Image:
    """A white die that fills a third of the picture's side, near."""
    drawn = Scene()._table()
    cv2.rectangle(drawn, (220, 140), (420, 340), (240, 240, 240), -1)
    return Scene().photographed(drawn)


@pytest.mark.parametrize(
    ("picture", "sentence"),
    [
        (table(), "No tray stands out"),
        (np.full((480, 640, 3), 130, np.uint8), "No tray stands out"),
        (cut_off(), "No tray stands out"),
        (large_die(), "No tray stands out"),
        (round_tray(), "is round or has more than four corners"),
        (hexagonal_tray(), "is round or has more than four corners"),
        (two_trays(), "More than one thing looks like a tray"),
    ],
    ids=["table", "nothing", "cut off", "large die", "round", "hexagonal", "two"],
)
def test_what_is_no_one_rectangular_tray_is_refused(picture: Image, sentence: str) -> None:
    """Better no tray than a wrong one; the sentence says what to do."""
    with pytest.raises(TrayError, match=re.escape(sentence)) as refusal:
        find_tray(picture)
    assert "tap" in str(refusal.value.message)


@pytest.mark.parametrize(
    "turn",
    [
        pytest.param(turn, id=turn.name, marks=pytest.mark.slow if at % 3 else ())
        for at, turn in enumerate(sorted(TURNS.glob("turn*")))
    ],
)
def test_the_demo_evenings_trays_are_found_and_no_others(turn: Path) -> None:
    """A rendered tray is found the same with and without dice; a bare table is refused."""
    pictures = [max(throw.glob("*.webp")) for throw in sorted(turn.glob("throw*"))[:2]]
    found = []
    for picture in pictures:
        try:
            found.append(find_tray(open_photo(picture)))
        except TrayError as error:
            assert "No tray stands out" in str(error)  # noqa: PT017 -- both answers are right
    assert len(found) in {0, len(pictures)}
    assert all(furthest(one, found[0]) < NEAR for one in found)
    assert all(one.around[0][0] < 0.12 and one.around[2][0] > 0.88 for one in found)


SKEWED = TrayCorners(((0.25, 0.1), (0.75, 0.1), (0.95, 0.9), (0.05, 0.9)))


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
    whole = TrayCorners(((0, 0), (1, 0), (1, 1), (0, 1)))
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
        (((0, 0), (1, 0), (1, 1)), "clockwise"),
    ],
)
def test_corners_of_no_tray_are_refused(corners: tuple[Point, ...], sentence: str) -> None:
    """Corners outside, the wrong way round, crossed, dented, doubled or missing are told."""
    with pytest.raises(ValueError, match=sentence):
        TrayCorners(corners)


@given(st.permutations(SKEWED.around))
def test_four_taps_mean_the_same_tray_in_any_order(taps: list[Point]) -> None:
    """Clockwise from the top left, however they were made."""
    assert TrayCorners.around_taps(taps) == SKEWED


def test_two_taps_on_one_corner_are_told() -> None:
    """Though the other three would do for a shape."""
    with pytest.raises(TrayError, match="on top of each other"):
        TrayCorners.around_taps([*SKEWED.around[:3], (0.94, 0.88)])


@given(st.lists(st.tuples(st.floats(-0.5, 1.5), st.floats(-0.5, 1.5)), max_size=5))
def test_any_taps_are_a_tray_or_explained(taps: list[Point]) -> None:
    """Nothing but four corners of a tray, or a sentence for the player."""
    try:
        tray = TrayCorners.around_taps(taps)
    except TrayError as error:
        assert str(error).endswith(".")  # noqa: PT017 -- both ends are right
    else:
        assert sorted(tray.around) == sorted(taps)
