"""From which figures on a tile is believed, asked about, or passed over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.read.confidence import ConfidenceModel
from vision.read.tiles.face_reader import TileReading

_READ_AGAIN: Final = 0.97  # less sure ones are read more closely


@dataclass(frozen=True, slots=True)
class TileThresholds(ConfidenceModel):
    """What the model's card states, chosen on scenes that were left out of training.

    `candidate`: the finder's least score; `present`: the least presence of a tile; `absent`:
    below that presence nobody is asked; `sure`: the confidence from which a reading is
    believed; `readable`: that below which none is given; `smallest_pixels` and
    `smallest_share` (of the picture's longer side): a tile's least shorter side.
    """

    candidate: float
    present: float
    absent: float
    sure: float
    readable: float
    smallest_pixels: float
    smallest_share: float

    def presence(self, reading: TileReading) -> float:
        """The estimated probability that a tile lies there with its face up."""
        spot = reading.spot
        return self.presence_of(spot.score, reading.present, reading.likelihood, spot.width)

    def confidence(self, reading: TileReading) -> float:
        """The estimated probability that a tile lies there and is the likeliest one."""
        return self.confidence_of(self.presence(reading), reading.likelihood)

    def is_tile(self, reading: TileReading) -> bool:
        """Whether a tile lies there."""
        return self.presence(reading) >= self.present

    def is_readable(self, reading: TileReading, shape: tuple[int, ...]) -> bool:
        """Whether it may be told which."""
        return self.confidence(reading) >= self.readable and not self.is_small(reading, shape)

    def is_small(self, reading: TileReading, shape: tuple[int, ...]) -> bool:
        """Whether it is too small to be read in a picture of that height and width."""
        least = max(self.smallest_pixels, self.smallest_share * max(shape[:2]))
        return reading.spot.width < least

    def is_doubtful(self, reading: TileReading, shape: tuple[int, ...]) -> bool:
        """Whether a person should look at it."""
        if not self.is_tile(reading):
            return self.presence(reading) >= self.absent
        unsure = self.confidence(reading) < max(self.sure, self.readable)
        return unsure or self.is_small(reading, shape)

    def reads_again(self, reading: TileReading) -> bool:
        """Whether a closer look may tell more."""
        if self.presence(reading) < self.absent / 2:
            return False
        return self.confidence(reading) < max(_READ_AGAIN, self.sure)
