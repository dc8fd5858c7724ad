"""Reads the pieces of a taught set in a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from scoreboard.games.rummikub.tiles import COLOURS, JOKER, NUMBERS, Tile
from scoreboard.games.tongtong.cards import CARD_COLOURS, deck
from scoreboard.message import Message, message
from vision.capture.frame import Frame, Image, PlayArea, Pyramid
from vision.learn.piece_finder import FoundPiece, candidates, top_faces
from vision.learn.prototypes import Figures, Likeness, describe, nearest_outline
from vision.learn.quads import Format, Quad, area, covered, cut, in_reading_order, is_shaped, turned
from vision.learn.taught_sets import TaughtSet
from vision.read.observation import UNREADABLE, Detection, Observation


def aligned(pyramid: Pyramid, quad: Quad, likeness: Likeness) -> Quad:
    """Fit the quad to its nearest face; its first corner stays the first."""
    size = likeness.size
    return nearest_outline(pyramid, quad, size, lambda seen: likeness.distances(seen).min(axis=1))


_ROUNDS: Final = 3


def distances_together(figures: Figures, likeness: Likeness) -> Figures:
    """Distances of one photograph's crops (N x D) from each face, N x F, as in `distances`.

    The shared offset of a photograph's pieces is subtracted: the mean distance of the others from
    their likely faces, as far as the set's photographs are known to drift. No piece counts for
    itself, so a lone one is judged as by `distances`.
    """
    placed = likeness.placed(figures)
    apart = likeness.apart(placed, likeness.shared)
    for _ in range(_ROUNDS if len(placed) > 1 else 0):
        # The distances once more, by the drift that the last ones show
        nearest = np.sort(apart, axis=1)
        weights = 1 - nearest[:, 0] / np.maximum(nearest[:, 1], 1e-9)  # doubtful ones weigh little
        astray = (placed - likeness.prototypes[apart.argmin(axis=1)]) * weights[:, None]
        known = likeness.shared / (1 + (weights.sum() - weights)[:, None] * likeness.shared)
        drift = (astray.sum(axis=0) - astray) * known
        rows = zip(placed - drift, known, strict=True)
        apart = np.concatenate([likeness.apart(place[None], doubt) for place, doubt in rows])
    return apart


STRANGE: Final = 6.0  # times the usual distance from every face: no piece of the set
_FAINT: Final = 4.0  # times it: perhaps a piece of another set
_DIVIDED: Final = 0.7  # of the second face's distance: nearer ones differ only by chance
_STEEP: Final = 9.0
_EVEN: Final = 0.82


@dataclass(frozen=True, slots=True)
class PieceVerdict:
    """The reading of one piece.

    `face` is the nearest face and `rival` the next; `distance` is in units of the set's usual one;
    `confidence` is the estimated probability that the face is right, 0 to 1; `strange`: it is no
    face of the set; `divided`: the two are too close to call; `faint`: it looks little like either.
    """

    face: str
    rival: str
    distance: float
    confidence: float
    strange: bool
    divided: bool
    faint: bool

    @property
    def sure(self) -> bool:
        """Whether it needs no check by a person."""
        return not (self.strange or self.divided or self.faint)


def judge(faces: tuple[str, ...], distances: Figures) -> PieceVerdict:
    """Judge a piece by its distances from each face (F of them, at least two)."""
    order = np.argsort(distances, kind="stable")
    first, second = (float(distances[at]) for at in order[:2])
    closeness = first / max(second, 1e-9)
    strange = first > STRANGE
    # Nearly 1 for a piece close to one face alone, a half where the next is as close
    apart = 1 / (1 + np.exp(-_STEEP * (_EVEN - closeness)))
    near = 1 / (1 + np.exp(2 * (first - STRANGE)))
    return PieceVerdict(
        face=faces[order[0]],
        rival=faces[order[1]],
        distance=first,
        confidence=0.0 if strange else float(np.clip(apart * near, 0.0, 1.0)),
        strange=strange,
        divided=not strange and closeness > _DIVIDED,
        faint=not strange and first > _FAINT,
    )


_APART: Final = 0.25  # of the smaller: pieces cover each other no more
_CLEAR: Final = 0.6  # the rim of a stranger that has the set's shape
_CLEARER: Final = 0.85  # and of one that has not
_SMALLER: Final = 0.45  # than the set's pieces in the picture: no piece
_LARGER: Final = 2.2


@dataclass(frozen=True, slots=True, eq=False)
class ReadPiece:
    """A piece and its verdict; `quad` begins at the top left of the face as it was taught."""

    quad: Quad
    verdict: PieceVerdict


CARD_FACES: Final = tuple(map(str, deck(CARD_COLOURS)))
TILE_COLOURS: Final = frozenset(COLOURS)
# The names of Rummikub's faces in a set of one's own, colour by colour, the joker last.
TILE_FACES: Final = (*(str(Tile(one, number)) for one in COLOURS for number in NUMBERS), str(JOKER))


def is_tile_set(faces: Sequence[str]) -> bool:
    """Whether these include all faces of a set for Rummikub."""
    return set(faces) >= {*TILE_FACES}


def read_pieces(
    image: Image, likeness: Likeness, within: PlayArea | None = None
) -> list[ReadPiece]:
    """Every piece in the picture, those of the set first; also clear strangers.

    With a play area, only those `within` it.
    """
    found = shapes(image, solid=likeness.solid)
    if within is not None:
        middles = (each.quad.mean(axis=0) for each in found)
        inside = [within.holds(float(x), float(y), image.shape) for x, y in middles]
        found = [each for each, is_in in zip(found, inside, strict=True) if is_in]
    return read_found(image, found, likeness)


def shapes(image: Image, *, solid: bool) -> list[FoundPiece]:
    """Everything that may be a face; of dice also each die's top as seen from several sides."""
    flat = candidates(image)
    return [*flat, *(found for faces in top_faces(image) for found in faces)] if solid else flat


