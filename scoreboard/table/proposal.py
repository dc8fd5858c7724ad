"""What the camera sees of the table: how well, and which pieces."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final

from scoreboard.dice import Roll
from scoreboard.message import Message

Box = tuple[float, float, float, float]
Point = tuple[float, float]
UNREAD: Final = "?"


def corners(box: Box | None) -> tuple[Point, ...]:
    """The corners of a box, clockwise from the left one of its top; none without a box."""
    if box is None:
        return ()
    left, top, right, bottom = box
    return (left, top), (right, top), (right, bottom), (left, bottom)


@dataclass(frozen=True, slots=True)
class TableDie:
    """A die on the table, as the camera read it or a person corrected it.

    `face` is 1 to 6, None when it cannot be read. `box` is left, top, right, bottom in pixels of
    the frame, None if its place is unknown. `angle` is in degrees clockwise, in [-45, 45);
    `confidence` 0 to 1; `corrected` when a person entered its face; `doubt` why it may be misread.
    """

    face: int | None
    box: Box | None = None
    angle: float = 0.0
    confidence: float = 1.0
    corrected: bool = False
    doubt: Message | None = None

    @property
    def value(self) -> int:
        return self.face or 0

    @property
    def placed(self) -> TableDie:
        """Only its face and place, however they were found."""
        return TableDie(self.face, self.box, self.angle)


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """One tile or card as the camera saw it.

    `label` is its notation, UNREAD when it cannot be read; `quad` has its corners in pixels of
    the frame, clockwise from the left one of its top; `readings` are the likeliest notations
    with their probabilities, best first; `inferred`: the rules imply it.
    """

    label: str
    confidence: float
    quad: tuple[Point, ...]
    readings: tuple[tuple[str, float], ...] = ()
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """A reading of the table at rest, waiting for a person.

    `sightings` are all dice seen, `confidence` the probability that all of them are read right,
    `frame` the number under which the picture is kept, `width` and `height` the picture's size in
    pixels, `seen_at` aware UTC, `doubts` what a person should check. In games without dice `pieces`
    were seen instead; `sets` are the indices of those grouped together. `photo`: it was read from a
    single photo, whose number `frame` stays the same however often it is read. `maybe` may be dice
    too, of which the doubts ask.
    """

    sightings: tuple[TableDie, ...]
    confidence: float
    frame: int
    width: int
    height: int
    seen_at: datetime
    doubts: tuple[Message, ...] = ()
    pieces: tuple[SeenPiece, ...] = ()
    sets: tuple[tuple[int, ...], ...] = ()
    photo: bool = False
    maybe: tuple[TableDie, ...] = ()

    @property
    def roll(self) -> Roll:
        """The readable faces, ascending."""
        return Roll(tuple(sorted(die.face for die in self.sightings if die.face is not None)))


class Light(Enum):
    """The traffic light of the table's health."""

    GREEN = "green"  # all is well
    AMBER = "amber"  # reading goes on, with something to mend
    RED = "red"  # nothing is proposed until it is mended


@dataclass(frozen=True, slots=True)
class Health:
    """How well the table can be seen, and a cure for each fault; green has none."""

    light: Light
    reasons: tuple[Message, ...] = ()


HEALTHY: Final = Health(Light.GREEN)
