"""What a piece is taken for: a face, a face with a doubt, or no face of the set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.learn.descriptor import Figures

STRANGE: Final = 6.0  # times the usual distance from every face: no piece of the set
_FAINT: Final = 4.0  # times it: perhaps a piece of another set
_DIVIDED: Final = 0.7  # of the second face's distance: nearer ones are told apart by chance
_STEEP: Final = 9.0
_EVEN: Final = 0.82


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a piece looks like.

    `face` is the nearest face and `rival` the next; `distance` is in units of the set's usual one;
    `confidence` is the estimated probability that the face is right, 0 to 1; `strange` says that
    it is no face of the set, `divided` that the two are too close to call, `faint` that it
    looks little like either.
    """

    face: str
    rival: str
    distance: float
    confidence: float
    strange: bool
    divided: bool
    faint: bool

    @property
    def sure(self) -> bool:
        """Whether it may be believed without asking."""
        return not (self.strange or self.divided or self.faint)


def judge(faces: tuple[str, ...], distances: Figures) -> Verdict:
    """Judge a piece by its distances from each face (F of them, at least two)."""
    order = np.argsort(distances, kind="stable")
    first, second = (float(distances[at]) for at in order[:2])
    closeness = first / max(second, 1e-9)
    strange = first > STRANGE
    return Verdict(
        face=faces[order[0]],
        rival=faces[order[1]],
        distance=first,
        confidence=0.0 if strange else _confidence(closeness, first),
        strange=strange,
        divided=not strange and closeness > _DIVIDED,
        faint=not strange and first > _FAINT,
    )


def _confidence(closeness: float, distance: float) -> float:
    """Nearly 1 for a piece close to one face alone, a half where the next is as close."""
    apart = 1 / (1 + np.exp(-_STEEP * (_EVEN - closeness)))
    near = 1 / (1 + np.exp(2 * (distance - STRANGE)))
    return float(np.clip(max(apart, 0.0) * near, 0.0, 1.0))
