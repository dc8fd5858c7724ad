"""One reader or another, by what the table plays just now."""

from __future__ import annotations

from collections.abc import Callable

from vision.capture.frame import Frame
from vision.read.observation import Observation
from vision.read.recogniser import Recogniser


class ReaderSelector:
    """Reads each frame with the recogniser that is `wanted` then; it is opened when first needed.

    Keeps the promise of `vision.read.recogniser.Recogniser`, as far as the same one is wanted.

    Raises:
        WeightsError: a model cannot be loaded; at once for what is wanted at first.
    """

    def __init__(self, wanted: Callable[[], str], open_one: Callable[[str], Recogniser]) -> None:
        """Open what is wanted now."""
        self._wanted = wanted
        self._open = open_one
        self._opened: dict[str, Recogniser] = {}
        self._recogniser()

    @property
    def name(self) -> str:
        """That of the one that is wanted."""
        return self._recogniser().name

    def __call__(self, frame: Frame) -> Observation:
        """Read one frame."""
        return self._recogniser()(frame)

    def _recogniser(self) -> Recogniser:
        wanted = self._wanted()
        if wanted not in self._opened:
            self._opened[wanted] = self._open(wanted)
        return self._opened[wanted]
