"""Doubtful tiles, settled by what the box holds and what a legal set is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from scoreboard.games.rummikub.sets import LEAST
from scoreboard.games.rummikub.tiles import NUMBERS, Box, Piece
from vision.read.tiles.conflicts import disputed
from vision.read.tiles.likelihoods import PIECES, PieceLikelihoods
from vision.read.tiles.set_shapes import Place, ways
from vision.read.tiles.shared_tiles import Beliefs, Choice, beliefs

_ODDS: Final = 12.0  # to 1: from there the rules settle a tile
_FOUL: Final = 0.02  # the allowance for rows that are no legal set
_ROWS: Final = range(LEAST, len(NUMBERS) + 1)

Row = tuple[int, ...]
Known = dict[int, Piece]


@dataclass(frozen=True, slots=True)
class Resolved:
    """What is believed of one tile.

    `piece` is None where nothing is; `confidence` is the estimated probability that it is right.
    `inferred` says that the rules chose it, `disputed` that it was seen surely and the rules
    speak against it.
    """

    piece: Piece | None
    confidence: float
    inferred: bool = False
    disputed: bool = False


@dataclass(frozen=True)
class _Table:
    """What is known before the rules are asked."""

    chances: Sequence[PieceLikelihoods]
    rows: tuple[Row, ...]
    copies: Box
    sure: float

    @cached_property
    def seen(self) -> tuple[Piece | None, ...]:
        """What the eye takes each tile for."""
        return tuple(each.piece for each in self.chances)

    @cached_property
    def trusted(self) -> Known:
        """The tiles that were seen surely."""
        told = enumerate(zip(self.seen, self.chances, strict=True))
        return {
            at: piece
            for at, (piece, each) in told
            if piece is not None and each.confidence >= self.sure
        }

    @cached_property
    def weights(self) -> tuple[dict[Piece, float], ...]:
        """What each tile that was not seen surely may be."""
        told = enumerate(self.chances)
        return tuple({} if at in self.trusted else _weights(each, self.copies) for at, each in told)


def _weights(eye: PieceLikelihoods, copies: Box) -> dict[Piece, float]:
    return eye.blank(copies) if eye.is_blank else eye.plausible


def resolve(
    chances: Sequence[PieceLikelihoods],
    sets: Sequence[tuple[int, ...]],
    copies: Box,
    *,
    sure: float,
    settled_table: bool,
) -> tuple[Resolved, ...]:
    """What is believed of every tile, the rules considered (RK-1, RK-3, RK-4, RK-16).

    `sets` are the indices of tiles that lie together, from left to right. What was seen with a
    confidence of `sure` or more is never changed: where the rules speak against it, it is
    disputed. A doubtful tile is settled where one piece is twelve times as likely as all others
    together among the legal sets that the box allows, and stays as seen otherwise, if the box
    allows that. On a table that is not settled, as on a rack, only the box's copies count.

    Raises:
        ValueError: an index of the sets is no tile's, or comes twice.
    """
    _check(sets, len(chances))
    table = _Table(chances, tuple(sets) if settled_table else (), copies, sure)
    inferred = _inferred(table)
    pieces = _believed(table, inferred)
    against = disputed(chances, pieces, table.trusted.keys(), table.rows, copies)
    return tuple(
        inferred.get(at) or _as_seen(chances[at], piece, is_disputed=at in against)
        for at, piece in enumerate(pieces)
    )


def _check(sets: Sequence[Row], tiles: int) -> None:
    told = Counter(at for row in sets for at in row)
    if any(count > 1 or not 0 <= at < tiles for at, count in told.items()):
        raise ValueError(f"The sets {sets} are not of {tiles} tiles, each once at most.")


def _as_seen(eye: PieceLikelihoods, piece: Piece | None, *, is_disputed: bool) -> Resolved:
    confidence = 0.0 if piece is None else eye.confidence
    return Resolved(piece, confidence, disputed=is_disputed)


def _inferred(table: _Table) -> dict[int, Resolved]:
    """What the rules settle; what is settled helps to settle the rest."""
    found: dict[int, Resolved] = {}
    known = dict(table.trusted)
    while fresh := _settled_by(table, known):
        found |= fresh
        known |= {at: each.piece for at, each in fresh.items() if each.piece is not None}
    return found


def _settled_by(table: _Table, known: Known) -> dict[int, Resolved]:
    """The tiles that are settled next, given those that are known: those in sets come first."""
    left = _left(table.copies, known.values())
    choices = list(_choices(table, known, left))
    told = beliefs(choices, left)
    if found := dict(_decided(table, told)):
        return found
    alone = (at for at in range(len(table.chances)) if at not in known and at not in told)
    lone = {at: _alone(table.weights[at], left) for at in alone if table.seen[at] is not None}
    return _unrivalled(dict(_decided(table, lone)), left)


def _decided(table: _Table, told: Beliefs) -> Iterator[tuple[int, Resolved]]:
    for at, pieces in told.items():
        piece, chance = max(pieces.items(), key=lambda each: each[1])
        if piece is not None and chance >= _ODDS * (1 - chance):
            eye = table.chances[at].chance(piece)
            yield at, Resolved(piece, (1 - _FOUL) * chance + _FOUL * eye, inferred=True)


def _alone(weights: Mapping[Piece, float], left: Mapping[Piece, int]) -> dict[Piece | None, float]:
    """What a tile may be of which only the box knows anything; nothing where that is no news."""
    kept: dict[Piece | None, float] = {
        piece: weight for piece, weight in weights.items() if left[piece] > 0
    }
    if len(kept) == len(weights):
        return {None: 1.0}
    other = max(1 - sum(weights.values()), _FOUL / PIECES)
    total = sum(kept.values()) + other
    return {piece: weight / total for piece, weight in kept.items()} | {None: other / total}


def _unrivalled(found: dict[int, Resolved], left: Mapping[Piece, int]) -> dict[int, Resolved]:
    """Those of which the box has one for every tile that is settled so."""
    wanted = Counter(each.piece for each in found.values() if each.piece is not None)
    enough = {piece for piece, count in wanted.items() if count <= left[piece]}
    return {at: each for at, each in found.items() if each.piece in enough}


def _left(copies: Box, known: Iterable[Piece]) -> Counter[Piece]:
    """What the box holds beside those."""
    return copies.tiles.counts - Counter(known)


def _choices(table: _Table, known: Known, left: Mapping[Piece, int]) -> Iterator[Choice]:
    """What the doubtful tiles of each row that can be a legal set may be."""
    for row in table.rows:
        if len(row) in _ROWS and not known.keys() >= {*row}:
            choice = _of_row(table, row, known, left)
            if choice is not None:
                yield choice


def _of_row(table: _Table, row: Row, known: Known, left: Mapping[Piece, int]) -> Choice | None:
    """What the row's open tiles may be together; None where no legal set is to be had."""
    places = [_place(table, at, known) for at in row]
    found = ways(places, left)
    if not found:
        return None
    opened = [at for at, place in enumerate(places) if place.is_open]
    legal = [(tuple(way[at] for at in opened), weight) for way, weight in found.items()]
    blanks = sum(place.is_blank for place in places)
    foul = _FOUL * PIECES ** -max(1, blanks)  # a row without rules shows any piece alike
    nothing = ((None,) * len(opened), foul)
    return Choice(tuple(row[at] for at in opened), (*legal, nothing))


def _place(table: _Table, at: int, known: Known) -> Place:
    if at in known:
        return Place.known(known[at])
    return Place(table.weights[at], is_blank=table.seen[at] is None)


def _believed(table: _Table, inferred: Mapping[int, Resolved]) -> list[Piece | None]:
    """Known tiles as they are; others as seen, the surest first, while the box has copies."""
    pieces: list[Piece | None] = list(table.seen)
    known = dict(table.trusted)
    for at, each in inferred.items():
        if each.piece is not None:
            pieces[at] = known[at] = each.piece
    left = _left(table.copies, known.values())
    doubtful = [at for at in range(len(pieces)) if at not in known and pieces[at] is not None]
    for at in sorted(doubtful, key=lambda at: -table.chances[at].confidence):
        piece = pieces[at]
        if piece is not None and left[piece] > 0:
            left[piece] -= 1
        else:
            pieces[at] = None
    return pieces
