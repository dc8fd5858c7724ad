"""Readings without a network, in the notation of `tile_eyes`, and limits for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from scoreboard.games.rummikub.tiles import COLOURS
from vision.read.confidence import Thresholds
from vision.read.detection import Candidate
from vision.read.tile_readings import TileReading
from vision.read.tile_rules import PieceLikelihoods, ResolvedTile

SURE: Final = 0.9
_JOKER: Final = 14
_SPOKEN: Final = re.compile(r"([KRBO/]+)([\dJ/]+)(?:@(\d+))?")
_BLANK: Final = re.compile(r"\?(?:J(\d+))?")
_REST: Final = 0.04  # of what is not the first reading goes to none of those told


def eyes(text: str) -> list[PieceLikelihoods]:
    """What the eye says of each tile."""
    return [eye(each) for each in text.replace(",", " ").split()]


def eye(text: str) -> PieceLikelihoods:
    """What the eye says of one tile."""
    if told := _BLANK.fullmatch(text):
        joker = int(told[1] or 0) / 100
        return PieceLikelihoods(_shares({0: 0.96 - joker, _JOKER: joker}, 15), (0.25,) * 4)
    if text == "J":
        return PieceLikelihoods(_shares({_JOKER: 0.99}, 15), (0.25,) * 4)
    told = _SPOKEN.fullmatch(text)
    assert told, text
    inks = [COLOURS.index(each) for each in COLOURS if each in told[1]]
    inks.sort(key=lambda at: told[1].index(COLOURS[at]))
    kinds = [_JOKER if each == "J" else int(each) for each in told[2].split("/")]
    first = int(told[3] or 60) / 100
    doubtful = bool(told[3]) or len(kinds) > 1
    return PieceLikelihoods(_alternatives(kinds, 15, first, doubtful=doubtful), _inks(inks, first))


def _inks(inks: Sequence[int], first: float) -> tuple[float, ...]:
    return _alternatives(inks, 4, first, doubtful=len(inks) > 1)


def _alternatives(
    told: Sequence[int], size: int, first: float, *, doubtful: bool
) -> tuple[float, ...]:
    if not doubtful:
        return _shares({told[0]: 0.995}, size)
    second = max(0.0, 1 - _REST - first)
    return _shares(dict(zip(told, (first, second), strict=False)), size)


def _shares(told: dict[int, float], size: int) -> tuple[float, ...]:
    """These probabilities, and the rest even."""
    rest = (1 - sum(told.values())) / (size - len(told))
    return tuple(told.get(at, rest) for at in range(size))


def rows(text: str) -> tuple[tuple[int, ...], ...]:
    """The sets of the tiles so written."""
    places = iter(range(len(text)))
    return tuple(tuple(next(places) for _ in row.split()) for row in text.split(","))


def answer(chances: Sequence[PieceLikelihoods], settled: Sequence[ResolvedTile]) -> str:
    """What was settled, in notation."""
    return " ".join(_answers(chances, settled))


def _answers(chances: Sequence[PieceLikelihoods], settled: Sequence[ResolvedTile]) -> Iterator[str]:
    for each, told in zip(chances, settled, strict=True):
        doubtful = not told.inferred and each.confidence < SURE
        mark = "*" if told.inferred else "!" if told.disputed else "~" if doubtful else ""
        yield "?" if told.piece is None else f"{told.piece}{mark}"


LIMITS = Thresholds(
    bias=0.0,
    finder=0.5,
    reader=0.5,
    face=0.0,
    size=0.0,
    offset=0.0,
    slope=1.0,
    candidate=0.1,
    present=0.5,
    absent=0.3,
    sure=0.8,
    readable=0.4,
    smallest_pixels=12.0,
    smallest_share=0.012,
)
WIDTH, LENGTH = 60.0, 86.0
INKS = ((-1.8, -1.6, -1.5), (-1.2, -1.3, -0.2), (-0.3, -0.8, -1.9), (-1.1, -0.4, -0.1))
MIDDLE = Candidate(0.95, 200.0, 150.0, WIDTH, LENGTH, 0.0)


def reading(text: str, spot: Candidate = MIDDLE, present: float = 0.99) -> TileReading:
    """A tile there that the reader takes for what is written."""
    chances = eye(text)
    ink = INKS[int(np.argmax(chances.inks))]
    return TileReading(spot, chances.kinds, chances.inks, 0.0, present, ink)


def lying(text: str) -> list[TileReading]:
    """Tiles side by side, upright; commas part the rows, which lie one below the other."""
    return [
        reading(
            told, Candidate(0.95, 100 + WIDTH * across, 100 + 2 * LENGTH * down, WIDTH, LENGTH, 0)
        )
        for down, row in enumerate(text.split(","))
        for across, told in enumerate(row.split())
    ]
