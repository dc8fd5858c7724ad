"""What is believed of the tiles of one picture: what the eye saw, and what the rules say to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from scoreboard.phrase import Phrase, phrase
from scoreboard.rummikub.box import Box
from scoreboard.rummikub.sets import LEAST
from vision.observation import SeenSet
from vision.tiles.chances import PieceChances
from vision.tiles.grouping import grouped
from vision.tiles.judging import judged
from vision.tiles.limits import TileLimits
from vision.tiles.reading import TileReading
from vision.tiles.settling import Settled, settle

_BEYOND_DOUBT: Final = 0.95  # of the eye: the rules never change what was seen so surely
_LEGAL_SHARE: Final = 0.75  # of the rows that were seen surely: from there it is a settled table


@dataclass(frozen=True, slots=True)
class Believed:
    """Tiles in reading order with what is believed of each, and the sets that they lie in."""

    readings: tuple[TileReading, ...]
    settled: tuple[Settled, ...]
    sets: tuple[SeenSet, ...]

    @property
    def doubts(self) -> tuple[Phrase, ...]:
        """What the rules have to say, each sentence once."""
        return tuple(dict.fromkeys(self._doubts()))

    def _doubts(self) -> Iterator[Phrase]:
        for each in self.settled:
            if each.inferred:
                yield phrase("A tile is told by the rules, not seen: {tile}.", tile=str(each.piece))
            if each.disputed:
                yield phrase("A tile looks like {tile}, which does not fit.", tile=str(each.piece))


def believed(tiles: Sequence[TileReading], limits: TileLimits, copies: Box) -> Believed:
    """Put tiles in reading order, and weigh them by the rules.

    Where most rows of three and more that were seen surely are legal sets, it is taken for a
    settled table; on a rack, and among loose tiles, only what the box holds counts.
    """
    readings, rows = _in_order(tiles)
    chances = [_chances(each, limits) for each in readings]
    is_table = _is_table(chances, rows, limits)
    told = settle(chances, rows, copies, sure=_BEYOND_DOUBT, settled_table=is_table)
    settled = tuple(map(partial(_confirmed, limits), told, chances))
    pieces = [
        rule.piece if rule.inferred or eye.confidence >= limits.readable else None
        for rule, eye in zip(settled, chances, strict=True)
    ]
    return Believed(tuple(readings), settled, judged(rows, pieces))


def _in_order(
    tiles: Sequence[TileReading],
) -> tuple[list[TileReading], list[tuple[int, ...]]]:
    rows = grouped([each.spot for each in tiles])
    places = iter(range(len(tiles)))
    return [tiles[at] for row in rows for at in row], [
        tuple(next(places) for _ in row) for row in rows
    ]


def _confirmed(limits: TileLimits, rule: Settled, eye: PieceChances) -> Settled:
    """Where the rules only confirm what would be believed anyway, nothing is inferred."""
    if rule.inferred and rule.piece == eye.piece and eye.confidence >= limits.sure:
        return Settled(rule.piece, max(rule.confidence, eye.confidence))
    return rule


def _chances(reading: TileReading, limits: TileLimits) -> PieceChances:
    return PieceChances(reading.kinds, reading.inks, limits.confidence(reading))


def _is_table(
    chances: Sequence[PieceChances], rows: Sequence[tuple[int, ...]], limits: TileLimits
) -> bool:
    """Whether the rows that are beyond doubt are legal sets for the most part."""
    sure = [
        row
        for row in rows
        if len(row) >= LEAST and all(chances[at].confidence >= limits.sure for at in row)
    ]
    legal = [each.legal for each in judged(sure, [each.piece for each in chances])]
    return bool(legal) and sum(map(bool, legal)) >= _LEGAL_SHARE * len(legal)
