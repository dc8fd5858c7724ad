"""Tiles and cards as a camera sees them, from their notation."""

from __future__ import annotations

from collections.abc import Mapping

from scoreboard.message import Message
from scoreboard.table.proposal import Point, Proposal, SeenPiece
from tests.scoreboard.table.fakes import EVENING

WIDTH, HEIGHT, STEP = 30.0, 42.0, 60.0


def seen(
    table: str,
    *,
    frame: int = 1,
    doubts: tuple[Message, ...] = (),
    unsure: Mapping[str, tuple[str, ...]] | None = None,
    inferred: frozenset[str] = frozenset(),
) -> Proposal:
    """The reading of sets with commas between them, a set a line of the picture.

    `unsure` names labels of little confidence with what else they may be.
    """
    rows = [row.split() for row in table.split(",")]
    pieces = tuple(
        _piece(label, _quad(column, line * STEP), dict(unsure or {}), inferred)
        for line, row in enumerate(rows)
        for column, label in enumerate(row)
    )
    sets, first = [], 0
    for row in rows:
        sets.append(tuple(range(first, first + len(row))))
        first += len(row)
    return Proposal(
        sightings=(),
        confidence=0.9,
        frame=frame,
        width=800,
        height=600,
        seen_at=EVENING,
        doubts=doubts,
        pieces=pieces,
        sets=tuple(each for each in sets if each),
    )


def _piece(
    label: str,
    quad: tuple[Point, ...],
    unsure: dict[str, tuple[str, ...]],
    inferred: frozenset[str],
) -> SeenPiece:
    others = unsure.get(label, ())
    readings = ((label, 0.6), *((other, 0.2) for other in others))
    confidence = 0.6 if others else 0.99
    return SeenPiece(label, confidence, quad, readings, label in inferred)


def _quad(column: int, top: float) -> tuple[Point, ...]:
    left = 20.0 + column * WIDTH
    right, bottom = left + WIDTH, top + HEIGHT
    return ((left, top), (right, top), (right, bottom), (left, bottom))
