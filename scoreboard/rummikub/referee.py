"""The referee of a turn: judges the table after it by the table before (RK-1 to RK-9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final

from scoreboard.phrase import phrase
from scoreboard.rummikub.box import CLASSIC, Box
from scoreboard.rummikub.fault import Fault, fault_of
from scoreboard.rummikub.laid import Laid
from scoreboard.rummikub.naming import listed
from scoreboard.rummikub.sets import best
from scoreboard.rummikub.stories import is_lawful
from scoreboard.tiles import JOKER, NO_TILES, Tiles, in_order

FIRST_MELD: Final = 30


@dataclass(frozen=True, slots=True)
class Standing:
    """How a turn begins.

    `melded` tells whether its player has made the initial meld; `rack` what is on the rack,
    None where only the number of tiles, `held`, is known (None: not even that); `elsewhere` are
    the tiles known to be on other racks. The house rules: `may_build` on the table in the turn
    of the meld (RK-5), and whether a freed joker `may_bridge` old sets (RK-17).
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
    """What the referee says: every fault at once, the tiles that came from the rack.

    `meld` is what the sets of a first meld are worth, None for who has melded before.
    """

    faults: tuple[Fault, ...]
    laid: Tiles
    meld: int | None = None

    @property
    def stands(self) -> bool:
        """Whether the turn is accepted."""
        return not self.faults


def judge(standing: Standing, after: Laid) -> Verdict:
    """Judge a turn by the tables before and after it."""
    gone = standing.before.tiles.missing_from(after.tiles)
    laid = after.tiles.missing_from(standing.before.tiles)
    meld = None if standing.melded else _melded(standing, after, laid)
    faults = chain(
        _illegal_sets(standing, after),
        _too_many(standing, after),
        _gone(gone),
        _not_from_rack(standing, laid),
        _nothing_laid(laid),
        _meld_faults(standing, after, meld),
        _joker_faults(standing, after),
    )
    return Verdict(tuple(faults), laid, meld)


def impossible(standing: Standing, after: Laid) -> tuple[Fault, ...]:
    """What no players can insist on: tiles that neither the box nor the rack can have."""
    laid = after.tiles.missing_from(standing.before.tiles)
    net = len(after.tiles) - len(standing.before.tiles)
    held = standing.held
    too_many = () if held is None or net <= held else tuple(_not_from_rack(standing, laid))
    return (*_too_many(standing, after), *too_many, *_nothing_laid(laid))


def _illegal_sets(standing: Standing, after: Laid) -> Iterator[Fault]:
    """RK-3, RK-4, RK-8, RK-16; what lay there unchanged was accepted before."""
    for laid in after.without(standing.before):
        fault = fault_of(laid)
        if fault is not None:
            yield fault


def _too_many(standing: Standing, after: Laid) -> Iterator[Fault]:
    """RK-1."""
    beyond = standing.box.beyond(Tiles((*after.tiles.pieces, *standing.elsewhere.pieces)))
    if beyond.pieces:
        why = phrase("There are more of {tiles} than the box holds.", tiles=listed(beyond))
        yield Fault("RK-1", beyond, why)


def _gone(gone: Tiles) -> Iterator[Fault]:
    """RK-8, RK-9: nothing that lay on the table may go to a rack."""
    if gone.numbered:
        tiles = Tiles(gone.numbered)
        why = phrase("{tiles} lay on the table: put back what is gone.", tiles=listed(tiles))
        yield Fault("RK-8", tiles, why)
    if gone.jokers:
        yield Fault(
            "RK-9", Tiles(gone.jokers), phrase("A joker never goes to a rack: put it back.")
        )


def _not_from_rack(standing: Standing, laid: Tiles) -> Iterator[Fault]:
    """RK-8: what is new comes from the player's own rack."""
    if standing.rack is not None:
        foreign = laid.missing_from(standing.rack)
        if foreign.pieces:
            why = phrase("{tiles} did not come from the rack.", tiles=listed(foreign))
            yield Fault("RK-8", foreign, why)
    elif standing.held is not None and len(laid) > standing.held:
        why = phrase(
            "{laid} new tiles lie there, but the rack held {held}.",
            laid=len(laid),
            held=standing.held,
        )
        yield Fault("RK-8", laid, why)


def _nothing_laid(laid: Tiles) -> Iterator[Fault]:
    """RK-8."""
    if not laid.pieces:
        yield Fault("RK-8", Tiles(), phrase("No tile came from the rack: lay at least one."))


def _melded(standing: Standing, after: Laid, laid: Tiles) -> int:
    """RK-5: what the new sets that come from the rack alone are worth together."""
    fresh = [each for each in after.without(standing.before) if best(each) is not None]
    return max(
        sum(_worth(each) for each in chosen)
        for size in range(len(fresh) + 1)
        for chosen in combinations(fresh, size)
        if not sum((each.counts for each in chosen), Counter()) - laid.counts
    )


def _worth(laid: Tiles) -> int:
    reading = best(laid)
    return 0 if reading is None else reading.value


def _meld_faults(standing: Standing, after: Laid, meld: int | None) -> Iterator[Fault]:
    """RK-5."""
    if meld is None:
        return
    touched = standing.before.without(after)
    if touched and not standing.may_build:
        tiles = in_order(each for laid in touched for each in laid.pieces)
        why = phrase("The sets on the table are not yours to change in your first meld.")
        yield Fault("RK-5", tiles, why)
    if meld < FIRST_MELD:
        why = phrase("{meld} of {least} for the first meld.", meld=meld, least=FIRST_MELD)
        yield Fault("RK-5", after.tiles.missing_from(standing.before.tiles), why)


def _joker_faults(standing: Standing, after: Laid) -> Iterator[Fault]:
    """RK-9, RK-17: a freed joker ends in a new set."""
    if standing.may_bridge or is_lawful(standing.before, after):
        return
    where = [laid for laid in after.without(standing.before) if laid.jokers]
    tiles = (
        Tiles(tuple(each for laid in where for each in laid.pieces)) if where else Tiles((JOKER,))
    )
    why = phrase("A freed joker goes into a new set, not to one that lay there.")
    yield Fault("RK-9", tiles, why)
