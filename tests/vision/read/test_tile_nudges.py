"""Doubtful tiles, read in many crops around where they were found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.read.tile_readings import MIDDLE, lying
from tests.vision.read.tile_readings import reading as small
from vision.capture.image_pyramid import Pyramid
from vision.read.detection import Candidate
from vision.read.networks import Network
from vision.read.tile_neighbours import nudged
from vision.read.tile_readings import TileReading

NEAR = MIDDLE.scaled(1.5)
BLANK = Pyramid(np.full((480, 640, 3), 120, np.uint8))


class CropReader:
    """Sees these faces in the crops of a tile, one after the other, over and over."""

    def __init__(self, *faces: TileReading) -> None:
        self.asked: list[int] = []
        self._faces = [[*e.kinds, *e.inks, e.over, e.present] for e in faces]

    def __call__(self, pixels: np.ndarray) -> np.ndarray:
        self.asked.append(len(pixels))
        return np.array([self._faces[at % len(self._faces)] for at in range(len(pixels))])

    @property
    def network(self) -> Network:
        return self  # type: ignore[return-value]


def reading(text: str, spot: Candidate = NEAR, present: float = 0.99) -> TileReading:
    """A tile seen from near that the reader takes for what is written."""
    return small(text, spot, present)


def face_of(reader: CropReader, *tiles: TileReading) -> tuple[str, float]:
    """What the first tile is then read as, and how surely."""
    first, *_ = nudged(reader.network, BLANK, tiles, lambda _: True)
    return first.label, max(first.kinds[1:])


DOUBTED = reading("K6@60")
HIDDEN = replace(reading("K1"), present=0.05)

# why, what the crops show, what the tile is read as, how surely at least and at most, and crops
AGREED = [
    ("all agree", ["K8"], "K8", (0.95, 1.0), [18]),
    ("crops that fit weigh most", ["K8", "K3@40", "K5@40"], "K8", (0.9, 1.0), [18]),
    ("a lucky crop is no proof", ["K8", *["K3@90"] * 17], "K3", (0.6, 0.9), [18, 36]),
    ("they disagree", ["K8", "K3"], "K3", (0.4, 0.6), [18, 36]),
]


@pytest.mark.parametrize(
    ("why", "crops", "label", "surely", "asked"), AGREED, ids=lambda told: str(told)[:30]
)
def test_a_doubtful_tile_is_what_most_good_crops_show(
    why: str, crops: list[str], label: str, surely: tuple[float, float], asked: list[int]
) -> None:
    """Their agreement is the confidence; leaning crops are read only where straight ones differ."""
    reader = CropReader(*map(reading, crops))
    found, chance = face_of(reader, DOUBTED)
    assert (found, reader.asked) == (label, asked), why
    assert surely[0] <= chance <= surely[1]


def test_where_no_crop_is_good_a_tile_stays_as_it_was_read() -> None:
    """Nothing is learnt from bad crops."""
    assert face_of(CropReader(HIDDEN), DOUBTED)[0] == "K6"


@pytest.mark.parametrize("tile", [reading("K6"), small("K6@60")], ids=["sure", "far"])
def test_sure_and_far_tiles_are_not_read_again(tile: TileReading) -> None:
    """A clean table costs nothing, and a small tile shows too little."""
    reader = CropReader(reading("K8"))
    assert face_of(reader, tile)[0] == "K6"
    assert not reader.asked


OVER = replace(reading("K6"), over=0.95)  # a large 9 passes for a 6 on its head


@pytest.mark.parametrize(("neighbours", "label"), [("K1 K2 K3", "K9"), ("", "K6")])
def test_neighbours_tell_which_end_is_up(neighbours: str, label: str) -> None:
    """Among upright tiles shape alone tells 6 from 9; a tile alone stays what it was."""
    tile = reading("K6@60", replace(NEAR, y=NEAR.y - 40))
    assert face_of(CropReader(OVER), tile, *lying(neighbours))[0] == label