def read_found(image: Image, found: Sequence[FoundPiece], likeness: Likeness) -> list[ReadPiece]:
    """Read shapes that were found before, as `read_pieces` does."""
    pyramid = Pyramid(image)
    read = read_quads(pyramid, likeness, [each.quad for each in found])
    order = sorted(range(len(found)), key=lambda at: read[at].verdict.distance)
    known = _distinct([read[at] for at in order if not read[at].verdict.strange])
    if known:  # without what is far smaller or larger than most: part of a piece, or several
        middle = float(np.median([area(each.quad) for each in known]))
        known = [each for each in known if _SMALLER < area(each.quad) / middle < _LARGER]

    def standing(at: int) -> float:
        """Which of overlapping shapes is the piece: a clear, large one, best of the set's shape."""
        shaped = 0.5 if is_shaped(found[at].quad, likeness.size.proportion) else 0.0
        return found[at].standing + shaped

    strangers = [
        read[at]
        for at in sorted(order, key=standing, reverse=True)
        if read[at].verdict.strange and _is_piece(found[at], likeness.size, known)
    ]
    pieces = [_outlined(pyramid, each, likeness) for each in _distinct([*known, *strangers])]
    return _judged_together(pyramid, pieces, likeness)


def _judged_together(
    pyramid: Pyramid, pieces: Sequence[ReadPiece], likeness: Likeness
) -> list[ReadPiece]:
    """The pieces of a photograph, each judged again by the light of the others.

    Another face that only the others suggest is doubted: a few may mislead each other.
    """
    known = [each for each in pieces if not each.verdict.strange]
    if not known:
        return list(pieces)
    figures = describe(cut(pyramid, [each.quad for each in known], likeness.size))
    again = []
    for one, apart in zip(known, distances_together(figures, likeness), strict=True):
        verdict = judge(likeness.faces, apart)
        divided = verdict.divided or verdict.face != one.verdict.face
        faint = verdict.faint or verdict.strange or one.verdict.faint
        again.append(
            replace(one, verdict=replace(verdict, strange=False, divided=divided, faint=faint))
        )
    return [*again, *(each for each in pieces if each.verdict.strange)]


