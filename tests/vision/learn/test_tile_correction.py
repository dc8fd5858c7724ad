"""The network's readings, corrected by what a family taught of its tiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from scoreboard.games.rummikub.tiles import COLOURS, Tile, piece
from tests.vision.learn.drawn_tiles import few_own_tiles, quads, tiles_on_table
from vision.capture.image_pyramid import Pyramid
from vision.learn.playing_sets import TileCorrection
from vision.learn.taught_reader import TILE_FACES
from vision.read.detection import Candidate
from vision.read.networks import Network
from vision.read.tile_readings import KINDS, TileReading


def figures(face: str) -> list[float]:
    """What the network gives for a face that it sees surely."""
    shown, kinds, inks = piece(face), [0.001] * KINDS, [0.002] * len(COLOURS)
    kinds[shown.number if isinstance(shown, Tile) else KINDS - 1] = 0.986
    if isinstance(shown, Tile):
        inks[COLOURS.index(shown.colour)] = 0.994
    return [*kinds, *inks, 0.0, 1.0]


@dataclass
class Session:
    """An onnxruntime session that answers with these figures, one crop after the other."""

    figures: list[list[float]]

    def get_inputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name="pixels")]

    def run(
        self, _outputs: None, inputs: Mapping[str, NDArray[np.uint8]]
    ) -> list[NDArray[np.float32]]:
        return [np.array([self.figures.pop(0) for _ in inputs["pixels"]], np.float32)]


def network(seen_as: Mapping[str, str]) -> Network:
    """One that sees the taught faces as they are, but for these."""
    return Network(Session([figures(seen_as.get(face, face)) for face in TILE_FACES]))


def read(*faces: str) -> list[TileReading]:
    """A row of two tiles as the network reads it."""
    seen = [np.split(np.array(figures(face)), [KINDS, KINDS + len(COLOURS)]) for face in faces]
    return [
        TileReading(
            Candidate.of_corners(quad, 0.9), tuple(kinds), tuple(inks), 0.0, 1.0, (-1.5, -1.4, -1.3)
        )
        for quad, (kinds, inks, _) in zip(quads(2, 40, 0.5), seen, strict=True)
    ]


NUMBER = {f"{colour}3": f"{colour}4" for colour in COLOURS}
INK = {f"K{number}": f"B{number}" for number in range(1, 14)}


@pytest.mark.parametrize(
    ("seen_as", "seen", "labels"),
    [
        ({}, ("K3", "K4"), ["K3", "K4"]),
        ({}, ("K4", "K3"), ["K4", "K3"]),
        (NUMBER, ("K4", "K4"), ["K3", "K4"]),
        (INK, ("B3", "B4"), ["K3", "K4"]),
    ],
    ids=["an ordinary set", "a sure network", "confused figures", "confused inks"],
)
def test_the_taught_faces_tell_only_what_the_network_confuses(
    seen_as: Mapping[str, str], seen: tuple[str, str], labels: list[str]
) -> None:
    """On a picture of K3 and K4: what it reads right of this set is read as if untaught."""
    correct = TileCorrection(network(seen_as), few_own_tiles())
    found = correct(Pyramid(tiles_on_table(["K3 K4"], 2)), read(*seen))
    assert [each.label for each in found] == labels
    assert min(each.likelihood for each in found) > 0.9


def test_without_pictures_of_its_faces_the_network_is_believed() -> None:
    """A set whose folder lost them reads no worse than none."""
    bare = replace(few_own_tiles(), pictures={})
    found = TileCorrection(network({}), bare)(Pyramid(tiles_on_table(["K3 K4"])), read("K4", "K3"))
    assert [each.label for each in found] == ["K4", "K3"]
