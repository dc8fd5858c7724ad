"""The best turn of Rummikub for a known rack, as moves to replay; and the turns to review.

    standing = TableSets(Laid.parse("B4 B5 B6, K9 R9 O9"), melded=True, rack=Tiles.parse("B7 B9"))
    found = best_turn(standing)  # found.table, found.laid, found.moves; None: nothing can be laid

Best is the turn with most tiles; of those most points (the numbers on the tiles, a joker has none);
then fewest changed sets of the table; then fewest jokers. This is the model of den Hertog and
Hulshof (The Computer Journal 49, 2006), on the integer program of `partition`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from math import inf
from typing import Final, NamedTuple

from scoreboard.errors import NotationError
from scoreboard.games.rummikub import acts
from scoreboard.games.rummikub.house import HouseRules
from scoreboard.games.rummikub.partition import (
    PLACES,
    ROWS,
    WISHES,
    Column,
    SetModel,
    Shape,
    column,
    laid_out,
    shapes,
)
from scoreboard.games.rummikub.referee import FIRST_MELD, TableSets, judge
from scoreboard.games.rummikub.sets import LEAST, NO_SETS, Laid, as_read, best, fault_of
from scoreboard.games.rummikub.state import State, evolve
from scoreboard.games.rummikub.tiles import (
    CLASSIC,
    JOKER,
    NO_TILES,
    XP,
    Piece,
    Tile,
    Tiles,
    listed,
    named,
    plain,
    points,
)
from scoreboard.message import Message, message

_MOST_NODES: Final = 5000  # two seconds
_MOST_REFUSALS: Final = 20


@dataclass(frozen=True, slots=True)
class TileMove:
    """A tile goes into the set `target`, from the set `source` or from the rack (None).

    Sets are numbered from 1: those of the table before the turn, then the new ones. Notation
    `K7 rack>3`, `J 2>5`.
    """

    tile: Piece
    source: int | None
    target: int

    def __str__(self) -> str:
        return f"{self.tile} {'rack' if self.source is None else self.source}>{self.target}"

    @property
    def words(self) -> Message:
        """The move in words."""
        if self.source is None:
            return message(
                "{tile}: from the rack to set {target}", tile=named(self.tile), target=self.target
            )
        return message(
            "{tile}: from set {source} to set {target}",
            tile=named(self.tile),
            source=self.source,
            target=self.target,
        )


@dataclass(frozen=True, slots=True)
class BestTurn:
    """The `table` after the best turn, the tiles `laid`, those `left` on the rack, its moves."""

    table: Laid
    laid: Tiles
    left: Tiles
    moves: tuple[TileMove, ...]


def best_turn(standing: TableSets, nodes: int = _MOST_NODES) -> BestTurn | None:
    """The best turn for the known rack of `standing`; None if none is lawful.

    A freed joker that the referee refuses (RK-17) is forbidden, and the program solved again.
    Raises TimeoutError: it takes more linear programs than that, or too many answers are refused.
    """
    rack = standing.rack or NO_TILES
    wishing = (standing.before.tiles.counts + rack.counts)[JOKER] < LEAST
    program = _Program(standing, rack, wishing=wishing)
    for _ in range(_MOST_REFUSALS):
        table = program.solved(nodes)
        if table is None:
            return None
        verdict = judge(standing, table)
        if verdict.is_accepted:
            moves = tuple(_moves(standing.before, table))
            return BestTurn(table, verdict.laid, rack.missing_from(verdict.laid), moves)
        rules = {fault.rule for fault in verdict.faults}
        if "RK-9" in rules and wishing:  # a wish does not say which set the joker is in
            wishing = False
            program = _Program(standing, rack, wishing=False)
        elif rules <= {"RK-5", "RK-9"}:
            program.forbid(melds="RK-5" in rules)
        else:
            return None
    raise TimeoutError(f"{_MOST_REFUSALS} answers were refused.")


class _Program:
    """The choice of tiles from the rack, and of sets, as an integer program.

    Its rows are the tiles in the order of `ROWS`: the tiles used by the sets, less those that
    jokers represent and those from the rack, are the table's. Columns are the unchanged sets of the
    table, the tiles of the rack, all other sets, and, if `wishing`, the tiles that jokers
    represent.
    """

    def __init__(self, standing: TableSets, rack: Tiles, *, wishing: bool) -> None:
        melding = not standing.melded
        self._untouched = standing.before if melding and not standing.may_build else NO_SETS
        before = NO_SETS if self._untouched.sets else standing.before
        lying, self._rack = before.tiles.counts, rack.counts
        supply = lying + self._rack
        on_table = [lying[each] for each in ROWS]
        self._program = SetModel(on_table, on_table)
        self._used: list[int] = []
        spared = self._rack[JOKER] + 1
        point = spared * (len(before.sets) + 1)
        tile = point * (sum(each.number for each in rack.numbered) + 1)
        self._kept = {
            self._program.add(column(tuple(laid.counts.elements())), 1, spared): laid
            for laid in before.sets
        }
        self._from_rack = {
            each: self._program.add(
                [(PLACES[each], -1)],
                count,
                tile + (point * each.number if isinstance(each, Tile) else -1),
            )
            for each, count in self._rack.items()
        }
        jokers, wishes = supply[JOKER], WISHES if wishing and supply[JOKER] else ()
        extra = jokers if wishing else 0
        usable = {
            shape: min(supply[each] for each in shape) + extra
            for shape in shapes(jokers - extra)
            if sum(not supply[each] for each in shape) <= extra
        }
        self._sets = {self._program.add(column(each), most): each for each, most in usable.items()}
        for wish in wishes:
            self._program.add(wish, jokers)
        self._melds = self._sets if self._untouched.sets or not before.sets else {}
        if melding and not self._melds:
            self._melds = self._add_melds(usable, wishes)
        if melding:
            worth = [(at, _value(shape)) for at, shape in self._melds.items()]
            self._program.require(worth, FIRST_MELD, inf)

    def _add_melds(self, usable: Mapping[Shape, int], wishes: Sequence[Column]) -> dict[int, Shape]:
        """RK-5 with building: sets that use no more of each tile than comes from the rack."""
        melds = {self._program.add(column(shape), most): shape for shape, most in usable.items()}
        used = [(at, column(shape)) for at, shape in melds.items()]
        used += [(self._program.add(wish, self._rack[JOKER]), wish) for wish in wishes]
        used += [(at, [(PLACES[each], -1)]) for each, at in self._from_rack.items()]
        rows = [list[tuple[int, int]]() for _ in ROWS]
        for at, tiles in used:
            for place, times in tiles:
                rows[place].append((at, times))
        for row in rows:
            self._program.require(row, -inf, 0)
        self._sets |= melds
        return melds

    def solved(self, nodes: int) -> Laid | None:
        """The table after the best turn; None without a turn."""
        used = self._program.solved(self._from_rack.values(), nodes)
        if used is None:
            return None
        self._used = used
        kept = [at for at in self._kept if used[at]]
        supply = Counter({each: used[at] for each, at in self._from_rack.items()})
        for at in self._kept.keys() - kept:
            supply += self._kept[at].counts
        chosen = [shape for at, shape in self._sets.items() for _ in range(used[at])]
        sets = (*self._untouched.sets, *(self._kept[at] for at in kept))
        return Laid((*sets, *laid_out(chosen, supply).sets))

    def forbid(self, *, melds: bool) -> None:
        """Forbid a refused answer: all these melds together, or all these sets with jokers.

        RK-17: the sets are lawful again if one more of their tiles or of the jokers comes from the
        rack, since it may be the one in them.
        """
        known = {at: tuple(laid.counts) for at, laid in self._kept.items()}
        tried = self._melds if melds else self._sets | known
        refused = {
            at: shape for at, shape in tried.items() if self._used[at] and (melds or JOKER in shape)
        }
        others = (
            set[Piece]()
            if melds
            else {JOKER, *(each for shape in refused.values() for each in shape)}
        )
        row = [(at, 1) for at in refused]
        for each in others & self._from_rack.keys():
            at = self._from_rack[each]
            more = self._program.add((), 1)
            self._program.require([(at, 1), (more, -self._used[at] - 1)], 0, inf)
            row.append((more, -1))
        self._program.require(row, -inf, sum(self._used[at] for at in refused) - 1)


@cache
def _value(shape: Shape) -> int:
    """A set's value in a first meld (RK-5)."""
    reading = best(Tiles(shape))
    return 0 if reading is None else reading.value


