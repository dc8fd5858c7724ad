"""The pieces of one photograph judged together."""

from __future__ import annotations

import numpy as np

from vision.learn.prototypes import Likeness
from vision.learn.quads import Format
from vision.learn.taught_reader import distances_together

SIDE, LIGHT = np.eye(2, dtype=np.float32)


def line() -> Likeness:
    """Four faces in a row, three steps apart, along the way that light drifts."""
    places = np.array([[0, 0], [0, 3], [20, 0], [20, 3]], np.float32)
    shared = np.array([0, 9], np.float32)
    return Likeness(
        ("R1", "Y1", "R2", "Y2"),
        Format(20, 60),
        np.zeros(2, np.float32),
        np.eye(2, dtype=np.float32),
        places,
        shared,
        usual=1.0,
    )


def told(figures: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> list[str]:
    """The nearest faces, the photograph's pieces judged together."""
    likeness = line()
    return [likeness.faces[at] for at in distances_together(figures, likeness).argmin(axis=1)]


def test_others_tell_what_the_light_does() -> None:
    """A red one under a light that makes it nearly yellow, beside three that say how yellow."""
    faces = np.array([[0, 0], [0, 3], [20, 3], [20, 3]], np.float32)
    drifted = faces + np.float32(1.7) * LIGHT - np.array([[0, 0], [0, 0], [0, 0], [0, 1]])
    lone = line().distances(drifted.astype(np.float32)).argmin(axis=1)
    assert line().faces[int(lone[0])] == "Y1"
    assert told(drifted.astype(np.float32)) == ["R1", "Y1", "Y2", "Y2"]


def test_a_lone_piece_is_judged_as_ever() -> None:
    """Nothing is known of its light."""
    figures = np.array([[0.3, 1.4]], np.float32)
    np.testing.assert_allclose(
        distances_together(figures, line()), line().distances(figures), rtol=1e-6
    )
