"""The pieces of a learned set in a picture: where they lie, and what each is taken for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.learn.alignment import aligned
from vision.learn.crops import Format, cut, turned
from vision.learn.descriptor import Figures, describe
from vision.learn.joint_classification import distances_together
from vision.learn.piece_finder import Found, candidates
from vision.learn.prototypes import Likeness
from vision.learn.quads import Quad, area, covered, sides
from vision.learn.solids import looks
from vision.learn.verdict import Verdict, judge

_APART: Final = 0.25  # of the smaller: pieces cover each other no more
_CLEAR: Final = 0.6  # the rim of a stranger that has the set's shape
_CLEARER: Final = 0.85  # and of one that has not
_SMALLER: Final = 0.45  # than the set's pieces in the picture: no piece
_LARGER: Final = 2.2


@dataclass(frozen=True, slots=True, eq=False)
class ReadPiece:
    """A piece and its verdict; `quad` begins at the top left of the face as it was taught."""

    quad: Quad
    verdict: Verdict


def read_pieces(image: Image, likeness: Likeness) -> list[ReadPiece]:
    """Every piece in the picture, those of the set first; strangers of some clearness too."""
    return read_found(image, shapes(image, solid=likeness.solid), likeness)


def shapes(image: Image, *, solid: bool) -> list[Found]:
    """Everything that may be a face: of dice also each die's top as seen from several sides."""
    flat = candidates(image)
    return [*flat, *(found for look in looks(image) for found in look)] if solid else flat


def read_found(image: Image, found: Sequence[Found], likeness: Likeness) -> list[ReadPiece]:
    """The same with shapes that were found before."""
    pyramid = Pyramid(image)
    read = read_quads(pyramid, likeness, [each.quad for each in found])
    order = sorted(range(len(found)), key=lambda at: read[at].verdict.distance)
    known = _distinct([read[at] for at in order if not read[at].verdict.strange])
    known = _of_one_size(known)
    strangers = [
        read[at]
        for at in sorted(order, key=lambda at: -_standing(found[at], likeness.size))
        if read[at].verdict.strange and _is_piece(found[at], likeness.size, known)
    ]
    pieces = [_outlined(pyramid, each, likeness) for each in _distinct([*known, *strangers])]
    return _together(pyramid, pieces, likeness)


def _together(pyramid: Pyramid, pieces: Sequence[ReadPiece], likeness: Likeness) -> list[ReadPiece]:
    """The pieces of a photograph, each judged again by what the others tell of its light."""
    known = [each for each in pieces if not each.verdict.strange]
    if not known:
        return list(pieces)
    figures = describe(cut(pyramid, [each.quad for each in known], likeness.size))
    told = zip(known, distances_together(figures, likeness), strict=True)
    again = [replace(one, verdict=_again(one.verdict, likeness, apart)) for one, apart in told]
    return [*again, *(each for each in pieces if each.verdict.strange)]


def _again(before: Verdict, likeness: Likeness, apart: Figures) -> Verdict:
    """A verdict by the distances that the whole photograph tells.

    Another face that only the others speak for is doubted: a few may lead each other astray.
    """
    verdict = judge(likeness.faces, apart)
    divided = verdict.divided or verdict.face != before.face
    faint = verdict.faint or verdict.strange or before.faint
    return replace(verdict, strange=False, divided=divided, faint=faint)


def _outlined(pyramid: Pyramid, piece: ReadPiece, likeness: Likeness) -> ReadPiece:
    """A piece that looks like no face as its likeliest outline shows it: it stays doubted.

    Whoever moves corners until a piece looks like a face may move them too far.
    """
    if not (piece.verdict.strange or piece.verdict.faint):
        return piece
    (read,) = read_quads(pyramid, likeness, [aligned(pyramid, piece.quad, likeness)])
    doubted = replace(read.verdict, faint=not read.verdict.strange)
    return replace(read, verdict=doubted)


def read_quads(pyramid: Pyramid, likeness: Likeness, quads: Sequence[Quad]) -> list[ReadPiece]:
    """What the piece at each quad is taken for, the likeliest way up."""
    ways = [[turned(quad, turn) for turn in likeness.size.turns(quad)] for quad in quads]
    flat = [quad for several in ways for quad in several]
    if not flat:
        return []
    distances = likeness.distances(describe(cut(pyramid, flat, likeness.size)))
    read, start = [], 0
    for several in ways:
        mine = distances[start : start + len(several)]
        start += len(several)
        up = int(np.argmin(mine.min(axis=1)))
        read.append(ReadPiece(several[up], judge(likeness.faces, mine.min(axis=0))))
    return read


def _distinct(pieces: Sequence[ReadPiece]) -> list[ReadPiece]:
    """Those that cover none of an earlier one."""
    kept: list[ReadPiece] = []
    for each in pieces:
        if all(covered(each.quad, other.quad) < _APART for other in kept):
            kept.append(each)
    return kept


def _of_one_size(known: Sequence[ReadPiece]) -> list[ReadPiece]:
    """Without what is far smaller or larger than most: part of a piece, or several at once."""
    if not known:
        return []
    middle = float(np.median([area(each.quad) for each in known]))
    return [each for each in known if _SMALLER < area(each.quad) / middle < _LARGER]


def _standing(found: Found, size: Format) -> float:
    """Which of overlapping shapes is the piece: a clear, large one, best of the set's shape."""
    shaped = 0.5 if _has_shape(found.quad, size) else 0.0
    return found.clear + 0.15 * float(np.log(max(area(found.quad), 1.0))) + shaped


def _is_piece(found: Found, size: Format, known: Sequence[ReadPiece]) -> bool:
    """Whether a shape that is no face of the set may still be a piece."""
    if known:
        middle = float(np.median([area(each.quad) for each in known]))
        if not _SMALLER < area(found.quad) / middle < _LARGER:
            return False
    return found.clear > (_CLEAR if _has_shape(found.quad, size) else _CLEARER)


def _has_shape(quad: Quad, size: Format) -> bool:
    wide, high = sides(quad)
    longer = max(wide, high) / max(min(wide, high), 1e-6)
    return bool(abs(np.log(longer / size.proportion)) < np.log(1.5))
