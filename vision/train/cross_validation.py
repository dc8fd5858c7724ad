"""What a model makes of photographs from sources that it was trained without, kept on disk.

From these, confidence is calibrated and thresholds are chosen: nothing predicts better how a
stranger's table is read_dice.
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
from vision.evaluate.labels import LabelledPhotograph, Source
from vision.evaluate.scoring import PhotoScore, match, score
from vision.read.confidence import Thresholds
from vision.read.detection import DICE, Candidate, Detector
from vision.read.dice import NAME, DieReading, read_dice, read_dice_closely
from vision.read.networks import FINDER, READER, Model, Network
from vision.read.observation import UNREADABLE, Detection, Observation
from vision.train.cache import write_lines

_FAINTEST: Final = 0.08
# Which doubt it is cannot be told without the pixels, and is of no matter to the score.
_A_DOUBT: Final = message("A die's top face cannot be read_dice.")


@dataclass(frozen=True, slots=True)
class Place:
    """A place that the finder named, as read_dice once and as read_dice closely."""

    once: DieReading
    closely: DieReading

    def under(self, limits: Thresholds) -> DieReading:
        """The reading that counts under these limits."""
        return self.closely if limits.reads_again(self.once) else self.once


@dataclass(frozen=True, slots=True)
class SeenPhotograph:
    """A labelled photograph, its height and width, and all places seen on it.

    `wide` are the places of the wide look, which count where nothing else is believed.
    """

    source: str
    photograph: LabelledPhotograph
    shape: tuple[int, int]
    places: tuple[Place, ...]
    wide: tuple[Place, ...]

    def score(self, limits: Thresholds) -> PhotoScore:
        """Score what the recogniser would say of it under these limits."""
        readings = [place.under(limits) for place in self.places]
        if not any(map(limits.is_piece, readings)):
            readings += [place.under(limits) for place in self.wide]
        found = [each.detection(self.shape, limits) for each in readings if limits.is_piece(each)]
        asked = any(limits.is_doubtful(each, self.shape) for each in readings)
        seen = Observation(0, NAME, tuple(found), (_A_DOUBT,) if asked else ())
        return score(self.photograph, seen, 0.0)

    def truths(self) -> list[int]:
        """The values of the dice at its places, 0 where there is none."""
        peaks = [place.once.candidate for place in self.places]
        said = [Detection(UNREADABLE, peak.score, peak.box, 0.0) for peak in peaks]
        truths = [0] * len(peaks)
        dice = self.photograph.pieces
        for die, place in match(dice, said, whole=self.photograph.whole):
            truths[place] = 0 if dice[die].optional else int(dice[die].label)
        return truths


def see(model: Model, source: Source, split: str | None = None) -> Iterator[SeenPhotograph]:
    """Look at a source's photographs, or those of one split, with a model trained without it."""
    for photograph in source.photographs:
        if split in {None, photograph.split}:
            yield _seen(model, source.name, photograph)


def _seen(model: Model, source: str, photograph: LabelledPhotograph) -> SeenPhotograph:
    pyramid = Pyramid(open_photo(photograph.path))
    height, width = pyramid.image.shape[:2]
    detector = Detector(model.networks[FINDER], DICE, _FAINTEST)
    reader = model.networks[READER]
    places, wide = (
        _read(reader, pyramid, glance(pyramid)) for glance in (detector.find, detector.find_large)
    )
    return SeenPhotograph(source, photograph, (height, width), places, wide)


def _read(reader: Network, pyramid: Pyramid, peaks: list[Candidate]) -> tuple[Place, ...]:
    both = zip(
        read_dice(reader, pyramid, peaks), read_dice_closely(reader, pyramid, peaks), strict=True
    )
    return tuple(Place(*each) for each in both)


def write_seen(file: Path, seen: Iterable[SeenPhotograph]) -> None:
    """Keep them, a photograph a line."""
    entries = (
        {
            "file": each.photograph.path.name,
            "shape": each.shape,
            "places": [_plainly(place) for place in each.places],
            "wide": [_plainly(place) for place in each.wide],
        }
        for each in seen
    )
    write_lines(file, entries)


def read_seen(file: Path, source: Source) -> list[SeenPhotograph]:
    """Take up what was kept of a source's photographs.

    Raises:
        KeyError: it tells of a photograph that the source hasn't.
    """
    photographs = {each.path.name: each for each in source.photographs}
    entries = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [
        SeenPhotograph(
            source.name,
            photographs[entry["file"]],
            tuple(entry["shape"]),
            *(tuple(map(_place, entry[kind])) for kind in ("places", "wide")),
        )
        for entry in entries
    ]


def _plainly(place: Place) -> list[Any]:
    return [_plain(place.once), _plain(place.closely)]


def _place(plain: Sequence[Any]) -> Place:
    return Place(*map(_reading, plain))


def _plain(reading: DieReading) -> list[Any]:
    peak = [round(each, 4) for each in astuple(reading.candidate)[:5]]
    chances = [round(each, 5) for each in reading.chances]
    return [peak, chances, reading.angle, round(reading.leaning, 5), round(reading.present, 5)]


def _reading(plain: Sequence[Any]) -> DieReading:
    peak, chances, *others = plain
    return DieReading(Candidate(*peak), tuple(chances), *others)
