"""Which of the shapes in a teaching photograph are the pieces that it is said to show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.learn.piece_finder import Found
from vision.learn.quads import Quad, area, covered, in_reading_order, proportion

_SIZES: Final = 1.6  # how much pieces of one photograph may differ in area,
_PROPORTIONS: Final = 1.35  # and in proportion
_APART: Final = 0.25
_CLEAR: Final = 0.55
_ALIKE: Final = 1.2  # several pieces of one face in one photograph differ less in area


def pieces_alike(found: Sequence[Found], wanted: int, shape: float | None = None) -> list[Quad]:
    """The group of like shapes that comes nearest to so many pieces, in reading order.

    Of groups as good the one of the clearest and largest shapes. `shape` is the proportion of
    the set's pieces where it is known.
    """
    clear = [each for each in found if each.clear > _CLEAR and _fits(each.quad, shape)]
    groups = [_group(each, clear) for each in clear]
    if not groups:
        return []
    best = max(groups, key=lambda group: (-abs(len(group) - wanted), _worth(group)))
    quads = [each.quad for each in best]
    return [quads[at] for at in in_reading_order(quads)]


def pieces_of_one_face(found: Sequence[Found], shape: float | None = None) -> list[Quad]:
    """The clearest piece, and others in the photograph that are as clear and as large."""
    clear = [each for each in found if each.clear > _CLEAR and _fits(each.quad, shape)]
    if not clear:
        return []
    best = max(clear, key=_value)
    like = [each for each in _group(best, clear) if _is_as_good(each, best)]
    return [each.quad for each in like]


def _is_as_good(one: Found, best: Found) -> bool:
    ratio = area(one.quad) / max(area(best.quad), 1e-6)
    return one is best or (one.clear > 0.9 * best.clear and 1 / _ALIKE < ratio < _ALIKE)


def _group(first: Found, among: Sequence[Found]) -> list[Found]:
    """Those of about its size and proportion, none covering another; clear large ones first."""
    like = [each for each in among if _are_alike(first, each)]
    kept = [first]
    for each in sorted(like, key=_value, reverse=True):
        if all(covered(each.quad, other.quad) < _APART for other in kept):
            kept.append(each)
    return kept


def _are_alike(one: Found, other: Found) -> bool:
    sizes = abs(np.log(area(one.quad) / area(other.quad)))
    shapes = abs(np.log(proportion(one.quad) / proportion(other.quad)))
    return bool(sizes < np.log(_SIZES) and shapes < np.log(_PROPORTIONS))


def _value(found: Found) -> float:
    """Clearness first; a whole piece rather than a frame printed on it."""
    return found.clear + 0.15 * float(np.log(max(area(found.quad), 1.0)))


def _worth(group: Sequence[Found]) -> float:
    return float(np.mean([_value(each) for each in group]))


def _fits(quad: Quad, shape: float | None) -> bool:
    return shape is None or bool(abs(np.log(proportion(quad) / shape)) < np.log(1.5))
