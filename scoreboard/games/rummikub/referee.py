"""The referee of a turn: judges the table after it by the table before (RK-1 to RK-9)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, permutations
from typing import Final

from scoreboard.games.rummikub.sets import Fault, Laid, best, fault_of
from scoreboard.games.rummikub.tiles import (
    CLASSIC,
    JOKER,
    NO_TILES,
    Box,
    Piece,
    Tile,
    Tiles,
    in_order,
    listed,
)
from scoreboard.message import message

GONE = -1


@dataclass(frozen=True, slots=True)
class Move:
    """A joker moved from the set `source` to the set `target`."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Bond:
    """An assumption about a tile's copies from `source`: that all are in `target`, or not."""

    tile: Tile
    source: int
    target: int
    inside: bool

    def holds(self, copies: list[int], homes: tuple[int, ...]) -> bool:
        """Whether it is true when each copy, known by its set before, has that home now."""
        own = [
            home == self.target
            for copy, home in zip(copies, homes, strict=True)
            if copy == self.source
        ]
        return all(own) if self.inside else not all(own)


def is_lawful(before: Laid, after: Laid) -> bool:
    """Whether there is a story in which every freed joker is in a new set."""
    sources = [at for at, laid in enumerate(before.sets) for _ in laid.jokers]
    targets = [at for at, laid in enumerate(after.sets) for _ in laid.jokers]
    targets += [GONE] * (len(sources) - len(targets))
    for chosen in sorted(set(permutations(targets, len(sources)))):  # equal ones only once
        moves = tuple(Move(*each) for each in zip(sources, chosen, strict=True))
        if _Story(before, after, moves).holds([move for move in moves if move.target != GONE], []):
            return True
    return False


class _Story:
    """The tiles assumed to be in, or outside of, a set now."""

    def __init__(self, before: Laid, after: Laid, moves: Sequence[Move]) -> None:
        self.before = before
        self.after = after
        self.moves = moves
        self.homes: dict[Tile, list[int]] = defaultdict(list)
        for at, laid in enumerate(after.sets):
            for tile in laid.numbered:
                self.homes[tile].append(at)

    def holds(self, open_moves: list[Move], bound: list[Bond]) -> bool:
        """Whether the open moves are possible; each joker stays with its set, or is freed."""
        if not open_moves:
            return self._fits(bound)
        move, *others = open_moves
        stayed = self._whole(move.source, move.target)
        if stayed is not None and self._fits(bound + stayed) and self.holds(others, bound + stayed):
            return True
        return self._freed(move.target, range(len(self.before.sets)), others, bound)

    def _freed(
        self, target: int, sets: Sequence[int], others: list[Move], bound: list[Bond]
    ) -> bool:
        """Whether at least one tile of each of these sets may be outside of `target`."""
        if not sets:
            return self.holds(others, bound)
        whole = self._whole(sets[0], target)
        if whole is None:
            return self._freed(target, sets[1:], others, bound)
        return any(
            self._fits(tried) and self._freed(target, sets[1:], others, tried)
            for bond in whole
            for tried in [[*bound, replace(bond, inside=False)]]
        )

    def _whole(self, source: int, target: int) -> list[Bond] | None:
        """The bonds that put all of a set into `target`; None if impossible."""
        laid = self.before.sets[source]
        if laid.missing_from(self.after.sets[target]).pieces:
            return None
        if any(move.target != target for move in self.moves if move.source == source):
            return None
        return [Bond(tile, source, target, inside=True) for tile in laid.numbered]

    def _fits(self, bound: list[Bond]) -> bool:
        """Whether each tile's copies can be placed so."""
        return all(self._places(tile, bound) for tile in {bond.tile for bond in bound})

    def _places(self, tile: Tile, bound: list[Bond]) -> bool:
        copies = [
            at for at, laid in enumerate(self.before.sets) for each in laid.numbered if each == tile
        ]
        homes = self.homes[tile] + [GONE] * (len(copies) - len(self.homes[tile]))
        wanted = [bond for bond in bound if bond.tile == tile]
        return any(
            all(bond.holds(copies, chosen) for bond in wanted)
            for chosen in set(permutations(homes, len(copies)))
        )


FIRST_MELD: Final = 30


