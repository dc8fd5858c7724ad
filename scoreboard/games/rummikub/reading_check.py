"""What the referee says of tiles that are seen, before anyone confirms them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from scoreboard.games.engine.game import Judgement, OpenOffer, Remark
from scoreboard.games.rummikub.box import points
from scoreboard.games.rummikub.domains import RackDomain, StartTileDomain
from scoreboard.games.rummikub.laid import Laid
from scoreboard.games.rummikub.offers import offers
from scoreboard.games.rummikub.referee import judge
from scoreboard.games.rummikub.state import State
from scoreboard.games.rummikub.tile_names import listed
from scoreboard.games.rummikub.tiles import Piece, Tiles
from scoreboard.message import message


def judgement(state: State, offer: str, pieces: str) -> Judgement:
    """Judge what is seen for that offer: a table, a table put back, a rack, or one tile.

    Raises:
        NotationError: the pieces are no tiles.
        ValueError: no tiles fill that offer now.
    """
    if offer == "lay":
        return _turn(state, Laid.parse(pieces))
    if offer == "restored":
        return _put_back(state.round.table, Laid.parse(pieces))
    return _filling(state, offer, Tiles.parse(pieces))


def _turn(state: State, table: Laid) -> Judgement:
    """RK-3 to RK-9."""
    before = state.round.table
    verdict = judge(state.standing, table)
    return Judgement(
        message("End the turn: {tiles} laid", tiles=listed(verdict.laid)),
        tuple(Remark(each.rule, each.message, _labels(each.tiles)) for each in verdict.faults),
        _labels(verdict.laid),
        changed=bool(table.without(before) or before.without(table)),
    )


def _put_back(before: Laid, table: Laid) -> Judgement:
    """RK-7: which tiles still lie elsewhere."""
    label = message("All tiles lie as before")
    remarks = tuple(_elsewhere(before, table))
    return Judgement(label, remarks, changed=bool(remarks))


def _elsewhere(before: Laid, table: Laid) -> Iterator[Remark]:
    """What is missing, what does not belong here, and what lies in another set than before."""
    missing = before.tiles.missing_from(table.tiles)
    if missing.pieces:
        why = message("Missing on the table: {tiles}.", tiles=listed(missing))
        yield Remark("RK-7", why, _labels(missing))
    foreign = table.tiles.missing_from(before.tiles)
    if foreign.pieces:
        why = message("Back to the rack: {tiles}.", tiles=listed(foreign))
        yield Remark("RK-7", why, _labels(foreign))
    strays = _strays(before, table) - Counter(foreign.pieces)
    if strays:
        tiles = Tiles(tuple(strays.elements()))
        why = message("Still in another place: {tiles}.", tiles=listed(tiles))
        yield Remark("RK-7", why, _labels(tiles))


def _strays(before: Laid, table: Laid) -> Counter[Piece]:
    """The tiles that are not in the set in which they lay.

    Sets before and now that have most in common are taken for the same one.
    """
    old, now = list(before.without(table)), list(table.without(before))
    strays: Counter[Piece] = Counter()
    while old and now:
        same, laid = max(product(old, now), key=lambda each: _shared(*each).total())
        if not _shared(same, laid):
            break
        strays += laid.counts - same.counts
        old.remove(same)
        now.remove(laid)
    return sum((laid.counts for laid in now), strays)


def _shared(one: Tiles, other: Tiles) -> Counter[Piece]:
    return one.counts & other.counts


def _filling(state: State, offer: str, tiles: Tiles) -> Judgement:
    """RK-2, RK-11."""
    found = next((each for each in offers(state) if each.key == offer), None)
    domain = found.domain if isinstance(found, OpenOffer) else None
    if not isinstance(domain, RackDomain | StartTileDomain) or found is None:
        raise ValueError(f"No tiles fill “{offer}” now.")
    fault = domain.fault(tiles)
    remarks = () if fault is None else (Remark(found.rule, fault, _labels(tiles)),)
    if isinstance(domain, StartTileDomain):
        label = message("{label}: {tile}", label=found.label, tile=listed(tiles))
        return Judgement(label, remarks, _labels(tiles))
    cost = points(tiles, state.house.joker)
    label = message(
        "{label}: {tiles} tiles, {points} points", label=found.label, tiles=len(tiles), points=cost
    )
    return Judgement(label, remarks, _labels(tiles))


def _labels(tiles: Tiles) -> tuple[str, ...]:
    return tuple(map(str, tiles.pieces))