def _outlined(pyramid: Pyramid, piece: ReadPiece, likeness: Likeness) -> ReadPiece:
    """A piece that looks like no face, read along its likeliest outline: it stays doubted.

    Moving corners until a piece looks like a face may move them too far.
    """
    if not (piece.verdict.strange or piece.verdict.faint):
        return piece
    (read,) = read_quads(pyramid, likeness, [aligned(pyramid, piece.quad, likeness)])
    return replace(read, verdict=replace(read.verdict, faint=not read.verdict.strange))


def read_quads(pyramid: Pyramid, likeness: Likeness, quads: Sequence[Quad]) -> list[ReadPiece]:
    """The reading of the piece at each quad, the likeliest way up."""
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
    """Those that cover no earlier one."""
    kept: list[ReadPiece] = []
    for each in pieces:
        if all(covered(each.quad, other.quad) < _APART for other in kept):
            kept.append(each)
    return kept


def _is_piece(found: FoundPiece, size: Format, known: Sequence[ReadPiece]) -> bool:
    """Whether a shape that is no face of the set may still be a piece."""
    if known:
        middle = float(np.median([area(each.quad) for each in known]))
        if not _SMALLER < area(found.quad) / middle < _LARGER:
            return False
    return found.clear > (_CLEAR if is_shaped(found.quad, size.proportion) else _CLEARER)


PREFIX: Final = "taught:"  # before a set's name, where the kind of pieces is named


class TaughtRecogniser:
    """Reads a taught set's pieces, in reading order; keeps the promise of `Recogniser`.

    A piece of no face of the set has the label "?"; its quad begins at any corner.
    """

    def __init__(self, taught: TaughtSet) -> None:
        self._taught = taught
        self.name = f"{PREFIX}{taught.name}"

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:  # noqa: ARG002
        read = read_pieces(frame.image, self._taught.likeness, frame.area)
        pieces = [read[at] for at in in_reading_order([each.quad for each in read])]
        return Observation(
            frame=frame.sequence,
            recogniser=self.name,
            detections=tuple(detection_of(each) for each in pieces),
            doubts=tuple(doubts_about(pieces, self._taught)),
        )


def detection_of(piece: ReadPiece) -> Detection:
    """The detection that reports a piece."""
    verdict, quad = piece.verdict, piece.quad
    left, top = (float(edge) for edge in quad.min(axis=0))
    right, bottom = (float(edge) for edge in quad.max(axis=0))
    # How far the piece is turned clockwise from upright, degrees in [0, 360)
    across = (quad[1] - quad[0]) + (quad[2] - quad[3])
    rest = min(verdict.confidence, 1 - verdict.confidence)
    nearest = ((verdict.face, verdict.confidence), (verdict.rival, rest))
    return Detection(
        label=UNREADABLE if verdict.strange else verdict.face,
        confidence=verdict.confidence,
        box=(left, top, right, bottom),
        angle=round(float(np.degrees(np.arctan2(across[1], across[0]))) % 360, 1),
        quad=tuple((float(x), float(y)) for x, y in quad),
        readings=() if verdict.strange else nearest,
    )


def untrusted(taught: TaughtSet) -> Message:
    """The question at every reading with a set that has not passed its test."""
    return message("The set “{name}” has not passed its test: check every piece.", name=taught.name)


def doubts_about(pieces: Sequence[ReadPiece], taught: TaughtSet) -> Iterator[Message]:
    """The doubts about the reading of these pieces."""
    if pieces and not taught.trusted:
        yield untrusted(taught)
    strange = sum(each.verdict.strange for each in pieces)
    if strange == 1:
        yield message("A piece is not of the set “{name}”.", name=taught.name)
    elif strange:
        yield message(
            "{count} pieces are not of the set “{name}”.", count=strange, name=taught.name
        )
    for verdict in (each.verdict for each in pieces):
        face, rival = verdict.face, verdict.rival
        if verdict.divided:
            yield message("A piece may be {face} or {rival}: look at it.", face=face, rival=rival)
        elif verdict.faint:
            yield message("A piece looks only a little like {face}: look at it.", face=face)
