"""A picture at its own size and halved again and again: made once, looked at at any scale."""

from __future__ import annotations

from typing import Final

from vision.capture.downscale import halved
from vision.capture.frame import Image

_SMALLEST: Final = 320  # the longer side below which nothing is halved any more


class Pyramid:
    """One H x W x 3 picture with its halves, each the mean of two by two pixels of the last.

    Shrinking a large picture in one go costs more than a network's look at it; from the level
    that is at most twice too large it costs next to nothing.
    """

    def __init__(self, image: Image) -> None:
        self.levels = [image]
        while _is_worth_halving(self.levels[-1]):
            self.levels.append(halved(self.levels[-1]))

    @property
    def image(self) -> Image:
        """The picture at its own size."""
        return self.levels[0]

    @property
    def longer(self) -> int:
        """The picture's longer side in pixels."""
        return int(max(self.image.shape[:2]))

    def above(self, shrink: float) -> int:
        """The number of the smallest level that is not smaller than the picture so shrunk."""
        level = 0
        while level + 1 < len(self.levels) and shrink >= 2 ** (level + 1):
            level += 1
        return level


def _is_worth_halving(image: Image) -> bool:
    height, width = image.shape[:2]
    return bool(max(height, width) >= 2 * _SMALLEST and min(height, width) > 1)
