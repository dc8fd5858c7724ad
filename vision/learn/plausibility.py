"""Whether a teaching photograph can be what a person says it is: light, focus, and its names.

The question is asked before anything is learned, of the pieces that were found. A doubt is no
proof: somebody who looks at the photograph may overrule it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from scoreboard.message import Message, message
from vision.capture.frame import Image
from vision.learn.crops import Format, cut, turned
from vision.learn.descriptor import Figures, describe
from vision.learn.prototypes import Specimen
from vision.learn.quads import proportion

# Measured on a drawn deck: paper has 245 in good light, 73 in 30 % and 44 in 18 % of it;
_DARK: Final = 60  # of 255, the lightest part of a photograph's pieces
# a crop's finest detail is 0.5 of all its contrast, 0.24 at a blur of a 30th of a piece's width and
# 0.11 at a 20th;
_BLURRED: Final = 0.17
# pieces of one face in one photograph differ by 0.002 to 0.03, those of two faces by 0.1 and more.
_ALIKE: Final = 0.05
_MUCH_NEARER: Final = 2.0  # times: to another face's photographs than to those of its own

Known = Mapping[str, Sequence[Image]]  # pieces of earlier photographs, laid flat, by their faces


def doubt(specimens: Sequence[Specimen], known: Known) -> Message | None:
    """What speaks against a photograph whose pieces these are; None where nothing does.

    `known` holds pieces of each face from other photographs, height x width x 3, any way up.
    """
    if not specimens:
        return None
    size = Format.of(float(np.median([proportion(one.quad) for one in specimens])))
    crops = cut_flat(specimens, size)
    return _seen_badly(crops) or _named_wrong(specimens, size, known)


def cut_flat(specimens: Sequence[Specimen], size: Format) -> Image:
    """The pieces laid flat, N x height x width x 3."""
    return np.concatenate([cut(one.pyramid, [one.quad], size) for one in specimens])


def _seen_badly(crops: Image) -> Message | None:
    if np.percentile(crops, 99) < _DARK:
        return message("This photo is very dark: take it again in more light.")
    if np.median([_detail(crop) for crop in crops]) < _BLURRED:
        return message("This photo is blurred: hold the camera still and take it again.")
    return None


def _detail(crop: Image) -> float:
    """How much of a crop's contrast is in its finest detail, 0 to 1."""
    grey = np.asarray(cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_BGR2GRAY), np.float32)
    return float((grey - cv2.GaussianBlur(grey, (0, 0), 1)).std() / max(float(grey.std()), 1e-6))


def _named_wrong(specimens: Sequence[Specimen], size: Format, known: Known) -> Message | None:
    ways = [_ways(one, size) for one in specimens]
    told = [one.face for one in specimens]
    for one, other in combinations(range(len(told)), 2):
        if told[one] != told[other] and _apart(ways[one][:1], ways[other]) < _ALIKE:
            return message(
                "The pieces called {one} and {other} look alike: are the names in the order of "
                "the photo, from left to right, row by row?",
                one=told[one],
                other=told[other],
            )
    seen = {face: describe(_fitted(pieces, size)) for face, pieces in known.items() if pieces}
    return next(_taken_for_another(told, ways, seen), None)


def _taken_for_another(
    told: Sequence[str], ways: Sequence[Figures], seen: Mapping[str, Figures]
) -> Iterator[Message]:
    for face, piece in zip(told, ways, strict=True):
        far = {each: _apart(piece, figures) for each, figures in seen.items()}
        nearest = min(far, key=far.__getitem__, default=face)
        if face in far and far[nearest] * _MUCH_NEARER < far[face]:
            yield message(
                "The piece called {told} looks like {other} on another photo: are the names in "
                "the order of the photo, from left to right, row by row?",
                told=face,
                other=nearest,
            )


def _ways(one: Specimen, size: Format) -> Figures:
    """The figures of a piece as each of its corners may be the first, W x D."""
    quads = [turned(one.quad, turn) for turn in size.turns(one.quad)]
    return describe(cut(one.pyramid, quads, size))


def _fitted(pieces: Sequence[Image], size: Format) -> Image:
    shape = (size.width, size.height)
    return np.stack([cv2.resize(each, shape, interpolation=cv2.INTER_AREA) for each in pieces])


def _apart(one: Figures, other: Figures) -> float:
    """The least squared distance between the figures of two pieces (N x D and M x D)."""
    return float(min(((each - other) ** 2).sum(axis=1).min() for each in one))
