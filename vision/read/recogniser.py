"""The promise that every recogniser keeps."""

from __future__ import annotations

from typing import Protocol

from vision.capture.frame import Frame
from vision.read.observation import Observation


class Recogniser(Protocol):
    """Reads the pieces in a frame; the same frame always gives the same observation.

    A frame without pieces gives an empty observation, never an error. A piece whose
    face cannot be read is reported with the label "?" and a doubt.
    """

    @property
    def name(self) -> str:
        """The recogniser's declared name, as listed in RECOGNISERS."""
        ...

    def __call__(self, frame: Frame) -> Observation:
        """Read one frame."""
        ...
