"""What tells the faces of a set apart, learned from a few photographs of each.

The same face photographed again differs in some ways much (light, blur, a corner found a
little off) and in others hardly. Directions are weighed by how little a face differs from itself
along them (Hatch, Kajarekar and Stolcke, "Within-class covariance normalization for SVM-based
speaker recognition", 2006), and a piece is the face whose mean lies nearest. What light and lens do
to all pieces of a photograph alike is learned apart: other pieces that lie there tell it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.capture.downscale import LEAST_SIDE, downscaled
from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.learn.augmentation import FLAT_ASTRAY, SOLID_ASTRAY, any_lighting, varied
from vision.learn.crops import AREA, Format, cut, turned
from vision.learn.descriptor import Figures, describe
from vision.learn.outline_agreement import agreeing
from vision.learn.quads import Quad, area, proportion
from vision.learn.within_class_variance import within_class_variance

Numbers = NDArray[np.int64]

_SAMPLES: Final = 1500  # about how many figures are learned from, whatever the set's size
_FEWEST: Final = 4  # variants of a piece, and
_MOST: Final = 24
_AXES: Final = 200
_SEED: Final = 5
_AROUND: Final = 0.15  # of a piece's extent: how much beyond it is kept of a photograph
_DETAIL: Final = 9  # times a crop's pixels: a finer photograph teaches nothing more


@dataclass(frozen=True, slots=True, eq=False)
class Specimen:
    """One piece of a photograph whose face is told, cut out of it.

    `quad` is where it lies in what was cut out, `place` where it lay in the photograph. Pieces
    of one fold were photographed together; folds are what is left out in turn when a set is
    examined on its own photographs. `sheet` tells the photographs of one fold that show several
    faces each apart, 0 for one that does not.
    """

    face: str
    pyramid: Pyramid
    quad: Quad
    place: Quad
    fold: int = 0
    sheet: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """What was learned of a set's faces.

    `middle` (D) and `axes` (D x K) bring a crop's figures to K whitened ones, in which
    `prototypes` (F x K) are the faces' means; `shared` (K) are the variances of what light and
    lens do to all pieces of a photograph, beside 1 for what is a piece's own; `usual` is how far,
    squared, half of the pieces lie from their own face at most; `solid` says that the pieces are
    dice.
    """

    faces: tuple[str, ...]
    size: Format
    middle: Figures
    axes: Figures
    prototypes: Figures
    shared: Figures
    usual: float
    solid: bool = False

    def placed(self, figures: Figures) -> Figures:
        """Where crops (N x D) lie among the faces, N x K."""
        return np.asarray((figures - self.middle) @ self.axes, np.float32)

    def distances(self, figures: Figures) -> Figures:
        """How far crops (N x D) lie from each face, N x F, in units of `usual`."""
        return self.apart(self.placed(figures), self.shared)

    def apart(self, placed: Figures, doubt: Figures) -> Figures:
        """How far places (N x K) lie from each face, N x F, in units of `usual`.

        `doubt` (K) is the variance of what is not known of the photograph's light.
        """
        scale = 1 / np.sqrt(1 + doubt)
        here, there = placed * scale, self.prototypes * scale
        squares = (here**2).sum(axis=1)[:, None] - 2 * here @ there.T + (there**2).sum(axis=1)
        return np.asarray(np.maximum(squares, 0) / self.usual, np.float32)

    def without(self, face: str) -> Likeness:
        """The same as if that face had no prototype."""
        kept = [at for at, each in enumerate(self.faces) if each != face]
        faces = tuple(self.faces[at] for at in kept)
        return replace(self, faces=faces, prototypes=self.prototypes[kept])


def specimen(image: Image, face: str, quad: Quad, fold: int = 0) -> Specimen:
    """The piece at a quad, cut out with a little of what lies around, so that photographs can go.

    It is made no larger than learning needs.
    """
    low, high = quad.min(axis=0), quad.max(axis=0)
    room = _AROUND * (high - low)
    left, top = (int(max(0, edge)) for edge in np.floor(low - room))
    right, bottom = (int(edge) for edge in np.ceil(high + room) + 1)
    part = image[top:bottom, left:right]
    shrink = min(1.0, (_DETAIL * AREA / max(area(quad), 1.0)) ** 0.5)
    moved = quad - np.array([left, top], np.float32)
    if shrink < 1:
        part = downscaled(part, max(LEAST_SIDE, round(max(part.shape[:2]) * shrink)))
        moved = (moved + 0.5) * shrink - 0.5
    return Specimen(face, Pyramid(np.ascontiguousarray(part)), moved.astype(np.float32), quad, fold)


def learn(specimens: Sequence[Specimen], *, solid: bool = False) -> Likeness:
    """Learn the faces of these specimens, of dice if solid; the same ones always teach the same.

    Raises:
        ValueError: there are fewer than two faces.
    """
    faces = tuple(dict.fromkeys(each.face for each in specimens))
    if len(faces) < 2:  # noqa: PLR2004 -- nothing to tell apart
        raise ValueError("a set has at least two faces")
    seen = float(np.median([proportion(each.quad) for each in specimens]))
    size = Format.of(1.0 if solid else seen)
    straight = upright(specimens, size)
    if solid:
        straight = _agreeing(straight, size)
    of = np.array([faces.index(each.face) for each in straight])
    figures = _variants(straight, size, SOLID_ASTRAY if solid else FLAT_ASTRAY)
    return replace(_learned(faces, size, figures, of, _sheets(straight)), solid=solid)


def _agreeing(specimens: Sequence[Specimen], size: Format) -> list[Specimen]:
    """Dice with outlines that agree on each face: of a side seen by chance nothing is learned."""
    quads = agreeing([(each.face, each.pyramid, each.quad) for each in specimens], size)
    return [replace(each, quad=quad) for each, quad in zip(specimens, quads, strict=True)]


def upright(specimens: Sequence[Specimen], size: Format) -> list[Specimen]:
    """The specimens with their corners turned so that all of one face lie the same way up.

    The first of each face says which way is up.
    """
    first: dict[str, Figures] = {}
    straight = []
    for each in specimens:
        ways = [turned(each.quad, turn) for turn in size.turns(each.quad)]
        seen = describe(cut(each.pyramid, ways, size))
        reference = first.setdefault(each.face, seen[0])
        best = int(np.argmin(((seen - reference) ** 2).sum(axis=1)))
        straight.append(replace(each, quad=ways[best]))
    return straight


def thumbnail(specimen: Specimen, size: Format) -> Image:
    """The piece laid flat, height x width x 3."""
    return np.asarray(cut(specimen.pyramid, [specimen.quad], size)[0], np.uint8)


def _variants(specimens: Sequence[Specimen], size: Format, astray: float) -> Figures:
    """Figures of every specimen as it is and under each of the same lights, S x V x D."""
    random = np.random.default_rng(_SEED)
    count = int(np.clip(_SAMPLES // len(specimens), _FEWEST, _MOST))
    lightings = [any_lighting(random) for _ in range(count)]
    figures = []
    for each in specimens:
        crops = cut(each.pyramid, [each.quad], size)
        others = varied(each.pyramid, each.quad, size, lightings, astray, random)
        figures.append(describe(np.concatenate([crops, others])))
    return np.stack(figures)


def _sheets(specimens: Sequence[Specimen]) -> Numbers:
    """The number of each specimen's photograph.

    Photographs of single pieces count as one: of what they share only the light that they were
    varied with is known.
    """
    told = [(each.fold, each.sheet) for each in specimens]
    numbers = {each: at for at, each in enumerate(dict.fromkeys(told))}
    return np.array([numbers[each] for each in told])


def _learned(
    faces: tuple[str, ...], size: Format, figures: Figures, of: Numbers, sheets: Numbers
) -> Likeness:
    count = figures.shape[1]
    flat, of = figures.reshape(-1, figures.shape[2]), np.repeat(of, count)
    middle = flat.mean(axis=0)
    axes = _main_axes(flat - middle)
    placed = (flat - middle) @ axes
    means = np.stack([placed[of == number].mean(axis=0) for number in range(len(faces))])
    astray = placed - means[of]
    photograph = (sheets[:, None] * count + np.arange(count)).ravel()
    seen = within_class_variance(astray, photograph)
    lone = ((astray @ seen.whitening) ** 2 / (1 + seen.shared)).sum(axis=1)
    return Likeness(
        faces,
        size,
        middle.astype(np.float32),
        (axes @ seen.whitening).astype(np.float32),
        (means @ seen.whitening).astype(np.float32),
        seen.shared.astype(np.float32),
        float(np.median(lone)),
    )


def _main_axes(centred: Figures) -> NDArray[np.float64]:
    """The directions in which the figures differ most, D x K."""
    wide = centred.astype(np.float64)
    variances, mixtures = np.linalg.eigh(wide @ wide.T)
    count = min(_AXES, len(centred) // 2)
    best = np.argsort(-variances)[:count]
    return np.asarray(wide.T @ mixtures[:, best] / np.sqrt(np.maximum(variances[best], 1e-12)))
