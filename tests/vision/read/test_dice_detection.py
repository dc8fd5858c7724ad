"""Looks for dice: one as a rule, a wider or a nearer one only where it asks for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.capture.image_pyramid import Pyramid
from vision.read.detection import DICE, Detector, Maps
from vision.read.networks import Network


class Session:
    """A finder that sees what it is told to at each length of the longer side, in cells."""

    def __init__(self, seen: dict[int, tuple[int, int, float]]) -> None:
        self.seen = seen
        self.looks: list[int] = []

    def get_inputs(self) -> list[Any]:
        """One input."""
        return [type("Input", (), {"name": "pixels"})]

    def run(self, _: None, inputs: dict[str, Any]) -> tuple[Maps]:
        """Give maps with at most one die."""
        _, height, width, _ = inputs["pixels"].shape
        self.looks.append(max(height, width))
        maps = np.zeros((1, 5, height // 4, width // 4), np.float32)
        if self.looks[-1] in self.seen:
            row, column, size = self.seen[self.looks[-1]]
            maps[0, 0, row, column] = 0.9
            maps[0, 3:, row, column] = np.log(size / 16)
        return (maps,)


PHOTO = np.zeros((960, 1280, 3), np.uint8)


@pytest.mark.parametrize(
    ("seen", "looks", "size"),
    [
        ({448: (20, 30, 40)}, [448], 114),
        ({448: (20, 30, 130), 192: (10, 14, 60)}, [448, 192], 400),
        ({896: (43, 64, 20)}, [448, 896], 29),
        ({448: (20, 30, 13), 992: (47, 66, 30)}, [448, 992], 39),
        ({448: (20, 30, 8), 1280: (61, 86, 24)}, [448, 1280], 24),
    ],
    ids=["usual", "filling the photo", "unseen at first", "small", "dots"],
)
def test_dice_are_looked_for_at_the_scales_that_they_ask_for(
    seen: dict[int, tuple[int, int, float]], looks: list[int], size: int
) -> None:
    """Each die is found once, in the photo's own pixels."""
    session = Session(seen)
    (peak,) = Detector(Network(session), DICE, 0.5).find(Pyramid(PHOTO))
    assert session.looks == looks
    assert peak.size == pytest.approx(size, rel=0.13)


def test_an_empty_table_is_looked_at_from_far_and_near() -> None:
    """Only then is it called empty."""
    session = Session({})
    assert Detector(Network(session), DICE, 0.5).find(Pyramid(PHOTO)) == []
    assert session.looks == [448, 896]


@pytest.mark.parametrize("shape", [(1, 1), (40, 2000), (2000, 40), (33, 47)], ids=str)
def test_every_shape_of_picture_can_be_looked_at(shape: tuple[int, int]) -> None:
    """A stripe or a dot is a picture too."""
    picture = Pyramid(np.zeros((*shape, 3), np.uint8))
    assert Detector(Network(Session({})), DICE, 0.5).find(picture) == []
