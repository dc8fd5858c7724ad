"""Pieces of an unknown kind on a table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.learn.drawn_set import TABLES, Lying, developed, photograph
from vision.capture.frame import Image
from vision.learn.piece_finder import (
    LIFTS,
    candidates,
    find_solids,
    similar_pieces,
    top_face,
    top_faces,
)
from vision.learn.quads import Quad, overlap

LAID = (Lying("R1", 120, 150, 20), Lying("B4", 330, 130, 95), Lying("G7", 520, 300, 160))


def found_in(image: Image) -> list[Quad]:
    """As many like pieces as can be found."""
    return similar_pieces(candidates(image), 99)


@pytest.mark.parametrize("scene", [0, 1, 2])
def test_every_piece_is_found_and_nothing_else(scene: int) -> None:
    """On three tables and under three lights, whatever its turn."""
    found = found_in(photograph(LAID, scene))
    assert len(found) == len(LAID)
    for one in LAID:
        assert max(overlap(one.quad(), each) for each in found) > 0.93


def test_an_empty_table_shows_no_piece() -> None:
    """A table's own grain is no piece."""
    assert candidates(photograph((), 1)) == []


def test_a_table_whose_light_falls_off_is_one_table() -> None:
    """Half the light at one side makes no piece of it, and hides none."""
    image = photograph(LAID, 0)
    slope = np.linspace(1.0, 0.5, image.shape[1])[None, :, None]
    assert len(found_in((image * slope).astype(np.uint8))) == len(LAID)


def test_a_large_photograph_is_reported_in_its_own_pixels() -> None:
    """Pieces are searched for in a smaller copy."""
    image = np.repeat(np.repeat(photograph(LAID, 0), 3, axis=0), 3, axis=1)
    found = found_in(image)
    for one in LAID:
        large = (one.quad() + 0.5) * 3 - 0.5
        assert max(overlap(large.astype(np.float32), each) for each in found) > 0.93


def test_a_piece_that_the_edge_cuts_off_is_not_found() -> None:
    """Half a piece is none."""
    assert found_in(photograph((Lying("R1", 8, 200),), 0)) == []


def top(x: float, y: float, turn: float) -> Quad:
    """The upper face of a die seen from 60 degrees: a turned square, squashed."""
    angle = np.radians(turn + 45 + 90 * np.arange(4))
    corners = np.stack([np.cos(angle), 0.87 * np.sin(angle)], axis=1) * 45
    return np.asarray(corners + np.array([x, y]), np.float32)


def dice(*places: tuple[float, float, float]) -> Image:
    """White dice with grey sides that reach down from their tops."""
    drawn = np.full((480, 640, 3), TABLES[1], np.uint8)
    for place in places:
        upper = top(*place)
        lower = upper + _down(place)
        whole = cv2.convexHull(np.vstack([upper, lower]))
        cv2.fillConvexPoly(drawn, whole.round().astype(np.int32), (150, 155, 150), cv2.LINE_AA)
        cv2.fillConvexPoly(drawn, upper.round().astype(np.int32), (235, 238, 235), cv2.LINE_AA)
    return developed(drawn, 0)


def _down(place: tuple[float, float, float]) -> Quad:
    """How a die's height moves its lower face: down, and inwards as a near camera sees it."""
    outward = (np.array(place[:2]) - [320, 240]) * (75 / 640)
    return np.asarray(np.array([0, 36]) - outward, np.float32)


PLACES = ((200.0, 190.0, 10.0), (330.0, 280.0, 40.0), (440.0, 190.0, 70.0))


def test_every_die_is_found_once() -> None:
    """Its top and its sides together are one die."""
    solids = find_solids(dice(*PLACES))
    assert len(solids) == len(PLACES)


def test_one_guess_at_the_camera_shows_every_top_face() -> None:
    """Whatever the camera's height was, one guess at it comes near."""
    image = dice(*PLACES)
    every = [found for faces in top_faces(image) for found in faces]
    for place in PLACES:
        assert max(overlap(top(*place), found.quad) for found in every) > 0.8


def test_from_straight_above_a_die_is_all_top() -> None:
    """Without any lift the whole outline is the face, but for what the picture's edge leans out."""
    (solid,) = find_solids(dice((320.0, 220.0, 0.0)))
    face = top_face(solid, LIFTS[0], 0.0, (480, 640, 3))
    assert face is not None
    assert overlap(face, solid.quad) > 0.9


def test_a_lift_beyond_the_die_leaves_no_face() -> None:
    """Nothing covers itself when it is moved by more than its size."""
    (solid,) = find_solids(dice((320.0, 220.0, 0.0)))
    assert top_face(solid, 2.0, 0.0, (480, 640, 3)) is None


def test_an_empty_table_has_no_dice() -> None:
    """Not from any side."""
    assert all(not faces for faces in top_faces(dice()))
