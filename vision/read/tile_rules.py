"""Doubtful tiles, resolved by the rules: the copies in the box, and legal sets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import accumulate
from operator import add, le, mul, or_
from typing import Final

from scoreboard.games.rummikub.sets import LEAST, is_set
from scoreboard.games.rummikub.tiles import COLOURS, JOKER, NUMBERS, Box, Piece, Tile, Tiles
from vision.read.tile_sets import RowSlot, Way, ways

PIECES: Final = len(COLOURS) * len(NUMBERS) + 1  # the different tiles, and the joker
_KINDS: Final = len(NUMBERS) + 2
_PLAUSIBLE: Final = 0.02  # less likely readings are never chosen
_MOST: Final = 4  # readings of one tile that are weighed


@dataclass(frozen=True, slots=True)
class PieceLikelihoods:
    """The probabilities of one tile's faces.

    `kinds` are those of nothing readable, of 1 to 13 and of a joker, `inks` those of the colours in
    the order of COLOURS, as in `TileReading`; `stated` is the calibrated confidence in the
    likeliest piece, None to use the product of its kind and ink. Raises ValueError: there are not
    fifteen kinds and four inks.
    """

    kinds: tuple[float, ...]
    inks: tuple[float, ...]
    stated: float | None = None

    def __post_init__(self) -> None:
        if len(self.kinds) != _KINDS or len(self.inks) != len(COLOURS):
            raise ValueError(f"{len(self.kinds)} kinds and {len(self.inks)} inks are no tile's.")

    @property
    def is_blank(self) -> bool:
        return self.kinds[0] >= max(self.kinds[1:])

    @property
    def piece(self) -> Piece | None:
        """The likeliest kind in the likeliest ink, None if unreadable."""
        kind = max(range(_KINDS), key=self.kinds.__getitem__)
        if self.is_blank:
            return None
        ink = max(range(len(COLOURS)), key=self.inks.__getitem__)
        return JOKER if kind == _KINDS - 1 else Tile(COLOURS[ink], kind)

    @property
    def confidence(self) -> float:
        """The estimated probability of the likeliest piece, 0 if unreadable."""
        piece = self.piece
        if piece is None:
            return 0.0
        return self.chance(piece) if self.stated is None else self.stated

    def chance(self, piece: Piece) -> float:
        """The probability of one piece by kind and ink alone."""
        if not isinstance(piece, Tile):
            return self.kinds[-1]
        return self.kinds[piece.number] * self.inks[COLOURS.index(piece.colour)]

    @property
    def plausible(self) -> dict[Piece, float]:
        likely = sorted(self._all.items(), key=lambda each: -each[1])[:_MOST]
        return {piece: chance for piece, chance in likely if chance >= _PLAUSIBLE}

    def blank(self, copies: Box) -> dict[Piece, float]:
        """The weights of an unreadable tile: every tile equally, and a joker.

        A joker's place in a set fits one numbered tile as well, so it is rarer in proportion to its
        copies in the box. It weighs more, up to what a tile does, if the reader gives it a higher
        probability than any other kind.
        """
        unread, share = self.kinds[0], copies.jokers / len(copies)
        tile = unread / PIECES
        seen = max(0.0, self.kinds[-1] - (1 - unread) / (_KINDS - 1)) * (1 - unread)
        return dict.fromkeys(self._all, tile) | {JOKER: min(tile, seen + share * tile)}

    @property
    def _all(self) -> dict[Piece, float]:
        tiles: dict[Piece, float] = {
            Tile(colour, number): self.kinds[number] * ink
            for colour, ink in zip(COLOURS, self.inks, strict=True)
            for number in NUMBERS
        }
        return tiles | {JOKER: self.kinds[-1]}


Believed = Sequence[Piece | None]


def disputed(
    chances: Sequence[PieceLikelihoods],
    pieces: Believed,
    trusted: Collection[int],
    rows: Sequence[tuple[int, ...]],
    copies: Box,
) -> frozenset[int]:
    """The indices of tiles that were read surely but contradict the rules.

    These are all copies of a piece of which there are more than the box holds (RK-1), and in a row
    of `trusted` tiles that is no set the one whose next plausible reading would make it one.
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
    laid = [each for at in row if (each := pieces[at]) is not None]
    if is_set(Tiles(tuple(laid))):
        return []
    margins: dict[int, float] = {}  # how much less likely a reading is that makes a set
    for at, tile in enumerate(row):
        legal = [
            chance
            for piece, chance in chances[tile].plausible.items()
            if piece != chances[tile].piece
            and left[piece] > 0
            and is_set(Tiles((*laid[:at], piece, *laid[at + 1 :])))
        ]
        if legal:
            margins[tile] = chances[tile].confidence - max(legal)
    return sorted(margins, key=margins.__getitem__)[:1]


