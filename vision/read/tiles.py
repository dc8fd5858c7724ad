"""The tile reader: finds every Rummikub tile in a picture, whichever way it lies, and reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from scoreboard.games.rummikub.box import CLASSIC, Box
from scoreboard.games.rummikub.sets import LEAST
from scoreboard.message import Message, message
from vision.capture.frame import Frame
from vision.capture.image_pyramid import Pyramid
from vision.read.confidence import TILE_WARNINGS, Thresholds, thresholds_of
from vision.read.detection import TILES, Detector
from vision.read.networks import FINDER, READER, Model, load_model
from vision.read.observation import Detection, Observation, SeenSet
from vision.read.tile_faces import (
    TileReading,
    compared,
    read_tiles,
    read_tiles_closely,
    reconsidered,
)
from vision.read.tile_rules import PieceLikelihoods, Resolved, resolve
from vision.read.tile_sets import grouped, judged

NAME: Final = "tiles"
_BEYOND_DOUBT: Final = 0.95  # of the eye: the rules never change what was seen so surely
_LEGAL_SHARE: Final = 0.75  # of the rows that were seen surely: from there it is a settled table


@dataclass(frozen=True, slots=True)
class InferredTiles:
    """Tiles in reading order with what is believed of each, and the sets that they lie in."""

    readings: tuple[TileReading, ...]
    settled: tuple[Resolved, ...]
    sets: tuple[SeenSet, ...]

    @property
    def doubts(self) -> tuple[Message, ...]:
        """What the rules have to say, each sentence once."""
        return tuple(dict.fromkeys(self._doubts()))

    def _doubts(self) -> Iterator[Message]:
        for each in self.settled:
            if each.inferred:
                yield message(
                    "A tile is told by the rules, not seen: {tile}.", tile=str(each.piece)
                )
            if each.disputed:
                yield message("A tile looks like {tile}, which does not fit.", tile=str(each.piece))


def inferred(tiles: Sequence[TileReading], limits: Thresholds, copies: Box) -> InferredTiles:
    """Put tiles in reading order, and weigh them by the rules.

    Where most rows of three and more that were seen surely are legal sets, it is taken for a
    settled table; on a rack, and among loose tiles, only what the box holds counts.
    """
    readings, rows = _in_order(tiles)
    chances = [_chances(each, limits) for each in readings]
    is_table = _is_table(chances, rows, limits)
    told = resolve(chances, rows, copies, sure=_BEYOND_DOUBT, settled_table=is_table)
    settled = tuple(map(partial(_confirmed, limits), told, chances))
    pieces = [
        rule.piece if rule.inferred or eye.confidence >= limits.readable else None
        for rule, eye in zip(settled, chances, strict=True)
    ]
    return InferredTiles(tuple(readings), settled, judged(rows, pieces))


def _in_order(
    tiles: Sequence[TileReading],
) -> tuple[list[TileReading], list[tuple[int, ...]]]:
    rows = grouped([each.candidate for each in tiles])
    places = iter(range(len(tiles)))
    return [tiles[at] for row in rows for at in row], [
        tuple(next(places) for _ in row) for row in rows
    ]


def _confirmed(limits: Thresholds, rule: Resolved, eye: PieceLikelihoods) -> Resolved:
    """Where the rules only confirm what would be believed anyway, nothing is inferred."""
    if rule.inferred and rule.piece == eye.piece and eye.confidence >= limits.sure:
        return Resolved(rule.piece, max(rule.confidence, eye.confidence))
    return rule


def _chances(reading: TileReading, limits: Thresholds) -> PieceLikelihoods:
    return PieceLikelihoods(reading.kinds, reading.inks, limits.confidence(reading))


def _is_table(
    chances: Sequence[PieceLikelihoods], rows: Sequence[tuple[int, ...]], limits: Thresholds
) -> bool:
    """Whether the rows that are beyond doubt are legal sets for the most part."""
    sure = [
        row
        for row in rows
        if len(row) >= LEAST and all(chances[at].confidence >= limits.sure for at in row)
    ]
    legal = [each.legal for each in judged(sure, [each.piece for each in chances])]
    return bool(legal) and sum(map(bool, legal)) >= _LEGAL_SHARE * len(legal)


class TilesRecogniser:
    """Reads Rummikub's tiles; keeps the promise of `vision.read.observation.Recogniser`.

    Two networks: a finder of turned rectangles on the picture made small, and a reader on an
    upright crop of each from the full picture. The finder looks at a doubtful tile once more by
    itself; if it is still doubtful, it is read again from crops of three margins, and the mean
    counts. Colours are compared with those of the other tiles. Tiles come in reading order, with
    their sets; the rules may resolve what the networks leave open, by what a box with `copies`
    holds.

    Raises:
        WeightsError: its model cannot be loaded.
    """

    name = NAME

    def __init__(self, model: Model | None = None, copies: Box = CLASSIC) -> None:
        model = model or load_model(NAME)
        outdated = message(
            "The card of the model “tiles” is of another version; install Tablescore again."
        )
        self._limits = thresholds_of(model.card, outdated)
        self._detector = Detector(model.networks[FINDER], TILES, self._limits.candidate)
        self._reader = model.networks[READER]
        self._copies = copies

    def __call__(self, frame: Frame) -> Observation:
        """Read one frame."""
        image, limits = frame.image, self._limits
        readings = self._readings(Pyramid(image))
        table = inferred([each for each in readings if limits.is_piece(each)], limits, self._copies)
        told = zip(table.readings, table.settled, strict=True)
        found = tuple(_resolved(each.detection(image.shape, limits), rule) for each, rule in told)
        doubts = dict.fromkeys((*table.doubts, *TILE_WARNINGS.of(image, readings, limits)))
        return Observation(frame.sequence, self.name, found, tuple(doubts), table.sets)

    def _readings(self, pyramid: Pyramid) -> list[TileReading]:
        once = read_tiles(self._reader, pyramid, self._detector.find(pyramid))
        readings = reconsidered(self._detector.finder, self._reader, pyramid, once)
        again = [each for each in readings if self._limits.reads_again(each)]
        closer = read_tiles_closely(self._reader, pyramid, again)
        better = dict(zip([each.candidate for each in again], closer, strict=True))
        return compared([better.get(each.candidate, each) for each in readings])


def _resolved(seen: Detection, rule: Resolved) -> Detection:
    """The detection with what the rules resolved."""
    if not rule.inferred:
        return seen
    return replace(seen, label=str(rule.piece), confidence=round(rule.confidence, 4), inferred=True)
