"""What a player at a rendered table keeps; the scoreboard's advice is no part of the pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

_RUN_WORTH_KEEPING: Final = 4
_MOST_KEPT: Final = 4


def dice_to_keep(faces: Sequence[int]) -> list[int]:
    """The places of the dice a player keeps: part of a straight, else the most frequent face.

    At least one die is always thrown again.
    """
    run = _longest_run(faces)
    if len(run) >= _RUN_WORTH_KEEPING:
        return sorted(faces.index(face) for face in run[:_MOST_KEPT])
    counts = Counter(faces)
    wanted = max(counts, key=lambda face: (counts[face], face))
    return [place for place, face in enumerate(faces) if face == wanted][:_MOST_KEPT]


def _longest_run(faces: Sequence[int]) -> list[int]:
    best: list[int] = []
    run: list[int] = []
    for face in sorted(set(faces)):
        run = [*run, face] if run and face == run[-1] + 1 else [face]
        best = max(best, run, key=len)
    return best
