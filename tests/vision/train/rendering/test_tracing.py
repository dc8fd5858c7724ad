"""Pictures as they are traced: those of the demo, and those to train on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.train.rendering.staging import FROM_ABOVE, TURNED_UP, flat, stage, white_set
from vision.capture.frame import Image
from vision.train.rendering.camera import HEIGHT_PIXELS, WIDTH_PIXELS, Viewpoint, without_grain
from vision.train.rendering.geometry import LEFT_HANDED, PIP_SPREAD, Layout, Material, Pose, edges
from vision.train.rendering.studio import DiceStage, Shot, Studio, open_studio
from vision.train.rendering.tracing import LOOKS, Hand, Scene, Tracer, develop, open_tracer
from vision.train.rendering.training_photos import LabelledDie, label_dice

PLACES = {1: (-3, 1.5), 2: (0, 1.5), 3: (3, 1.5), 4: (-3, -1.5), 5: (0, -1.5), 6: (3, -1.5)}
DICE = tuple(Pose((float(x), float(y), 0.5), TURNED_UP[face]) for face, (x, y) in PLACES.items())
WHITE_DICE = LOOKS[0]


@pytest.fixture(scope="module")
def tracer() -> Iterator[Tracer]:
    """The tracer with whichever variant works here."""
    with open_tracer() as opened:
        yield opened


@pytest.fixture(scope="module")
def drawn(tracer: Tracer) -> Image:
    """Six white dice, one of each number up."""
    return tracer.draw(Scene(WHITE_DICE, DICE, None, samples=4, seed=0))


def straightened(image: Image, pose: Pose) -> Image:
    """The inner part of a die's top face, as seen from right above, 100 x 100."""
    across, up = (pose.rotation @ edge * (PIP_SPREAD + 0.14) for edge in edges(pose.top))
    middle = pose.top_centre
    corners = [middle + u * across + v * up for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    seen = np.array([WHITE_DICE.viewpoint.pixel(corner) for corner in corners], dtype=np.float32)
    flat = np.array([(0, 0), (100, 0), (100, 100), (0, 100)], dtype=np.float32)
    turn = cv2.getPerspectiveTransform(seen, flat)
    return np.asarray(cv2.warpPerspective(image, turn, (100, 100)), dtype=np.uint8)


@pytest.mark.parametrize("pose", DICE, ids=lambda pose: f"shows {pose.top}")
def test_the_drawn_top_face_is_the_one_that_physics_says(drawn: Image, pose: Pose) -> None:
    """As many dark spots as the pose's number lie where the truth says the top face is."""
    grey = cv2.cvtColor(straightened(drawn, pose), cv2.COLOR_BGR2GRAY)
    spots, _, stats, _ = cv2.connectedComponentsWithStats((grey < 110).astype(np.uint8))
    areas = [int(stats[spot, cv2.CC_STAT_AREA]) for spot in range(1, spots)]
    assert sum(area > 80 for area in areas) == pose.top


def test_a_hand_covers_the_table(tracer: Tracer, drawn: Image) -> None:
    """A hand over the table changes a good part of the picture."""
    hand = Hand((0.0, -2.4, 3.4), 10.0, 0.7)
    covered = tracer.draw(Scene(WHITE_DICE, DICE, hand, samples=1, seed=0))
    assert (cv2.absdiff(covered, drawn).max(axis=2) > 30).mean() > 0.2


def test_the_same_scene_draws_the_same(tracer: Tracer) -> None:
    """Seeded: drawn twice, pixel for pixel."""
    scene = Scene(LOOKS[1], DICE[:1], None, samples=1, seed=3)
    assert np.array_equal(tracer.draw(scene), tracer.draw(scene))


def test_developing_keeps_black_and_white() -> None:
    """No light is black, full light and more is white."""
    light = np.zeros((40, 40, 3))
    light[:, 20:] = 1.7
    shown = develop(light)
    assert (shown[:, :15] <= 2).all()
    assert (shown[:, 25:] >= 253).all()


@pytest.mark.parametrize("elevation", [60, 75, 90])
def test_the_tables_middle_is_the_pictures(elevation: float) -> None:
    """Whatever the elevation, the camera looks at the middle and a die there has its width."""
    viewpoint = Viewpoint(elevation, 0, die_pixels=60)
    middle = (WIDTH_PIXELS / 2, HEIGHT_PIXELS / 2)
    assert viewpoint.pixel(np.zeros(3)) == pytest.approx(middle)
    right = viewpoint.pixel(np.array([0.5, 0.0, 0.0]))
    assert right == pytest.approx((middle[0] + 30, middle[1]))
    assert viewpoint.pixel(np.array([0.0, 1.0, 0.0]))[1] < middle[1]


LENS = replace(FROM_ABOVE, elevation_degrees=68.0, azimuth_degrees=25.0, roll_degrees=10.0)
SIX = stage([flat(place, x, y) for place, (x, y) in PLACES.items()], lens=LENS)


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    """The studio with whichever variant works here."""
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
