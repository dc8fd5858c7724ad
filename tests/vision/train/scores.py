"""Scores of photographs that nobody opened, for tests of what is made of scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scoreboard.message import message
from vision.evaluate.labels import LabelledPhotograph, LabelledPiece
from vision.evaluate.scoring import PhotoScore, score
from vision.read.observation import Box, Detection, Observation

DOUBT = message("A die is blurred.")


def photo_score(
    file: str,
    pairs: Sequence[tuple[int | None, str | None]],
    *,
    doubted: bool = False,
    confidence: float = 0.9,
) -> PhotoScore:
    """A photograph's score by values and what was said of them; None: no die, or not found."""
    boxes: list[Box] = [(100.0 * each, 0.0, 100.0 * each + 40, 40.0) for each in range(len(pairs))]
    placed = list(zip(pairs, boxes, strict=True))
    dice = tuple(LabelledPiece(box, str(value)) for (value, _), box in placed if value is not None)
    seen = tuple(Detection(said, confidence, box, 0.0) for (_, said), box in placed if said)
    label = LabelledPhotograph(Path(file), "dev", dice, whole=True)
    return score(label, Observation(0, "fake", seen, (DOUBT,) if doubted else ()), 1.0)