_CASES: Final = 128  # of different pieces used up: the likeliest are followed
_HOPELESS: Final = 1e-6  # of the likeliest: such cases are dropped

Used = tuple[int, ...]
Beliefs = dict[int, dict[Piece | None, float]]


@dataclass(frozen=True, slots=True)
class RowAlternatives:
    """The possible pieces of one row's doubtful tiles, each way with its weight.

    `tiles` are their indices; None in a way means anything else, which uses up no piece.
    """

    tiles: tuple[int, ...]
    ways: tuple[tuple[Way, float], ...]

    @property
    def needs(self) -> Counter[Piece]:
        """The most of each piece that any way uses."""
        used = (Counter(each for each in way if each is not None) for way, _ in self.ways)
        return reduce(or_, used, Counter[Piece]())


@dataclass(frozen=True, slots=True)
class _Step:
    """A choice among rows that want the same scarce pieces.

    `ways` are its ways, each with its weight and how many of each scarce piece it uses; `most` is
    how many there are, `awaited` 1 for those that a later choice wants, too, else 0.
    """

    tiles: tuple[int, ...]
    ways: tuple[tuple[Way, float, Used], ...]
    most: Used
    awaited: Used

    def onward(self, used: Used) -> Iterator[tuple[Way, float, Used]]:
        """The ways that the box still allows, and the awaited pieces used after each."""
        for way, weight, wanted in self.ways:
            total = tuple(map(add, used, wanted))
            if all(map(le, total, self.most)):
                yield way, weight, tuple(map(mul, total, self.awaited))


def _linked(
    choices: Sequence[RowAlternatives], left: Mapping[Piece, int]
) -> Iterator[list[RowAlternatives]]:
    """Groups of choices that compete with each other."""
    scarce = _scarce(choices, left)
    groups: list[tuple[set[Piece], list[RowAlternatives]]] = []
    for choice in sorted(choices, key=lambda each: each.tiles):
        wanted, together = scarce & set(choice.needs), [choice]
        for other in [each for each in groups if each[0] & wanted]:
            groups.remove(other)
            wanted, together = wanted | other[0], [*other[1], *together]
        groups.append((wanted, together))
    yield from (together for _, together in groups)


def _scarce(choices: Sequence[RowAlternatives], left: Mapping[Piece, int]) -> set[Piece]:
    wanted = sum((each.needs for each in choices), Counter[Piece]())
    return {piece for piece, count in wanted.items() if count > left[piece]}


def _steps(linked: Sequence[RowAlternatives], left: Mapping[Piece, int]) -> list[_Step]:
    scarce = [*_scarce(linked, left)]
    most = tuple(left[piece] for piece in scarce)
    later = accumulate((choice.needs for choice in reversed(linked)), or_, initial=Counter[Piece]())
    return [
        _Step(
            choice.tiles,
            tuple(
                (way, weight, tuple(way.count(piece) for piece in scarce))
                for way, weight in choice.ways
            ),
            most,
            tuple(int(p in rest) for p in scarce),
        )
        for choice, rest in zip(linked, reversed([*later][:-1]), strict=True)
    ]


def _marginals(steps: Sequence[_Step]) -> Beliefs:
    """The share of each piece for each tile in all that the box allows."""
    forward = _forward(steps)
    behind = dict.fromkeys(forward[-1], 1.0)
    found: Beliefs = {}
    for step, before in zip(reversed(steps), reversed(forward[:-1]), strict=True):
        # For all that may be used up before the step, its ways with what they are worth onward
        likely = {
            used: {way: more * behind.get(after, 0.0) for way, more, after in step.onward(used)}
            for used in before
        }
        found |= _shares(step, likely, before)
        behind = {used: sum(ways.values()) for used, ways in likely.items()}
    return found