def _numbered(before: Laid, after: Laid) -> dict[int, Tiles]:
    """The sets after the turn by number: that of the old set sharing most tiles, or a new one."""
    pairs = sorted(
        (
            (at, place)
            for at, place in product(range(len(before.sets)), range(len(after.sets)))
            if before.sets[at].counts & after.sets[place].counts
        ),
        key=lambda pair: _likeness(before.sets[pair[0]], after.sets[pair[1]]),
        reverse=True,
    )
    found = dict[int, int]()
    for at, place in pairs:
        if at + 1 not in found and place not in found.values():
            found[at + 1] = place
    new = [place for place in range(len(after.sets)) if place not in found.values()]
    found |= {len(before.sets) + count: place for count, place in enumerate(new, start=1)}
    return {number: after.sets[place] for number, place in found.items()}


def _likeness(old: Tiles, now: Tiles) -> tuple[bool, int]:
    return old.counts == now.counts, (old.counts & now.counts).total()


def _moves(before: Laid, after: Laid) -> Iterator[TileMove]:
    """The moves from one table to the other: those into old sets first, then new sets.

    A tile that leaves an old set goes into a new one if possible, as a freed joker must (RK-9).
    """
    numbered = _numbered(before, after)
    spare = defaultdict[Piece, list[int]](list)
    for number, old in enumerate(before.sets, start=1):
        for each in old.missing_from(numbered.get(number, NO_TILES)).pieces:
            spare[each].append(number)
    moves = list[TileMove]()
    for number in sorted(numbered, reverse=True):
        wanted = numbered[number].counts
        if number <= len(before.sets):
            wanted -= before.sets[number - 1].counts
        for each in wanted.elements():
            moves.append(TileMove(each, spare[each].pop(0) if spare[each] else None, number))
    yield from sorted(moves, key=lambda move: move.target)


