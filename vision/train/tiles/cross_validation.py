"""What a model makes of scenes that it was trained without, kept on disk.

From these, confidence is calibrated and thresholds are chosen, as for dice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Final

from scoreboard.message import message
from vision.capture.image_pyramid import Pyramid
from vision.capture.photo import open_photo
from vision.evaluate.labels import LabelledPhotograph
from vision.evaluate.scoring import PhotoScore, match, score
from vision.read.confidence import Thresholds
from vision.read.detection import TILES, Candidate, Detector
from vision.read.networks import FINDER, READER, Model
from vision.read.observation import UNREADABLE, Detection, Observation
from vision.read.tiles import NAME, TileReading, read_tiles, read_tiles_closely, reconsidered
from vision.train.cache import write_lines

_FAINTEST: Final = 0.08
# Which doubt it is cannot be told without the pixels, and is of no matter to the score.
_A_DOUBT: Final = message("A tile cannot be read_tiles.")


@dataclass(frozen=True, slots=True)
class Place:
    """A place that the finder named, as read_tiles once and as read_tiles closely."""

    once: TileReading
    closely: TileReading

    def under(self, limits: Thresholds) -> TileReading:
        """The reading that counts under these limits."""
        return self.closely if limits.reads_again(self.once) else self.once


@dataclass(frozen=True, slots=True)
class SeenPhotograph:
    """A labelled photograph, its height and width, and all places seen on it."""

    photograph: LabelledPhotograph
    shape: tuple[int, int]
    places: tuple[Place, ...]

    def score(self, limits: Thresholds) -> PhotoScore:
        """Score what the recogniser would say of it under these limits."""
        readings = [place.under(limits) for place in self.places]
        tiles = [each for each in readings if limits.is_piece(each)]
        found = tuple(each.detection(self.shape, limits) for each in tiles)
        asked = any(limits.is_doubtful(each, self.shape) for each in readings)
        seen = Observation(0, NAME, found, (_A_DOUBT,) if asked else ())
        return score(self.photograph, seen, 0.0)

    def truths(self) -> list[str | None]:
        """The labels of the tiles at its places: None where none lies, "?" where it is optional."""
        said = [
            Detection(UNREADABLE, 1.0, _box(place.once.candidate), place.once.candidate.turn)
            for place in self.places
        ]
        truths: list[str | None] = [None] * len(said)
        for row, place in match(self.photograph.pieces, said, whole=True):
            piece = self.photograph.pieces[row]
            truths[place] = UNREADABLE if piece.optional else piece.label
        return truths


def _box(spot: Candidate) -> tuple[float, float, float, float]:
    (left, top), (right, bottom) = spot.quad.min(axis=0), spot.quad.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def see(model: Model, photographs: Iterable[LabelledPhotograph]) -> Iterator[SeenPhotograph]:
    """Look at photographs of scenes that the model was trained without."""
    for photograph in photographs:
        pyramid = Pyramid(open_photo(photograph.path))
        height, width = pyramid.image.shape[:2]
        yield SeenPhotograph(photograph, (height, width), _places(model, pyramid))


def _places(model: Model, pyramid: Pyramid) -> tuple[Place, ...]:
    finder, reader = model.networks[FINDER], model.networks[READER]
    first = read_tiles(reader, pyramid, Detector(finder, TILES, _FAINTEST).find(pyramid))
    once = reconsidered(finder, reader, pyramid, first)
    both = zip(once, read_tiles_closely(reader, pyramid, once), strict=True)
    return tuple(Place(*each) for each in both)


def write_seen(file: Path, seen: Iterable[SeenPhotograph]) -> None:
    """Keep them, a photograph a line."""
    entries = (
        {
            "file": each.photograph.path.name,
            "shape": each.shape,
            "places": [(astuple(place.once), astuple(place.closely)) for place in each.places],
        }
        for each in seen
    )
    write_lines(file, entries)


def read_seen(file: Path, photographs: Sequence[LabelledPhotograph]) -> list[SeenPhotograph]:
    """Take up what was kept.

    Raises:
        KeyError: it tells of a photograph that is none of these.
    """
    known = {each.path.name: each for each in photographs}
    return [_kept(json.loads(line), known) for line in file.read_text("utf-8").splitlines()]


def _kept(entry: dict[str, Any], known: dict[str, LabelledPhotograph]) -> SeenPhotograph:
    height, width = entry["shape"]
    places = tuple(Place(*map(_reading, both)) for both in entry["places"])
    return SeenPhotograph(known[entry["file"]], (height, width), places)


def _reading(entry: list[Any]) -> TileReading:
    spot, kinds, inks, over, present, (blue, green, red) = entry
    return TileReading(
        Candidate(*spot), tuple(kinds), tuple(inks), over, present, (blue, green, red)
    )
