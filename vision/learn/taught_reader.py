"""Reads the pieces of a set that was taught."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from scoreboard.message import Message, message
from vision.capture.frame import Frame
from vision.learn.piece_reader import ReadPiece, read_pieces
from vision.learn.quads import Quad, in_reading_order
from vision.learn.taught_set import TaughtSet
from vision.learn.verdict import Verdict
from vision.read.observation import UNREADABLE, Detection, Observation

PREFIX: Final = "taught:"  # before a set's name, where the kind of pieces is named


class TaughtRecogniser:
    """Reads a taught set's pieces, in reading order; keeps the promise of `Recogniser`.

    A piece that is of no face of the set has the label "?"; its quad begins at whatever corner.
    """

    def __init__(self, taught: TaughtSet) -> None:
        self._taught = taught

    @property
    def name(self) -> str:
        """`taught:` and the set's name."""
        return f"{PREFIX}{self._taught.name}"

    def __call__(self, frame: Frame) -> Observation:
        """Read one frame."""
        read = read_pieces(frame.image, self._taught.likeness)
        pieces = [read[at] for at in in_reading_order([each.quad for each in read])]
        return Observation(
            frame=frame.sequence,
            recogniser=self.name,
            detections=tuple(_detection(each) for each in pieces),
            doubts=tuple(_doubts(pieces, self._taught)),
        )


def _detection(piece: ReadPiece) -> Detection:
    verdict, quad = piece.verdict, piece.quad
    left, top = (float(edge) for edge in quad.min(axis=0))
    right, bottom = (float(edge) for edge in quad.max(axis=0))
    return Detection(
        label=UNREADABLE if verdict.strange else verdict.face,
        confidence=verdict.confidence,
        box=(left, top, right, bottom),
        angle=_angle(quad),
        quad=tuple((float(x), float(y)) for x, y in quad),
        readings=_readings(verdict),
    )


def _readings(verdict: Verdict) -> tuple[tuple[str, float], ...]:
    """The two nearest faces; a stranger has none."""
    if verdict.strange:
        return ()
    rest = min(verdict.confidence, 1 - verdict.confidence)
    return ((verdict.face, verdict.confidence), (verdict.rival, rest))


def _angle(quad: Quad) -> float:
    """How far the piece is turned clockwise from upright, degrees in [0, 360)."""
    across = (quad[1] - quad[0]) + (quad[2] - quad[3])
    return round(float(np.degrees(np.arctan2(across[1], across[0]))) % 360, 1)


def _doubts(pieces: Sequence[ReadPiece], taught: TaughtSet) -> Iterator[Message]:
    if pieces and not taught.trusted:
        yield message(
            "The set “{name}” has not passed its test: check every piece.", name=taught.name
        )
    strange = sum(each.verdict.strange for each in pieces)
    if strange == 1:
        yield message("A piece is not of the set “{name}”.", name=taught.name)
    elif strange:
        yield message(
            "{count} pieces are not of the set “{name}”.", count=strange, name=taught.name
        )
    for each in pieces:
        yield from _doubts_about(each)


def _doubts_about(piece: ReadPiece) -> Iterator[Message]:
    verdict = piece.verdict
    if verdict.divided:
        yield message(
            "A piece may be {face} or {rival}: look at it.", face=verdict.face, rival=verdict.rival
        )
    elif verdict.faint:
        yield message("A piece looks only a little like {face}: look at it.", face=verdict.face)
