"""The readings of one frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot, sqrt
from typing import Final, Protocol

from scoreboard.dice import Roll
from scoreboard.message import Message, message
from vision.capture.frame import Frame

UNREADABLE: Final = "?"
Box = tuple[float, float, float, float]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Detection:
    """One piece as seen.

    `label` is the piece's notation (a die: "1" to "6") or "?" when it cannot be read; `confidence`
    is the estimated probability that the label is right, 0 to 1; `box` is left, top, right, bottom
    of the whole visible piece in pixels of the upright picture; `angle` is the top face's turn,
    degrees clockwise in [-45, 45).

    `chances` are a die's probabilities of no readable top face and of 1 to 6, `leaning` that of
    being cocked (YZ-5), if the recogniser gives them.

    A tile's or a card's `angle` is in [0, 360), and `quad` has its corners clockwise from its top
    left; `readings` are its likeliest labels with their probabilities, best first; `inferred`: the
    rules settled what the reader could not.

    `sharpness` compares one piece in several frames: its mean detail in grey levels, made small; 0
    if unmeasured. `doubt`: why this piece may be misread, one of the observation's doubts.
    """

    label: str
    confidence: float
    box: Box
    angle: float
    chances: tuple[float, ...] = ()
    leaning: float = 0.0
    quad: tuple[Point, ...] = ()
    readings: tuple[tuple[str, float], ...] = ()
    inferred: bool = False
    sharpness: float = 0.0
    doubt: Message | None = None


@dataclass(frozen=True, slots=True)
class SeenSet:
    """Tiles next to each other, judged by the rules.

    `indices` are their places among the detections, `pieces` their notation, "?" for an unknown
    one. `rule` makes the set legal, or is the first that it breaks; both it and `legal` are None if
    a tile is unknown.
    """

    indices: tuple[int, ...]
    pieces: tuple[str, ...]
    legal: bool | None
    rule: str | None


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything that one recogniser saw in one frame; "no dice" is an empty observation.

    `frame` is the frame's sequence number, `recogniser` its name in RECOGNISERS, `doubts` are
    messages to the player about possible misreadings. `sets` are the sets of tiles, in reading
    order; dice have none. `hindrance`: why nothing can be read at all, such as untaught cards.
    `maybe` may be pieces too, of which the doubts ask.
    """

    frame: int
    recogniser: str
    detections: tuple[Detection, ...] = ()
    doubts: tuple[Message, ...] = ()
    sets: tuple[SeenSet, ...] = ()
    hindrance: Message | None = None
    maybe: tuple[Detection, ...] = ()

    @property
    def needs_review(self) -> bool:
        return bool(self.doubts)

    @property
    def roll(self) -> Roll:
        """The readable dice, ascending."""
        faces = (int(seen.label) for seen in self.detections if seen.label != UNREADABLE)
        return Roll(tuple(sorted(faces)))

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(seen.label for seen in self.detections)


def distance(first: Box, second: Box) -> float:
    """The distance of the middles of two boxes, in pixels."""
    across = (first[0] + first[2] - second[0] - second[2]) / 2
    down = (first[1] + first[3] - second[1] - second[3]) / 2
    return hypot(across, down)


def side(box: Box) -> float:
    """The side of a square as large as the box, in pixels."""
    return sqrt(max(0.0, (box[2] - box[0]) * (box[3] - box[1])))


def scaled(reading: Observation, scale: float) -> Observation:
    """The reading in the pixels of a picture that many times as large."""

    def placed(each: Detection) -> Detection:
        left, top, right, bottom = (scale * edge for edge in each.box)
        quad = tuple((scale * x, scale * y) for x, y in each.quad)
        return replace(each, box=(left, top, right, bottom), quad=quad)

    return replace(reading, detections=tuple(map(placed, reading.detections)))


class Recogniser(Protocol):
    """Reads the pieces in a frame; the same frame always gives the same observation.

    A frame without pieces gives an empty observation, never an error. A piece whose face cannot be
    read is reported with the label "?" and a doubt. `expected` is the known number of pieces in the
    frame, or None; a reader may ignore it.
    """

    @property
    def name(self) -> str:
        """Its name in RECOGNISERS."""

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        """Read one frame."""


NO_DICE: Final = message(
    "I see no dice with pips here: is that right? If not, take the photo from nearer, or in light."
)
NO_PIECES: Final = message(
    "I see nothing here: is that right? If not, take the photo from nearer, or in light."
)


def read_photo(recognise: Recogniser, frame: Frame, expected: int | None = None) -> Observation:
    """Read an uploaded photo: doubt it if nothing is found.

    A table at rest may be empty, but people don't photograph empty tables.
    """
    found = recognise(frame, expected)
    if found.detections or found.hindrance:
        return found
    nothing = NO_DICE if found.recogniser == "dice" else NO_PIECES
    return replace(found, doubts=(nothing, *found.doubts))
