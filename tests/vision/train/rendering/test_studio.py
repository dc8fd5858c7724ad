"""Training pictures as the tracer draws them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.train.rendering.staging import FROM_ABOVE, flat, stage, white_set
from vision.train.rendering.camera import without_grain
from vision.train.rendering.geometry import LEFT_HANDED, Layout, Material
from vision.train.rendering.studio import DiceStage, Shot, Studio, open_studio
from vision.train.rendering.training_photos import LabelledDie, label_dice

PLACES = {1: (-3, 1.5), 2: (0, 1.5), 3: (3, 1.5), 4: (-3, -1.5), 5: (0, -1.5), 6: (3, -1.5)}
LENS = replace(FROM_ABOVE, elevation_degrees=68.0, azimuth_degrees=25.0, roll_degrees=10.0)
SIX = stage([flat(place, x, y) for place, (x, y) in PLACES.items()], lens=LENS)


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    """The studio with whichever variant works here."""
    pytest.importorskip("mitsuba", reason="needs the training extra: pip install .[training]")
    with open_studio() as opened:
        yield opened


@pytest.fixture(scope="module")
def shot(studio: Studio) -> Shot:
    """Six white dice, one of each number up, seen from the side."""
    return studio.shoot(SIX, seed=1)


def spots(shot: Shot, label: LabelledDie) -> int:
    """How many dark spots there are on the labelled top face, straightened."""
    grey = without_grain(shot.light).mean(axis=2)
    corners = np.array(label.quad, dtype=np.float32)
    inner = corners.mean(axis=0) + 0.86 * (corners - corners.mean(axis=0))
    flat_face = np.array([(0, 0), (96, 0), (96, 96), (0, 96)], dtype=np.float32)
    turn = cv2.getPerspectiveTransform(inner.astype(np.float32), flat_face)
    face = cv2.warpPerspective(grey.astype(np.float32), turn, (96, 96))
    dark = (face < 0.5 * np.percentile(face, 90)).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    return sum(int(stats[spot, cv2.CC_STAT_AREA]) > 60 for spot in range(1, count))


def test_the_drawn_pips_are_the_labelled_value(shot: Shot) -> None:
    """On every labelled top face there are as many dark spots as its value says."""
    labels = label_dice(SIX, shot.seen)
    assert [label.value for label in labels] == [1, 2, 3, 4, 5, 6]
    assert [spots(shot, label) for label in labels] == [1, 2, 3, 4, 5, 6]


def test_a_left_handed_die_is_drawn_as_labelled(studio: Studio) -> None:
    """Turned pips and swapped numbers reach the picture and the labels alike."""
    layout = Layout(LEFT_HANDED, frozenset({2, 3, 6}))
    staged: DiceStage = replace(SIX, sets=(white_set(layout),), dressings=stage_dressing(layout))
    taken = studio.shoot(staged, seed=2)
    labels = label_dice(staged, taken.seen)
    assert [label.value for label in labels] == [1, 2, 4, 3, 5, 6]
    assert [spots(taken, label) for label in labels] == [1, 2, 4, 3, 5, 6]


def stage_dressing(layout: Layout) -> tuple[Material, ...]:
    """The paint of white dice laid out so."""
    return stage([], white_set(layout)).dressings


def test_the_seen_points_are_where_the_lens_says(shot: Shot) -> None:
    """Projected back, each pixel's point falls into that pixel: labels and picture agree."""
    rows, columns = np.mgrid[5:235:20, 5:315:20]
    points = shot.seen[rows.ravel(), columns.ravel()].astype(np.float64)
    middles = np.stack([columns.ravel() + 0.5, rows.ravel() + 0.5], axis=1)
    assert np.abs(LENS.pixels(points) - middles).max() < 0.75


def test_the_same_stage_gives_the_same_shot(studio: Studio, shot: Shot) -> None:
    """Seeded, but for the order in which threads add up light."""
    again, other = studio.shoot(SIX, seed=1), studio.shoot(SIX, seed=2)
    assert np.allclose(again.light, shot.light, rtol=1e-3, atol=1e-5)
    assert not np.allclose(other.light, shot.light, rtol=1e-3, atol=1e-5)
