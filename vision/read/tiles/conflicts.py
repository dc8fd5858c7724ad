"""Where the rules speak against tiles that were seen surely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from scoreboard.games.rummikub.sets import is_set
from scoreboard.games.rummikub.tiles import Box, Piece, Tiles
from vision.read.tiles.likelihoods import PieceLikelihoods

Believed = Sequence[Piece | None]


def disputed(
    chances: Sequence[PieceLikelihoods],
    pieces: Believed,
    trusted: Collection[int],
    rows: Sequence[tuple[int, ...]],
    copies: Box,
) -> frozenset[int]:
    """The indices of tiles that were seen surely, and that the rules would have otherwise.

    These are all copies of a piece of which there are more than the box holds (RK-1), and in a
    row of `trusted` tiles that is no set the one whose next plausible reading would make it one.
    """
    known = Tiles(tuple(each for at in sorted(trusted) if (each := pieces[at]) is not None))
    too_many = copies.beyond(known).pieces
    beyond = {at for at in trusted if pieces[at] in too_many}
    left = copies.tiles.counts - Counter(each for each in pieces if each is not None)
    whole = (row for row in rows if all(at in trusted for at in row))
    suspects = {at for row in whole for at in _suspect(chances, pieces, row, left)}
    return frozenset(beyond | suspects)


def _suspect(
    chances: Sequence[PieceLikelihoods], pieces: Believed, row: Sequence[int], left: Counter[Piece]
) -> list[int]:
    """The tile of a faulty row whose reading gives way most easily to one that makes it a set."""
    lying = [each for at in row if (each := pieces[at]) is not None]
    if is_set(Tiles(tuple(lying))):
        return []
    margins = {row[at]: margin for at, margin in _margins(row, chances, lying, left)}
    return sorted(margins, key=margins.__getitem__)[:1]


def _margins(
    row: Sequence[int],
    chances: Sequence[PieceLikelihoods],
    lying: Sequence[Piece],
    left: Counter[Piece],
) -> Iterator[tuple[int, float]]:
    """Each place where one other plausible reading makes a set, and how much less likely it is."""
    for at, tile in enumerate(row):
        eye = chances[tile]
        legal = [
            chance
            for piece, chance in eye.others.items()
            if left[piece] > 0 and is_set(Tiles((*lying[:at], piece, *lying[at + 1 :])))
        ]
        if legal:
            yield at, eye.confidence - max(legal)
