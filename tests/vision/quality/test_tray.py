"""Finding a rectangular tray by itself."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.cameras.demo import demo_evening
from tests.vision.drawn_tray import CORNERS, Scene, fill, furthest
from vision.capture.frame import Image
from vision.capture.photo import open_photo
from vision.errors import TrayError
from vision.quality.rectify import TrayCorners
from vision.quality.tray import find_tray

TURNS = Path(str(demo_evening()))
UPRIGHT = TrayCorners((0.15, 0.15), (0.85, 0.15), (0.85, 0.85), (0.15, 0.85))
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
        corners = TrayCorners(*((float(x), float(y)) for x, y in around.clip(0.03, 0.97)))
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
        fill(drawn, TrayCorners((left, 0.1), (right, 0.1), (right, 0.9), (left, 0.9)), colour)
    return Scene().photographed(drawn)


def cut_off() -> Image:
    """A tray of which the picture shows three sides only."""
    drawn = Scene()._table()
    fill(drawn, TrayCorners((0.3, 0.2), (1, 0.2), (1, 0.8), (0.3, 0.8)), (60, 120, 30))
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
