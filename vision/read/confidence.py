"""From what two networks say of a place to how far it may be believed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

_SIZE_UNIT: Final = 32.0


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """What a model's card states, fitted on sources that were left out of training.

    `bias`, `finder` and `reader` weigh what both networks say of a piece's presence, `face` how
    surely its face is told, as prints show none clearly, and `size` its own size, as specks pass
    for pieces more easily; `offset` and `slope` bring the confidence to how often it was right
    (Platt, 1999).
    """

    bias: float
    finder: float
    reader: float
    face: float
    size: float
    offset: float
    slope: float

    def presence_of(self, score: float, present: float, likelihood: float, size: float) -> float:
        """The estimated probability that a piece lies there.

        `score` is the finder's and `present` the reader's, `likelihood` that of the likeliest
        face; `size` is the piece's in pixels.
        """
        said = self.finder * _logit(score) + self.reader * _logit(present)
        told = self.face * _logit(likelihood)
        grown = self.size * math.log(max(size, 1) / _SIZE_UNIT)
        return _chance(self.bias + said + told + grown)

    def confidence_of(self, presence: float, likelihood: float) -> float:
        """The estimated probability that a piece lies there and shows the likeliest face."""
        return _chance(self.offset + self.slope * _logit(presence * likelihood))


def _logit(chance: float) -> float:
    kept = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(kept / (1 - kept))


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))
