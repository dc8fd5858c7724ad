"""Pictures as the tracer draws them."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from tests.vision.train.rendering.staging import TURNED_UP
from vision.capture.frame import Image
from vision.train.rendering.camera import HEIGHT_PIXELS, WIDTH_PIXELS, Viewpoint
from vision.train.rendering.geometry import PIP_SPREAD, Pose, edges
from vision.train.rendering.tracing import LOOKS, Hand, Scene, Tracer, develop, open_tracer

PLACES = {1: (-3, 1.5), 2: (0, 1.5), 3: (3, 1.5), 4: (-3, -1.5), 5: (0, -1.5), 6: (3, -1.5)}
DICE = tuple(Pose((float(x), float(y), 0.5), TURNED_UP[face]) for face, (x, y) in PLACES.items())
WHITE_DICE = LOOKS[0]


@pytest.fixture(scope="module")
def tracer() -> Iterator[Tracer]:
    """The tracer with whichever variant works here."""
    pytest.importorskip("mitsuba", reason="needs the training extra: pip install .[training]")
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