def _forward(steps: Sequence[_Step]) -> list[dict[Used, float]]:
    """The probability of each set of used pieces, before each step and after the last."""
    layers = [{(0,) * len(steps[0].most): 1.0}]
    for step in steps:
        layer: defaultdict[Used, float] = defaultdict(float)
        for used, weight in layers[-1].items():
            for _, more, after in step.onward(used):
                layer[after] += weight * more
        least = _HOPELESS * max(layer.values())
        likeliest = sorted(layer.items(), key=lambda each: -each[1])[:_CASES]
        layers.append({used: weight for used, weight in likeliest if weight >= least})
    return layers


def _shares(
    step: _Step, likely: Mapping[Used, Mapping[Way, float]], before: Mapping[Used, float]
) -> Beliefs:
    ways: defaultdict[Way, float] = defaultdict(float)
    for used, weight in before.items():
        for way, worth in likely[used].items():
            ways[way] += weight * worth
    total = sum(ways.values())
    found: Beliefs = {tile: defaultdict(float) for tile in step.tiles}
    for way, weight in ways.items():
        for tile, piece in zip(step.tiles, way, strict=True):
            found[tile][piece] += weight / total
    return found


_ODDS: Final = 12.0  # to 1: from there the rules settle a tile
_FOUL: Final = 0.02  # the allowance for rows that are no legal set
_ROWS: Final = range(LEAST, len(NUMBERS) + 1)

Row = tuple[int, ...]
Known = dict[int, Piece]


@dataclass(frozen=True, slots=True)
class ResolvedTile:
    """The resolved reading of one tile.

    `piece` is None if unknown; `confidence` is the estimated probability that it is right.
    `inferred`: the rules chose it. `disputed`: it was read surely and contradicts the rules.
    """

    piece: Piece | None
    confidence: float
    inferred: bool = False
    disputed: bool = False


@dataclass(frozen=True)
class _Table:
    """The readings before the rules are applied."""

    chances: Sequence[PieceLikelihoods]
    rows: tuple[Row, ...]
    copies: Box
    sure: float

    @cached_property
    def seen(self) -> tuple[Piece | None, ...]:
        return tuple(each.piece for each in self.chances)

    @cached_property
    def trusted(self) -> Known:
        return {
            at: piece
            for at, (piece, each) in enumerate(zip(self.seen, self.chances, strict=True))
            if piece is not None and each.confidence >= self.sure
        }

    @cached_property
    def weights(self) -> tuple[dict[Piece, float], ...]:
        """The possible pieces of each tile that was not read surely."""
        return tuple(
            {}
            if at in self.trusted
            else (each.blank(self.copies) if each.is_blank else each.plausible)
            for at, each in enumerate(self.chances)
        )


def resolve(
    chances: Sequence[PieceLikelihoods],
    sets: Sequence[tuple[int, ...]],
    copies: Box,
    *,
    sure: float,
    settled_table: bool,
) -> tuple[ResolvedTile, ...]:
    """Resolve every tile by its reading and the rules (RK-1, RK-3, RK-4, RK-16).

    `sets` are the indices of neighbouring tiles, from left to right. A reading with a confidence of
    `sure` or more is never changed: if it contradicts the rules, it is disputed. A doubtful tile is
    settled if one piece is twelve times as likely as all others together among the legal sets that
    the box allows; otherwise it stays as read, if the box allows that. On a table that is not
    settled, such as a rack, only the box's copies count. Raises ValueError: an index of the sets is
    no tile's, or comes twice.
    """
    times = Counter(at for row in sets for at in row)
    if any(count > 1 or not 0 <= at < len(chances) for at, count in times.items()):
        raise ValueError(f"The sets {sets} are not of {len(chances)} tiles, each once at most.")
    table = _Table(chances, tuple(sets) if settled_table else (), copies, sure)
    # What is settled helps to settle the rest
    inferred: dict[int, ResolvedTile] = {}
    known = dict(table.trusted)
    while fresh := _settled_by(table, known):
        inferred |= fresh
        known |= {at: each.piece for at, each in fresh.items() if each.piece is not None}
    pieces = _believed(table, inferred)
    against = disputed(chances, pieces, table.trusted.keys(), table.rows, copies)
    return tuple(
        inferred.get(at)
        or ResolvedTile(
            piece, 0.0 if piece is None else chances[at].confidence, disputed=at in against
        )
        for at, piece in enumerate(pieces)
    )


