"""The hobbyist's reader does its job: it reads plain dice on a plain ground."""

from __future__ import annotations

from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

from tests.benchmarks.blobs import BlobRecogniser, Pip, clusters
from vision.capture.frame import Frame, Image
from vision.read.observation import UNREADABLE

CORNERS = ((-1, -1), (1, 1), (-1, 1), (1, -1))
FACES = {
    1: ((0, 0),),
    2: CORNERS[:2],
    3: (*CORNERS[:2], (0, 0)),
    4: CORNERS,
    5: (*CORNERS, (0, 0)),
    6: (*CORNERS, (-1, 0), (1, 0)),
}


def drawn(faces: list[int], side: int = 120) -> Image:
    """White dice in a row on a grey ground."""
    image = np.full((side * 2, side * 2 * len(faces), 3), 90, np.uint8)
    for number, face in enumerate(faces):
        middle = np.array([side * (2 * number + 1), side])
        corner = middle - side // 2
        cv2.rectangle(image, (*map(int, corner), side, side), (235, 235, 235), -1)
        for pip in FACES[face]:
            x, y = middle + np.array(pip) * side * 0.21
            cv2.circle(image, (int(x), int(y)), side // 11, (20, 20, 20), -1, cv2.LINE_AA)
    return image


def read(image: Image) -> list[str]:
    """The labels from left to right."""
    seen = BlobRecogniser()(Frame(0, datetime(2026, 1, 1, tzinfo=UTC), image)).detections
    return [each.label for each in sorted(seen, key=lambda each: each.box[0])]


def test_plain_dice_are_read() -> None:
    """All six faces, side by side."""
    assert read(drawn([1, 2, 3, 4, 5, 6])) == ["1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize("times", [2, 5])
def test_a_large_picture_is_made_small_first(times: int) -> None:
    """The reported places are those of the original picture."""
    image = np.kron(drawn([4, 2]), np.ones((times, times, 1), np.uint8))
    seen = BlobRecogniser()(Frame(0, datetime(2026, 1, 1, tzinfo=UTC), image)).detections
    left, top, right, bottom = min(each.box for each in seen)
    assert (left + right) / 2 == pytest.approx(120 * times, rel=0.05)
    assert (top + bottom) / 2 == pytest.approx(120 * times, rel=0.05)


def test_an_empty_table_has_no_dice() -> None:
    """No blob, no die."""
    assert read(np.full((300, 400, 3), 90, np.uint8)) == []


def test_more_pips_than_a_face_has_are_not_read() -> None:
    """Two dice that touch are one cluster without a value."""
    image = np.full((300, 600, 3), 235, np.uint8)
    for number in range(7):
        cv2.circle(image, (60 + number * 60, 150), 15, (20, 20, 20), -1, cv2.LINE_AA)
    assert read(image) == [UNREADABLE]


def test_pips_join_over_others_and_not_over_gaps() -> None:
    """A chain is one cluster; a distant pip is another, and so is a pip of another size."""
    chain = [Pip(x, 0.0, 10.0) for x in (0.0, 25.0, 50.0)]
    far, large = Pip(110.0, 0.0, 10.0), Pip(25.0, 20.0, 30.0)
    found = clusters([chain[0], far, chain[2], large, chain[1]], reach=3.0, alike=2.0)
    assert sorted(len(each) for each in found) == [1, 1, 3]
    assert clusters([], reach=3.0, alike=2.0) == []
