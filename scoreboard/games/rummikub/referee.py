"""The referee of a turn: judges the table after it by the table before (RK-1 to RK-9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, permutations, product
from typing import Final, NamedTuple

from scoreboard.games.engine.game import Remark
from scoreboard.games.rummikub.sets import Laid, best, fault_of
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

GONE: Final = -1


class Bond(NamedTuple):
    """An assumption about a tile's copies from `source`: that all are in `target`, or not."""

    tile: Tile
    source: int
    target: int
    inside: bool = True


Choices = list[list[list[Bond]]]  # of each one alternative is true, with all of its bonds


def is_lawful(before: Laid, after: Laid) -> bool:
    """Whether there is a story in which every freed joker is in a new set."""
    sources = [at for at, laid in enumerate(before.sets) for _ in laid.jokers]
    targets = [at for at, laid in enumerate(after.sets) for _ in laid.jokers]
    targets += [GONE] * (len(sources) - len(targets))
    for chosen in set(permutations(targets, len(sources))):  # equal ones only once
        moves = [*zip(sources, chosen, strict=True)]
        stories = (_stories(before, after, moves, each) for each in {*chosen} - {GONE})
        if any(_is_possible(before, after, [*chain(*each)]) for each in product(*stories)):
            return True
    return False


def _stories(
    before: Laid, after: Laid, moves: Sequence[tuple[int, int]], target: int
) -> list[Choices]:
    """How jokers came to `target`: each with the whole of its set, or freed, as no set is whole."""
    moved = {source for source, to in moves if to == target}
    wholes = {
        at: [Bond(tile, at, target) for tile in laid.numbered]
        for at, laid in enumerate(before.sets)
        if not laid.missing_from(after.sets[target]).pieces
        and all(to == target for source, to in moves if source == at)
    }
    freed = [[[bond._replace(inside=False)] for bond in whole] for whole in wholes.values()]
    return [freed, [[wholes[at]] for at in moved]] if moved <= wholes.keys() else [freed]


def _is_possible(before: Laid, after: Laid, choices: Choices, bound: Sequence[Bond] = ()) -> bool:
    """Whether one alternative of each choice may be true, together with what is assumed."""
    return not choices or any(
        all(_fits(before, after, tile, [*bound, *bonds]) for tile in {each.tile for each in bonds})
        and _is_possible(before, after, choices[1:], [*bound, *bonds])
        for bonds in choices[0]
    )


def _fits(before: Laid, after: Laid, tile: Tile, bound: Sequence[Bond]) -> bool:
    """Whether the copies of the tile can be placed so."""
    sources, homes = _places(before, tile), _places(after, tile)
    homes += [GONE] * (len(sources) - len(homes))
    wanted = [bond for bond in bound if bond.tile == tile]
    return any(
        all(_holds(bond, sources, placed) for bond in wanted)
        for placed in set(permutations(homes, len(sources)))
    )


def _places(table: Laid, tile: Tile) -> list[int]:
    """The set of each copy of the tile."""
    return [at for at, laid in enumerate(table.sets) for each in laid.numbered if each == tile]


def _holds(bond: Bond, sources: Sequence[int], homes: Sequence[int]) -> bool:
    """Whether it is true when each copy, known by its set before, has that home now."""
    own = (home for source, home in zip(sources, homes, strict=True) if source == bond.source)
    return all(home == bond.target for home in own) == bond.inside


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

    faults: tuple[Remark, ...]
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


def impossible(standing: TableSets, after: Laid) -> tuple[Remark, ...]:
    """Faults that no players can overrule: tiles that neither the box nor the rack can have."""
    laid = after.tiles.missing_from(standing.before.tiles)
    net = len(after.tiles) - len(standing.before.tiles)
    held = standing.held
    too_many = () if held is None or net <= held else tuple(_not_from_rack(standing, laid))
    return (*_too_many(standing, after), *too_many, *_nothing_laid(laid))


def _too_many(standing: TableSets, after: Laid) -> Iterator[Remark]:
    """RK-1."""
    beyond = standing.box.beyond(after.tiles, standing.elsewhere)
    if beyond.pieces:
        why = message("There are more of {tiles} than the box holds.", tiles=listed(beyond))
        yield Remark("RK-1", why, beyond.labels)


def _gone(gone: Tiles) -> Iterator[Remark]:
    """RK-8, RK-9: no tile of the table may go to a rack."""
    if gone.numbered:
        tiles = Tiles(gone.numbered)
        why = message("{tiles} lay on the table: put back what is gone.", tiles=listed(tiles))
        yield Remark("RK-8", why, tiles.labels)
    if gone.jokers:
        why = message("A joker never goes to a rack: put it back.")
        yield Remark("RK-9", why, Tiles(gone.jokers).labels)


def _not_from_rack(standing: TableSets, laid: Tiles) -> Iterator[Remark]:
    """RK-8: new tiles come from the player's own rack."""
    if standing.rack is not None:
        foreign = laid.missing_from(standing.rack)
        if foreign.pieces:
            why = message("{tiles} did not come from the rack.", tiles=listed(foreign))
            yield Remark("RK-8", why, foreign.labels)
    elif standing.held is not None and len(laid) > standing.held:
        why = message(
            "{laid} new tiles lie there, but the rack held {held}.",
            laid=len(laid),
            held=standing.held,
        )
        yield Remark("RK-8", why, laid.labels)


def _nothing_laid(laid: Tiles) -> Iterator[Remark]:
    """RK-8."""
    if not laid.pieces:
        yield Remark("RK-8", message("No tile came from the rack: lay at least one."))


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
    return sum(value for (_, value), kept in zip(sets, program.solved() or (), strict=True) if kept)


def _meld_faults(standing: TableSets, after: Laid, meld: int | None) -> Iterator[Remark]:
    """RK-5."""
    if meld is None:
        return
    touched = standing.before.without(after)
    if touched and not standing.may_build:
        tiles = in_order(each for laid in touched for each in laid.pieces)
        why = message("The sets on the table are not yours to change in your first meld.")
        yield Remark("RK-5", why, tiles.labels)
    if meld < FIRST_MELD:
        why = message("{meld} of {least} for the first meld.", meld=meld, least=FIRST_MELD)
        yield Remark("RK-5", why, after.tiles.missing_from(standing.before.tiles).labels)


def _joker_faults(standing: TableSets, after: Laid) -> Iterator[Remark]:
    """RK-9, RK-17: a freed joker ends in a new set.

    Not checked while there are more jokers than the box has: twenty jokers in a misread picture
    could have moved in too many ways to try them all in time.
    """
    if standing.may_bridge or standing.box.beyond(after.tiles, standing.elsewhere).pieces:
        return
    if is_lawful(standing.before, after):
        return
    where = [laid for laid in after.without(standing.before) if laid.jokers]
    tiles = Tiles(tuple(each for laid in where for each in laid.pieces) if where else (JOKER,))
    why = message("A freed joker goes into a new set, not to one that lay there.")
    yield Remark("RK-9", why, tiles.labels)
