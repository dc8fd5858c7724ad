"""One picture to be taken: everything the tracer needs, and nothing that it decides itself."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from vision.train.rendering.die import Pose
from vision.train.rendering.flight import Tray
from vision.train.rendering.hand import Hand
from vision.train.rendering.look import Look

TRAY: Final = Tray(half_width=4.7, half_depth=3.5)
# Raised whenever the tracer draws the same scene differently, so that old pictures aren't reused.
_TRACER_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Scene:
    """A table with dice on it or over it, perhaps a hand, and how carefully to draw it.

    `samples` are light paths a pixel; `seed` is that of the light paths.
    """

    look: Look
    dice: tuple[Pose, ...]
    hand: Hand | None
    samples: int
    seed: int

    @property
    def digest(self) -> str:
        """A name for the picture that changes with anything that is drawn."""
        return sha256(f"{_TRACER_VERSION} {self!r}".encode()).hexdigest()[:24]
