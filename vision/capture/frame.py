"""One picture of the table, numbered and timed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from vision.capture.play_area import PlayArea

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture as a camera gave it.

    `sequence` counts from 0 per camera run; `captured_at` is aware UTC; `image` is H x W x 3,
    blue-green-red, 8 bits, upright; `single` marks a lone photo, which is read at once instead of
    waiting for stillness; `known` one taken before the start. `area` is where pieces can be, None
    for anywhere; readers ignore the rest.

    Raises ValueError: the image has another shape or type, or the time has no zone.
    """

    sequence: int
    captured_at: datetime
    image: Image
    single: bool = False
    known: bool = False
    area: PlayArea | None = None

    def __post_init__(self) -> None:
        if self.image.ndim != 3 or self.image.shape[2] != 3 or self.image.dtype != np.uint8:  # noqa: PLR2004
            raise ValueError(f"a frame's image is H x W x 3 of uint8, not {self.image.shape}")
        if self.captured_at.tzinfo is None:
            raise ValueError("a frame's time must know its zone (UTC)")