def _settled_by(table: _Table, known: Known) -> dict[int, ResolvedTile]:
    """The tiles settled next, given the known ones: those in sets come first."""
    left = table.copies.tiles.counts - Counter(known.values())
    # What the doubtful tiles of each row that can be a legal set may be
    rows = (row for row in table.rows if len(row) in _ROWS and not known.keys() >= {*row})
    choices = [each for row in rows if (each := _of_row(table, row, known, left)) is not None]
    # Rows that want the same scarce pieces are weighed together (forward and backward sums over the
    # pieces used so far): exactly, except for the least likely where hundreds of cases differ
    believed: Beliefs = {}
    for linked in _linked(choices, left):
        believed |= _marginals(_steps(linked, left))
    if found := dict(_decided(table, believed)):
        return found
    alone = (at for at in range(len(table.chances)) if at not in known and at not in believed)
    lone = {at: _alone(table.weights[at], left) for at in alone if table.seen[at] is not None}
    found = dict(_decided(table, lone))
    # Those of which the box has one for every tile that is settled so
    wanted = Counter(each.piece for each in found.values() if each.piece is not None)
    enough = {piece for piece, count in wanted.items() if count <= left[piece]}
    return {at: each for at, each in found.items() if each.piece in enough}


def _decided(table: _Table, believed: Beliefs) -> Iterator[tuple[int, ResolvedTile]]:
    for at, pieces in believed.items():
        piece, chance = max(pieces.items(), key=lambda each: each[1])
        if piece is not None and chance >= _ODDS * (1 - chance):
            alone = table.chances[at].chance(piece)
            yield at, ResolvedTile(piece, (1 - _FOUL) * chance + _FOUL * alone, inferred=True)


def _alone(weights: Mapping[Piece, float], left: Mapping[Piece, int]) -> dict[Piece | None, float]:
    """The pieces of a tile in no legal set by the box's copies; unknown if those exclude none."""
    kept: dict[Piece | None, float] = {
        piece: weight for piece, weight in weights.items() if left[piece] > 0
    }
    if len(kept) == len(weights):
        return {None: 1.0}
    other = max(1 - sum(weights.values()), _FOUL / PIECES)
    total = sum(kept.values()) + other
    return {piece: weight / total for piece, weight in kept.items()} | {None: other / total}


def _of_row(
    table: _Table, row: Row, known: Known, left: Mapping[Piece, int]
) -> RowAlternatives | None:
    """The alternatives of the row's open tiles; None if no legal set is possible."""
    places = [
        RowSlot({known[at]: 1.0}, is_open=False)
        if at in known
        else RowSlot(table.weights[at], is_blank=table.seen[at] is None)
        for at in row
    ]
    found = ways(places, left)
    if not found:
        return None
    opened = [at for at, place in enumerate(places) if place.is_open]
    legal = [(tuple(way[at] for at in opened), weight) for way, weight in found.items()]
    blanks = sum(place.is_blank for place in places)
    foul = _FOUL * PIECES ** -max(1, blanks)  # a row without rules shows any piece equally
    nothing = ((None,) * len(opened), foul)
    return RowAlternatives(tuple(row[at] for at in opened), (*legal, nothing))


def _believed(table: _Table, inferred: Mapping[int, ResolvedTile]) -> list[Piece | None]:
    """Known tiles unchanged; others as read, the surest first, while the box has copies."""
    pieces: list[Piece | None] = list(table.seen)
    known = dict(table.trusted)
    for at, each in inferred.items():
        if each.piece is not None:
            pieces[at] = known[at] = each.piece
    left = table.copies.tiles.counts - Counter(known.values())
    doubtful = [at for at in range(len(pieces)) if at not in known and pieces[at] is not None]
    for at in sorted(doubtful, key=lambda at: -table.chances[at].confidence):
        piece = pieces[at]
        if piece is not None and left[piece] > 0:
            left[piece] -= 1
        else:
            pieces[at] = None
    return pieces
