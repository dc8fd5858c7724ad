"""What distinguishes the faces of a set, learned from a few photographs of each.

Each photographed piece is varied as other lights and cameras would show it (`varied`), and
described by figures that light, white balance and a soft lens hardly change (`describe`): the ways
in which the edges of its print run, cell by cell, each cell relative to those around it (after
Dalal and Triggs, "Histograms of Oriented Gradients for Human Detection", 2005), in the logarithm of
the light, where a gain is only a sum; and its colours relative to the piece's own commonest part,
so that paper under a yellow lamp is still paper.

Directions are weighed by how little a face differs from itself along them (Hatch, Kajarekar and
Stolcke, "Within-class covariance normalization for SVM-based speaker recognition", 2006), and a
piece has the face of the nearest mean. A yellow lamp or a soft lens shifts all pieces of a
photograph equally, a misplaced corner shifts one: the two are learned separately, so that the other
pieces of a photograph reveal the first (after Kenny, Boulianne, Ouellet and Dumouchel, "Joint
Factor Analysis Versus Eigenchannels in Speaker Recognition", 2007).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import SMALLEST_SIDE, Image, Pyramid, downscaled
from vision.learn.quads import AREA, Format, Quad, area, cut, proportion, sides, turned

Random = np.random.Generator
# Of the shorter side: how far the corners of a found piece are off.
FLAT_ASTRAY: Final = 0.022
SOLID_ASTRAY: Final = 0.05  # which part of a die is its upper face is guessed, step by step


@dataclass(frozen=True, slots=True)
class Lighting:
    """A light and a lens: their common effect on all pieces of one photograph.

    `gamma`, `tints` (one a channel), `contrast` and `saturation` act on a picture of 0 to 1, `blur`
    is in pixels of a crop, `noise` its standard deviation.
    """

    gamma: float
    tints: tuple[float, float, float]
    contrast: float
    saturation: float
    blur: float
    noise: float


def any_lighting(random: Random) -> Lighting:
    """A random one, as another evening, lamp or camera may bring."""
    tints = np.exp(random.normal(0, [0.1, 0.03, 0.1]) + random.normal(0, 0.15))
    return Lighting(
        gamma=float(np.exp(random.normal(0, 0.16))),
        tints=(float(tints[0]), float(tints[1]), float(tints[2])),
        contrast=float(random.uniform(-0.2, 0.45)),
        saturation=float(np.exp(random.normal(0, 0.17))),
        blur=float(random.uniform(0, 1.3)),
        noise=float(random.uniform(0, 0.03)),
    )


def varied(  # noqa: PLR0913, PLR0917 -- a piece, and what is done to it
    pyramid: Pyramid,
    quad: Quad,
    size: Format,
    lightings: Sequence[Lighting],
    astray: float,
    random: Random,
) -> Image:
    """The piece at a quad under each lighting, N x height x width x 3.

    `astray` is the error of its corners, as a share of its shorter side.
    """
    reach = astray * min(sides(quad))
    quads = []
    for _ in lightings:  # the corners slightly off: together, and each alone
        off = random.normal(0, 0.6, (1, 2)) + random.normal(0, 0.8, (4, 2))
        quads.append(np.asarray(quad + off * reach, np.float32))
    crops = cut(pyramid, quads, size)
    return np.stack([_lit(*each, random) for each in zip(crops, lightings, strict=True)])


def _lit(crop: Image, how: Lighting, random: Random) -> Image:
    """Under another light and lens; each piece gets its own falloff of light."""
    across, down = np.linspace(-1, 1, crop.shape[1]), np.linspace(-1, 1, crop.shape[0])
    slope = random.normal(0, 0.1, 2)
    ramp = np.exp(slope[0] * across[None, :] + slope[1] * down[:, None])
    shown = (crop.astype(np.float32) / 255) ** how.gamma
    shown *= np.array(how.tints, np.float32) * ramp[..., None].astype(np.float32)
    steep = shown * shown * (3 - 2 * np.clip(shown, 0, 1))
    shown += how.contrast * (steep - shown)
    grey = shown.mean(axis=2, keepdims=True)
    shown = grey + how.saturation * (shown - grey)
    if how.blur > 0.3:  # noqa: PLR2004 -- pixels: less changes nothing
        shown = cv2.GaussianBlur(shown, (0, 0), how.blur)
    shown = shown + random.normal(0, how.noise, shown.shape)
    return np.asarray(np.clip(shown * 255, 0, 255), np.uint8)


Figures = NDArray[np.float32]

_TOE: Final = 0.05  # of full white: in the logarithm, noise would fill what is darker
_SOFT: Final = 0.8  # pixels of blur, and for colours
_SOFT_COLOUR: Final = 1.0
_CELL: Final = 4  # pixels
_WAYS: Final = 8
_AROUND: Final = 2.0  # cells
_FAINT: Final = 0.25  # of a piece's mean edge: what is fainter is not raised to full strength
_COLOUR_CELL: Final = 6
_COMMONEST: Final = (35, 65)  # percentiles of lightness: most of a piece is between them
_GREY: Final = 0.05  # a piece whose colours differ less has none


def describe(crops: Image) -> Figures:
    """The figures of crops (N x height x width x 3), N x D."""
    return np.stack([_figures(crop) for crop in crops])


def _figures(crop: Image) -> Figures:
    shown = np.asarray(crop, np.float32) / np.float32(255)
    # How strongly edges run in each of eight ways in each cell, relative to the cells around it
    strength, way = _gradient(np.log(cv2.GaussianBlur(shown, (0, 0), _SOFT) + _TOE))
    ways = []
    for number in range(_WAYS):
        # All of an edge belongs to the way that it runs, none from the next one on
        off = np.abs(way - np.float32(number))
        share = np.maximum(1 - np.minimum(off, _WAYS - off), 0).astype(np.float32)
        ways.append(_in_cells(strength * share))
    cells = np.stack(ways, axis=2)
    whole = np.sqrt((cells**2).sum(axis=2))
    around = cv2.GaussianBlur(whole, (0, 0), _AROUND) + _FAINT * whole.mean() + 1e-4
    edges = np.sqrt(np.maximum(cells / around[..., None], 0)).ravel().astype(np.float32)
    # both weigh the same, however many cells they have
    edges /= max(float(edges.std()), 1e-6) * edges.size**0.5
    return np.concatenate([edges, _colours(shown)]).astype(np.float32)


def _gradient(light: Figures) -> tuple[Figures, Figures]:
    """The steepest slope of the three colours at each pixel: strength and direction (0 to 8).

    Yellow on white is an edge in blue alone.
    """
    across, down = (
        cv2.Sobel(light, cv2.CV_32F, dx, 1 - dx, scale=1 / 8).reshape(-1, 3) for dx in (1, 0)
    )
    steep = np.hypot(across, down)
    rows, best = np.arange(len(steep)), steep.argmax(axis=1)
    way = np.arctan2(down[rows, best], across[rows, best]) % np.pi * (_WAYS / np.pi)
    size = light.shape[:2]
    return steep[rows, best].reshape(size), way.astype(np.float32).reshape(size)


def _in_cells(plane: Figures) -> Figures:
    """Each cell's mean, including some of its neighbours: a small shift changes little."""
    height, width = (max(2, round(side / _CELL)) for side in plane.shape)
    soft = cv2.GaussianBlur(np.ascontiguousarray(plane), (0, 0), _CELL / 2)
    cells = cv2.resize(soft, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cells, np.float32)


