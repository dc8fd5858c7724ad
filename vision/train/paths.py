"""Where the pictures lie that a training learns from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class TrainingPaths:
    """Folders of labelled photographs, of rendered pictures, and of photographs without the pieces.

    Of the rendered pictures, the first `most` count.
    """

    data: Path
    rendered: Path
    bare: Path | None = None
    most: int | None = None