@dataclass(frozen=True, slots=True)
class TableSets:
    """The beginning of a turn.

    `melded`: its player has made the initial meld; `rack` are the tiles on the rack, None if only
    their number, `held`, is known (None: not even that); `elsewhere` are the tiles known to be on
    other racks. The house rules: `may_build` on the table in the turn of the meld (RK-5), and
    whether a freed joker `may_bridge` old sets (RK-17).
    """

    before: Laid
    melded: bool
    rack: Tiles | None = None
    held: int | None = None
    elsewhere: Tiles = NO_TILES
    box: Box = CLASSIC
    may_build: bool = False
    may_bridge: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's verdict: every fault at once, the tiles that came from the rack.

    `meld` is the value of the sets of a first meld, None for a player who has melded before.
    """

    faults: tuple[Fault, ...]
    laid: Tiles
    meld: int | None = None

    @property
    def is_accepted(self) -> bool:
        return not self.faults


def judge(standing: TableSets, after: Laid) -> Verdict:
    """Judge a turn by the tables before and after it."""
    gone = standing.before.tiles.missing_from(after.tiles)
    laid = after.tiles.missing_from(standing.before.tiles)
    meld = None
    if not standing.melded:  # RK-5: what the new sets from the rack alone are worth together
        found = [(each, best(each)) for each in after.without(standing.before)]
        fresh = [(each.counts, reading.value) for each, reading in found if reading is not None]
        meld = _most_together([each for each in fresh if each[0] <= laid.counts], laid.counts)
    illegal = map(fault_of, after.without(standing.before))  # the others were accepted before
    faults = chain(
        (fault for fault in illegal if fault is not None),  # RK-3, RK-4, RK-8, RK-16
        _too_many(standing, after),
        _gone(gone),
        _not_from_rack(standing, laid),
        _nothing_laid(laid),
        _meld_faults(standing, after, meld),
        _joker_faults(standing, after),
    )
    return Verdict(tuple(faults), laid, meld)


def impossible(standing: TableSets, after: Laid) -> tuple[Fault, ...]:
    """Faults that no players can overrule: tiles that neither the box nor the rack can have."""
    laid = after.tiles.missing_from(standing.before.tiles)
    net = len(after.tiles) - len(standing.before.tiles)
    held = standing.held
    too_many = () if held is None or net <= held else tuple(_not_from_rack(standing, laid))
    return (*_too_many(standing, after), *too_many, *_nothing_laid(laid))


def _too_many(standing: TableSets, after: Laid) -> Iterator[Fault]:
    """RK-1."""
    beyond = standing.box.beyond(after.tiles, standing.elsewhere)
    if beyond.pieces:
        why = message("There are more of {tiles} than the box holds.", tiles=listed(beyond))
        yield Fault("RK-1", beyond, why)


def _gone(gone: Tiles) -> Iterator[Fault]:
    """RK-8, RK-9: no tile of the table may go to a rack."""
    if gone.numbered:
        tiles = Tiles(gone.numbered)
        why = message("{tiles} lay on the table: put back what is gone.", tiles=listed(tiles))
        yield Fault("RK-8", tiles, why)
    if gone.jokers:
        yield Fault(
            "RK-9", Tiles(gone.jokers), message("A joker never goes to a rack: put it back.")
        )


def _not_from_rack(standing: TableSets, laid: Tiles) -> Iterator[Fault]:
    """RK-8: new tiles come from the player's own rack."""
    if standing.rack is not None:
        foreign = laid.missing_from(standing.rack)
        if foreign.pieces:
            why = message("{tiles} did not come from the rack.", tiles=listed(foreign))
            yield Fault("RK-8", foreign, why)
    elif standing.held is not None and len(laid) > standing.held:
        why = message(
            "{laid} new tiles lie there, but the rack held {held}.",
            laid=len(laid),
            held=standing.held,
        )
        yield Fault("RK-8", laid, why)


def _nothing_laid(laid: Tiles) -> Iterator[Fault]:
    """RK-8."""
    if not laid.pieces:
        yield Fault("RK-8", Tiles(), message("No tile came from the rack: lay at least one."))


def _most_together(sets: Sequence[tuple[Counter[Piece], int]], supply: Counter[Piece]) -> int:
    """The highest value of sets of these tiles for which `supply` suffices at once."""
    disputed = [*reduce(Counter.__add__, (counts for counts, _ in sets), Counter[Piece]()) - supply]
    if not disputed:
        return sum(value for _, value in sets)
    from scoreboard.games.rummikub.partition import SetModel  # noqa: PLC0415 -- takes time to load, and few turns need it

    program = SetModel([0] * len(disputed), [supply[tile] for tile in disputed])
    for counts, value in sets:
        used = [(row, counts[tile]) for row, tile in enumerate(disputed) if counts[tile]]
        program.add(used, most=1, worth=value)
    return sum(
        value for (_, value), taken in zip(sets, program.solved() or (), strict=True) if taken
    )


def _meld_faults(standing: TableSets, after: Laid, meld: int | None) -> Iterator[Fault]:
    """RK-5."""
    if meld is None:
        return
    touched = standing.before.without(after)
    if touched and not standing.may_build:
        tiles = in_order(each for laid in touched for each in laid.pieces)
        why = message("The sets on the table are not yours to change in your first meld.")
        yield Fault("RK-5", tiles, why)
    if meld < FIRST_MELD:
        why = message("{meld} of {least} for the first meld.", meld=meld, least=FIRST_MELD)
        yield Fault("RK-5", after.tiles.missing_from(standing.before.tiles), why)


def _joker_faults(standing: TableSets, after: Laid) -> Iterator[Fault]:
    """RK-9, RK-17: a freed joker ends in a new set.

    Not checked while there are more jokers than the box has: twenty jokers in a misread picture
    could have moved in too many ways to try them all in time.
    """
    if standing.may_bridge or standing.box.beyond(after.tiles, standing.elsewhere).pieces:
        return
    if is_lawful(standing.before, after):
        return
    where = [laid for laid in after.without(standing.before) if laid.jokers]
    tiles = (
        Tiles(tuple(each for laid in where for each in laid.pieces)) if where else Tiles((JOKER,))
    )
    why = message("A freed joker goes into a new set, not to one that lay there.")
    yield Fault("RK-9", tiles, why)
