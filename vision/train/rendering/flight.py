"""A throw of dice: the way they took, and where they came to rest.

One length unit is the side of a die.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from vision.train.rendering.die import Pose

# A die that moved by less could look the same to a coarse eye.
_A_MOVE: Final = 0.8
_LET_GO: Final = 3
_MOMENTS: Final = 4


@dataclass(frozen=True, slots=True)
class Tray:
    """The inside of a tray around the table's origin: half its width and half its depth."""

    half_width: float
    half_depth: float


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice on their way and at rest.

    `flight` holds the poses of all dice every hundredth of a second from the hand on, the
    last are at rest; `kept` says which dice lay on the table all along.
    """

    flight: tuple[tuple[Pose, ...], ...]
    kept: tuple[bool, ...]

    @property
    def rest(self) -> tuple[Pose, ...]:
        """Where the dice came to rest."""
        return self.flight[-1]

    @property
    def faces(self) -> tuple[int, ...]:
        """What the dice show at rest."""
        return tuple(pose.top for pose in self.rest)

    def underway(self, moments: int = _MOMENTS) -> list[tuple[Pose, ...]]:
        """So many moments of the dice tumbling, spread evenly along the way they travel."""
        steps = [apart(one, other) for one, other in pairwise(self.flight)]
        way = np.concatenate([[0.0], np.cumsum(steps)])
        last = max(
            step for step, poses in enumerate(self.flight) if apart(poses, self.rest) > _A_MOVE
        )
        wanted = np.linspace(way[_LET_GO], way[last], moments)
        return [self.flight[int(np.searchsorted(way, at))] for at in wanted]

    @property
    def lively(self) -> bool:
        """Whether its moments underway and its rest are each clearly apart from the one before."""
        shown = [*self.underway(_MOMENTS), self.rest]
        return all(apart(one, other) > _A_MOVE for one, other in pairwise(shown))


def apart(some: Sequence[Pose], others: Sequence[Pose]) -> float:
    """How far the die that moved most is from where it was, its corners counted."""
    return max(
        float(np.linalg.norm(one.corners() - other.corners(), axis=1).max())
        for one, other in zip(some, others, strict=True)
    )
