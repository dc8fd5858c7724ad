"""Where a die's numbers and pips are, by geometry alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vision.train.rendering.geometry import WESTERN, Pose, edges, normal

FACES = range(1, 7)
UPRIGHT = (0.0, 0.0, 0.0, 1.0)
quarter = 0.5**0.5
part = st.floats(-1, 1)


def test_opposite_faces_sum_to_seven() -> None:
    """Every face looks away from the one that makes seven with it."""
    for face in FACES:
        assert np.array_equal(normal(face), -normal(7 - face))


@pytest.mark.parametrize("face", FACES)
def test_a_face_has_as_many_pips_as_its_number(face: int) -> None:
    """The pips are all apart, and symmetric about the middle."""
    spots = set(WESTERN.pips(face))
    assert len(spots) == face
    assert spots == {(-u, -v) for u, v in spots}


@pytest.mark.parametrize("face", FACES)
def test_a_faces_edges_make_its_normal(face: int) -> None:
    """The product u x v looks outward, so that a painted face is never mirrored."""
    across, up = edges(face)
    assert np.array_equal(np.cross(across, up), normal(face))


def test_one_two_three_run_anticlockwise() -> None:
    """The Western die: around the corner of 1, 2 and 3 they run anticlockwise."""
    assert float(np.dot(np.cross(normal(1), normal(2)), normal(3))) == 1.0


@pytest.mark.parametrize(
    ("quaternion", "top"),
    [
        (UPRIGHT, 1),
        ((1.0, 0.0, 0.0, 0.0), 6),
        ((0.0, -quarter, 0.0, quarter), 2),
        ((0.0, quarter, 0.0, quarter), 5),
        ((quarter, 0.0, 0.0, quarter), 3),
        ((-quarter, 0.0, 0.0, quarter), 4),
    ],
)
def test_the_top_face_by_hand(quaternion: tuple[float, float, float, float], top: int) -> None:
    """Six turns worked out by hand bring each number to the top, level."""
    pose = Pose((0.0, 0.0, 0.5), quaternion)
    assert pose.top == top
    assert pose.lean_degrees == pytest.approx(0, abs=1e-4)
    assert pose.top_centre == pytest.approx([0, 0, 1])


def test_a_leaning_die_says_how_far() -> None:
    """Ten degrees about x are ten degrees of lean."""
    half = np.radians(10) / 2
    pose = Pose((0.0, 0.0, 0.5), (float(np.sin(half)), 0.0, 0.0, float(np.cos(half))))
    assert pose.lean_degrees == pytest.approx(10)


@given(st.tuples(part, part, part, part))
def test_a_turn_keeps_lengths(quaternion: tuple[float, float, float, float]) -> None:
    """However it is turned, its corners stay half a space diagonal from its middle."""
    assume(np.linalg.norm(quaternion) > 0.1)
    pose = Pose((1.0, 2.0, 3.0), quaternion)
    reach = np.linalg.norm(pose.corners() - np.array([1.0, 2.0, 3.0]), axis=1)
    assert reach == pytest.approx(np.full(8, 3**0.5 / 2))
    assert np.linalg.det(pose.rotation) == pytest.approx(1)
