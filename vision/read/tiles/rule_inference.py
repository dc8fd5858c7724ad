"""What is believed of the tiles of one picture: what the eye saw, and what the rules say to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from scoreboard.games.rummikub.sets import LEAST
from scoreboard.games.rummikub.tiles import Box
from scoreboard.message import Message, message
from vision.read.observation import SeenSet
from vision.read.tiles.face_reader import TileReading
from vision.read.tiles.groups import grouped
from vision.read.tiles.legality import judged
from vision.read.tiles.likelihoods import PieceLikelihoods
from vision.read.tiles.resolve_ambiguous import Resolved, resolve
from vision.read.tiles.thresholds import TileThresholds

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


def inferred(tiles: Sequence[TileReading], limits: TileThresholds, copies: Box) -> InferredTiles:
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
    rows = grouped([each.spot for each in tiles])
    places = iter(range(len(tiles)))
    return [tiles[at] for row in rows for at in row], [
        tuple(next(places) for _ in row) for row in rows
    ]


def _confirmed(limits: TileThresholds, rule: Resolved, eye: PieceLikelihoods) -> Resolved:
    """Where the rules only confirm what would be believed anyway, nothing is inferred."""
    if rule.inferred and rule.piece == eye.piece and eye.confidence >= limits.sure:
        return Resolved(rule.piece, max(rule.confidence, eye.confidence))
    return rule


def _chances(reading: TileReading, limits: TileThresholds) -> PieceLikelihoods:
    return PieceLikelihoods(reading.kinds, reading.inks, limits.confidence(reading))


def _is_table(
    chances: Sequence[PieceLikelihoods], rows: Sequence[tuple[int, ...]], limits: TileThresholds
) -> bool:
    """Whether the rows that are beyond doubt are legal sets for the most part."""
    sure = [
        row
        for row in rows
        if len(row) >= LEAST and all(chances[at].confidence >= limits.sure for at in row)
    ]
    legal = [each.legal for each in judged(sure, [each.piece for each in chances])]
    return bool(legal) and sum(map(bool, legal)) >= _LEGAL_SHARE * len(legal)