def replayed(before: Laid, turn: BestTurn) -> tuple[tuple[Tiles, ...], ...]:
    """The sets on the table before the moves and after each, by number; some may be empty."""
    numbered = _numbered(before, turn.table)
    most = max((len(before.sets), *numbered))
    sets = [*(list(laid.pieces) for laid in before.sets), *([] for _ in range(most))][:most]
    tables = [tuple(Tiles(tuple(each)) for each in sets)]
    for move in turn.moves:
        if move.source is not None:
            source = sets[move.source - 1]
            del source[[*map(plain, source)].index(move.tile)]
        order = [*map(plain, numbered[move.target].pieces)]
        sets[move.target - 1].append(move.tile)
        sets[move.target - 1].sort(
            key=lambda each: order.index(plain(each)) if plain(each) in order else len(order)
        )
        tables.append(tuple(Tiles(tuple(each)) for each in sets))
    return tuple(tables)


class TurnReplay(NamedTuple):
    """A best `turn` after `step` of its `steps`: the table's `sets` by number, and the `rack`.

    `best` are the tiles that the whole turn lays, `move` is the last one made.
    """

    turn: BestTurn | None
    best: Tiles
    sets: tuple[tuple[int, Tiles], ...]
    rack: Tiles
    move: TileMove | None
    step: int
    steps: int


def replay_turn(standing: TableSets, turn: BestTurn | None, step: int) -> TurnReplay:
    """The table after `step` moves of the best turn of `standing`, None where there is none."""
    tables = ((*standing.before.sets,),) if turn is None else replayed(standing.before, turn)
    at = min(max(0, step), len(tables) - 1)
    moves = () if turn is None else turn.moves[:at]
    laid = Tiles(tuple(move.tile for move in moves if move.source is None))
    return TurnReplay(
        turn=turn,
        best=NO_TILES if turn is None else turn.laid,
        sets=tuple((n, as_read(tiles)) for n, tiles in enumerate(tables[at], 1) if tiles.pieces),
        rack=(standing.rack or NO_TILES).missing_from(laid),
        move=moves[-1] if moves else None,
        step=at,
        steps=len(tables) - 1,
    )


def standing_of(written: str, tiles: str, *, melded: bool) -> TableSets:
    """The beginning of a turn, as it is written. Raises NotationError: no such set, tile or box."""
    table, rack = Laid.parse(written), Tiles.parse(tiles)
    for laid in table.sets:
        if (fault := fault_of(laid)) is not None:
            raise NotationError(fault.text)
    box = XP if CLASSIC.beyond(rack, table.tiles).pieces else CLASSIC
    if (beyond := box.beyond(rack, table.tiles)).pieces:
        raise NotationError(
            message("There are more of {tiles} than the box holds.", tiles=listed(beyond))
        )
    return TableSets(table, melded, rack, len(rack), box=box)


def counted(options: Mapping[str, str]) -> Callable[[Tiles], int]:
    """What tiles are worth under these house rules."""
    return partial(points, joker=HouseRules.of(options).joker)


@dataclass(frozen=True, slots=True)
class TurnReview:
    """A finished turn with a known rack, in round `number` (from 1).

    `standing` is its beginning and `laid` the player's tiles; None for the rack that was left when
    the round ended, on the last table.
    """

    number: int
    player: str
    standing: TableSets
    laid: Tiles | None = None


def reviews(  # noqa: C901 -- one arm a kind of event
    state: State, events: Iterable[acts.Event]
) -> tuple[TurnReview, ...]:
    """The finished turns of a game that can be reviewed, in the order of their racks' entry.

    A rack that is entered only after its player laid tiles, with the next turn not over yet, is the
    one of that turn without those tiles.
    """
    found = list[TurnReview]()
    secret = dict[str, TurnReview]()  # the last turn of each player whose rack was not known then
    for event in events:
        number, standing = len(state.scores) + 1, state.standing
        match event:
            case acts.TilesLaid(player, laid=laid, overruled=overruled):
                review = TurnReview(number, player, standing, laid)
                if standing.rack is not None:
                    found.append(review)
                elif not overruled:
                    secret[player] = review
            case acts.TileDrawn(player) | acts.TurnPassed(player) | acts.TurnFailed(player):
                secret.pop(player, None)
                if standing.rack is not None:
                    found.append(TurnReview(number, player, standing, NO_TILES))
            case acts.RackShown(player, tiles) | acts.RackSummed(player, tiles) if tiles.pieces:
                if player in secret:
                    review = secret.pop(player)
                    had = Tiles((*tiles.pieces, *(review.laid or NO_TILES).pieces))
                    standing = replace(review.standing, rack=had)
                    found.append(replace(review, standing=standing))
                if isinstance(event, acts.RackSummed):
                    standing = state.standing_of(state.players.index(player))
                    found.append(TurnReview(number, player, replace(standing, rack=tiles)))
            case acts.RoundScored():
                secret.clear()
        state = evolve(state, event)
    return tuple(found)