def _colours(shown: Figures) -> Figures:
    """The two colour contrasts to the piece's commonest part, by cell, normalised.

    Last comes the colour of that part itself: papers may differ, though lamps do too.
    """
    light = np.log(cv2.GaussianBlur(shown, (0, 0), _SOFT_COLOUR) + _TOE)
    blue, green, red = cv2.split(light)
    contrast = np.stack([red - green, blue - (red + green) / 2], axis=2)
    whole = light.mean(axis=2)
    low, high = np.percentile(whole, _COMMONEST)
    paper = np.median(contrast[(whole >= low) & (whole <= high)], axis=0)
    height, width = (max(2, side // _COLOUR_CELL) for side in whole.shape)
    cells = cv2.resize(contrast - paper, (width, height), interpolation=cv2.INTER_AREA)
    size = np.sqrt((cells**2).sum(axis=2).mean())
    around = np.asarray(cells / (size + _GREY), np.float32).ravel() / cells.size**0.5
    return np.concatenate([around, paper]).astype(np.float32)


Far = Callable[[Figures], Figures]  # how far crops' figures (N x D) are from what is sought, N

_STEPS: Final = (0.12, 0.05)  # of the shorter side
_TRIES: Final = 3  # moves by one step


def nearest_outline(pyramid: Pyramid, quad: Quad, size: Format, far: Far) -> Quad:
    """Move the quad while its distance by `far` falls; its first corner stays the first."""
    best, least = quad, far(describe(cut(pyramid, [quad], size)))[0]
    for step in _STEPS:
        for _ in range(_TRIES):
            moves = list(_moved(best, step * min(sides(quad))))
            distances = far(describe(cut(pyramid, moves, size)))
            at = int(distances.argmin())
            if distances[at] >= least:
                break
            best, least = moves[at], distances[at]
    return best


def _moved(quad: Quad, reach: float) -> Iterator[Quad]:
    """Each side, and each corner along each of its sides, outwards and inwards."""
    for side in range(4):
        along = np.roll(quad, -side, axis=0)
        for corners in ((0, 1), (0,), (1,)):
            for way in (reach, -reach):
                moved = along.copy()
                for corner in corners:
                    spoke = along[corner] - along[3 - corner]
                    moved[corner] += way * spoke / max(float(np.hypot(*spoke)), 1e-6)
                yield np.asarray(np.roll(moved, side, axis=0), np.float32)


_ROUNDS: Final = 3

Piece = tuple[str, Pyramid, Quad]  # its face, its picture, its place there: the right way up


def agreeing(pieces: Sequence[Piece], size: Format) -> list[Quad]:
    """The quads of the pieces, each moved to look most like the others of its face, if any."""
    quads = [quad for _, _, quad in pieces]
    for _ in range(_ROUNDS):
        crops = [cut(each[1], [quad], size) for each, quad in zip(pieces, quads, strict=True)]
        figures = describe(np.concatenate(crops))
        for at, (face, pyramid, _) in enumerate(pieces):
            others = [to for to, each in enumerate(pieces) if each[0] == face and to != at]
            if others:
                far = partial(_squares_from, figures[others].mean(axis=0))
                quads[at] = nearest_outline(pyramid, quads[at], size, far)
    return quads


def _squares_from(middle: Figures, figures: Figures) -> Figures:
    """Squared distances (N) from some figures (D), not whitened: nothing has been learned yet."""
    return np.asarray(((figures - middle) ** 2).sum(axis=1), np.float32)


Table = NDArray[np.float64]
_SHRINKAGE: Final = 0.05  # of the mean variance, added to every axis: few pieces show little spread


def within_class_variance(astray: Table, photograph: NDArray[np.int64]) -> tuple[Table, Table]:
    """The scatter of pieces (N x K, off their faces' means), each of a numbered photograph.

    Along the columns of the first (K x K) a piece's own variation is independent with variance 1;
    the second (K) are the variances common to all pieces of a photograph.
    """
    _, number, counts = np.unique(photograph, return_inverse=True, return_counts=True)
    sums = np.zeros((len(counts), astray.shape[1]))
    np.add.at(sums, number.ravel(), astray)
    drifts = sums / counts[:, None]
    rest = astray - drifts[number.ravel()]
    own = rest.T @ rest / max(len(astray) - len(counts), 1)
    # What makes that scatter (K x K), shrunk a little, the same in every direction
    shrunk = own + _SHRINKAGE * np.trace(own) / len(own) * np.eye(len(own))
    whitening = np.asarray(np.linalg.inv(np.linalg.cholesky(shrunk)).T)
    # Turned so that the drifts are independent, too: that leaves the pieces' own scatter round.
    # The noise is what the drifts owe to it.
    drifts, noise = drifts @ whitening, float((1 / counts).mean())
    variances, turn = np.linalg.eigh(drifts.T @ drifts / len(drifts))
    return whitening @ turn, np.maximum(variances - noise, 0)


Numbers = NDArray[np.int64]

_SAMPLES: Final = 1500  # about how many figures are learned from, whatever the set's size
_FEWEST: Final = 4  # variants of a piece, and
_MOST: Final = 24
_AXES: Final = 200
_SEED: Final = 5
_KEPT_AROUND: Final = 0.15  # of a piece's extent: how much beyond it is kept of a photograph
_DETAIL: Final = 9  # times a crop's pixels: a finer photograph teaches nothing more


@dataclass(frozen=True, slots=True, eq=False)
class Specimen:
    """One piece of known face, cut out of its photograph.

    `quad` is its outline in the crop, `place` in the photograph. Pieces of one fold were
    photographed together; folds are left out in turn when a set is examined on its own photographs.
    `sheet` numbers the photographs of one fold that show several faces each, 0 for one that does
    not.
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

    `middle` (D) and `axes` (D x K) map a crop's figures to K whitened ones, in which `prototypes`
    (F x K) are the faces' means; `shared` (K) are the variances that light and lens add to all
    pieces of a photograph, where a piece's own is 1; `usual` is the median squared distance of
    pieces from their own face; `solid`: the pieces are dice.
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
        """Positions of crops (N x D) among the faces, N x K."""
        return np.asarray((figures - self.middle) @ self.axes, np.float32)

    def distances(self, figures: Figures) -> Figures:
        """Distances of crops (N x D) from each face, N x F, in units of `usual`."""
        return self.apart(self.placed(figures), self.shared)

    def apart(self, placed: Figures, doubt: Figures) -> Figures:
        """Distances of positions (N x K) from each face, N x F, in units of `usual`.

        `doubt` (K) is the variance of the estimate of the photograph's light.
        """
        scale = 1 / np.sqrt(1 + doubt)
        here, there = placed * scale, self.prototypes * scale
        squares = (here**2).sum(axis=1)[:, None] - 2 * here @ there.T + (there**2).sum(axis=1)
        return np.asarray(np.maximum(squares, 0) / self.usual, np.float32)

    def without(self, face: str) -> Likeness:
        """A copy without that face's prototype."""
        kept = [at for at, each in enumerate(self.faces) if each != face]
        faces = tuple(self.faces[at] for at in kept)
        return replace(self, faces=faces, prototypes=self.prototypes[kept])


def specimen(image: Image, face: str, quad: Quad, fold: int = 0) -> Specimen:
    """Cut out the piece at a quad with a margin, as large as learning needs."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    around = _KEPT_AROUND * (high - low)
    left, top = (int(max(0, edge)) for edge in np.floor(low - around))
    right, bottom = (int(edge) for edge in np.ceil(high + around) + 1)
    part = image[top:bottom, left:right]
    shrink = min(1.0, (_DETAIL * AREA / max(area(quad), 1.0)) ** 0.5)
    moved = quad - np.array([left, top], np.float32)
    if shrink < 1:
        part = downscaled(part, max(SMALLEST_SIDE, round(max(part.shape[:2]) * shrink)))
        moved = (moved + 0.5) * shrink - 0.5
    return Specimen(face, Pyramid(np.ascontiguousarray(part)), moved.astype(np.float32), quad, fold)


def learn(specimens: Sequence[Specimen], *, solid: bool = False) -> Likeness:
    """Learn the faces of these specimens, of dice if solid; deterministic.

    Raises ValueError: there are fewer than two faces.
    """
    faces = tuple(dict.fromkeys(each.face for each in specimens))
    if len(faces) < 2:  # noqa: PLR2004 -- nothing to tell apart
        raise ValueError("a set has at least two faces")
    seen = float(np.median([proportion(each.quad) for each in specimens]))
    size = Format.of(1.0 if solid else seen)
    straight = upright(specimens, size)
    if solid:  # of a side seen by chance nothing is learned
        quads = agreeing([(each.face, each.pyramid, each.quad) for each in straight], size)
        pairs = zip(straight, quads, strict=True)
        straight = [replace(each, quad=quad) for each, quad in pairs]
    of = np.array([faces.index(each.face) for each in straight])
    figures = _variants(straight, size, SOLID_ASTRAY if solid else FLAT_ASTRAY)
    # The number of each specimen's photograph. Those of single pieces count as one: of what they
    # share only the light that they were varied with is known
    photographs = [(each.fold, each.sheet) for each in straight]
    numbers = {each: at for at, each in enumerate(dict.fromkeys(photographs))}
    sheets = np.array([numbers[each] for each in photographs])
    return replace(_learned(faces, size, figures, of, sheets), solid=solid)


def upright(specimens: Sequence[Specimen], size: Format) -> list[Specimen]:
    """Turn the corners of each specimen so that all of one face are the same way up.

    The first of each face decides which way is up.
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
    """Figures of every specimen, unchanged and under each of the same lights, S x V x D."""
    random = np.random.default_rng(_SEED)
    count = int(np.clip(_SAMPLES // len(specimens), _FEWEST, _MOST))
    lightings = [any_lighting(random) for _ in range(count)]
    figures = []
    for each in specimens:
        crops = cut(each.pyramid, [each.quad], size)
        others = varied(each.pyramid, each.quad, size, lightings, astray, random)
        figures.append(describe(np.concatenate([crops, others])))
    return np.stack(figures)


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
    whitening, shared = within_class_variance(astray, photograph)
    lone = ((astray @ whitening) ** 2 / (1 + shared)).sum(axis=1)
    return Likeness(
        faces,
        size,
        middle.astype(np.float32),
        (axes @ whitening).astype(np.float32),
        (means @ whitening).astype(np.float32),
        shared.astype(np.float32),
        float(np.median(lone)),
    )


def _main_axes(centred: Figures) -> NDArray[np.float64]:
    """The directions in which the figures differ most, D x K."""
    wide = centred.astype(np.float64)
    variances, mixtures = np.linalg.eigh(wide @ wide.T)
    count = min(_AXES, len(centred) // 2)
    best = np.argsort(-variances)[:count]
    return np.asarray(wide.T @ mixtures[:, best] / np.sqrt(np.maximum(variances[best], 1e-12)))
