"""From which figures on something is believed, asked about, or passed over."""

from __future__ import annotations

from dataclasses import dataclass

from vision.read.confidence import ConfidenceModel
from vision.read.dice.face_reader import Reading


@dataclass(frozen=True, slots=True)
class DiceThresholds(ConfidenceModel):
    """What the model's card states, chosen on sources that were left out of training.

    `candidate`: the finder's least score; `present`: the least presence of a die;
    `absent`: below that presence nobody is asked; `sure`: the confidence from which a
    value is believed; `readable`: that below which no value is given; `leaning`: the chance
    of lying cocked from which a person is asked, `cocked` that from which no value is given;
    `smallest_pixels` and `smallest_share` (of the picture's longer side): a die's least
    shorter side.
    """

    candidate: float
    present: float
    absent: float
    sure: float
    readable: float
    leaning: float
    cocked: float
    smallest_pixels: float
    smallest_share: float

    def presence(self, reading: Reading) -> float:
        """The estimated probability that a die lies there."""
        peak = reading.peak
        return self.presence_of(peak.score, reading.present, reading.likelihood, peak.size)

    def confidence(self, reading: Reading) -> float:
        """The estimated probability that a die lies there and shows the likeliest face."""
        return self.confidence_of(self.presence(reading), reading.likelihood)

    def is_die(self, reading: Reading) -> bool:
        """Whether a die lies there."""
        return self.presence(reading) >= self.present

    def is_readable(self, reading: Reading, shape: tuple[int, ...]) -> bool:
        """Whether its value may be told."""
        told = self.confidence(reading) >= self.readable and reading.leaning < self.cocked
        return told and not self.is_small(reading, shape)

    def is_small(self, reading: Reading, shape: tuple[int, ...]) -> bool:
        """Whether it is too small to be read in a picture of that height and width."""
        shorter = min(reading.peak.width, reading.peak.height)
        return shorter < max(self.smallest_pixels, self.smallest_share * max(shape[:2]))

    def is_leaning(self, reading: Reading) -> bool:
        """Whether it may lie cocked (YZ-5)."""
        return reading.leaning >= self.leaning

    def is_doubtful(self, reading: Reading, shape: tuple[int, ...]) -> bool:
        """Whether a person should look at it."""
        if not self.is_die(reading):
            return self.presence(reading) >= self.absent
        unsure = self.confidence(reading) < max(self.sure, self.readable)
        return unsure or self.is_leaning(reading) or self.is_small(reading, shape)

    def reads_again(self, reading: Reading) -> bool:
        """Whether a second look may tell more."""
        if self.presence(reading) < self.absent / 2:
            return False
        return self.confidence(reading) < max(0.97, self.sure) or self.is_leaning(reading)
