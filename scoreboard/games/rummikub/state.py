"""The state of a game: rounds, racks, totals; and how each event changes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from scoreboard.games.engine.game import RollOff
from scoreboard.games.rummikub import acts
from scoreboard.games.rummikub.house import HouseRules
from scoreboard.games.rummikub.referee import TableSets
from scoreboard.games.rummikub.sets import NO_SETS, Laid
from scoreboard.games.rummikub.tiles import DEALT, UNKNOWN, Box, Count, Piece, Tile, Tiles

Points = tuple[int, ...]


def after_rummikub(costs: Sequence[int], winner: int) -> Points:
    """RK-11: the player with the empty rack gains the cost of all others, in seat order.

    `costs` are the racks' sums, the winner's 0.
    """
    return tuple(sum(costs) if seat == winner else -cost for seat, cost in enumerate(costs))


def after_stalemate(costs: Sequence[int], to_play: int) -> Points:
    """RK-13: the lowest rack gains the others' excess over it, in seat order.

    Several lowest racks share it, rounded down; the remainder goes to the first of them in turn
    order from `to_play` on, the seat after the player who laid nothing.
    """
    lowest = min(costs)
    losses = [cost - lowest for cost in costs]
    winners = [seat for seat, loss in enumerate(losses) if not loss]
    share, rest = divmod(sum(losses), len(winners))
    first = min(winners, key=lambda seat: (seat - to_play) % len(costs))
    return tuple(
        share + (rest if seat == first else 0) if seat in winners else -loss
        for seat, loss in enumerate(losses)
    )


Stage = Literal["drawing", "playing", "restoring", "counting"]


@dataclass(frozen=True, slots=True)
class Rack:
    """A player's rack: its number of tiles, and the tiles if known."""

    count: Count = UNKNOWN
    tiles: Tiles | None = None

    def with_more(self, tiles: int) -> Rack:
        return Rack(self.count.changed(tiles), self.tiles if tiles == 0 else None)

    def with_drawn(self, tile: Tiles) -> Rack:
        """After a tile was drawn; none if not entered."""
        if self.tiles is None or not tile.pieces:
            return self.with_more(1)
        return Rack(self.count.changed(1), Tiles((*self.tiles.pieces, *tile.pieces)))

    def without(self, laid: Tiles) -> Rack:
        """After these tiles left it; a rack that should not have had them becomes unknown."""
        count = self.count.changed(-len(laid))
        if self.tiles is None or laid.missing_from(self.tiles).pieces:
            return Rack(count)
        return Rack(count, self.tiles.missing_from(laid))


@dataclass(frozen=True, slots=True)
class Round:
    """One round.

    `draws` are the tiles drawn for the start, each with its seat (RK-2). `seat` is in turn, or must
    put back the table ("restoring"), and `extended` is how often this turn was; `idle` counts the
    players in a row who laid nothing on an empty pool; `dry`: the failed turn began with an empty
    pool, and `drawn` how many tiles it cost. `taken` counts the tiles that each took from the pool
    since the deal, `penalties` those of them for failed turns. While racks are counted, `winner`
    emptied theirs (or None), `costs` are the racks' sums as far as they are known, and `seat` would
    have played next.
    """

    stage: Stage
    racks: tuple[Rack, ...]
    melded: tuple[bool, ...]
    draws: tuple[tuple[int, Tile], ...] = ()
    seat: int = 0
    table: Laid = NO_SETS
    idle: int = 0
    dry: bool = False
    drawn: int = 0
    extended: int = 0
    taken: tuple[int, ...] = ()
    penalties: tuple[int, ...] = ()
    winner: int | None = None
    costs: tuple[int | None, ...] = ()

    @classmethod
    def fresh(cls, players: int, house: HouseRules) -> Round:
        """Before the draw for the start; without entered turns, before the round's end."""
        rack = Rack(Count(DEALT)) if house.judged else Rack()
        stage: Stage = "drawing" if house.in_turns else "playing"
        none = (0,) * players
        return cls(stage, (rack,) * players, (False,) * players, taken=none, penalties=none)

    def with_rack(self, seat: int, rack: Rack, /, **changes: Any) -> Round:
        """With another rack at this seat, and other changes."""
        racks = (*self.racks[:seat], rack, *self.racks[seat + 1 :])
        return replace(self, racks=racks, **changes)

    def with_taken(self, tiles: int, *, penalty: int = 0, **changes: Any) -> Round:
        """With that many more tiles for the player at turn, some of them for a failed turn."""
        return self.with_rack(
            self.seat,
            self.racks[self.seat].with_more(tiles),
            taken=_added(self.taken, self.seat, tiles),
            penalties=_added(self.penalties, self.seat, penalty),
            **changes,
        )


def _added(counts: tuple[int, ...], seat: int, tiles: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + tiles, *counts[seat + 1 :])


@dataclass(frozen=True, slots=True)
class State:
    """A game between two events.

    `scores` are those of the finished rounds; `turns` counts the questions of the table so far.
    `beginner` is the seat that began the last round, and `extended` how often each seat's turns
    were.
    """

    players: tuple[str, ...]
    box: Box
    house: HouseRules
    round: Round
    scores: tuple[Points, ...] = ()
    turns: int = 0
    beginner: int = 0
    extended: tuple[int, ...] = ()
    ended: bool = False

    @property
    def seats(self) -> range:
        return range(len(self.players))

    def others(self, seat: int) -> tuple[int, ...]:
        return tuple(each for each in self.seats if each != seat)

    @property
    def totals(self) -> tuple[int, ...]:
        """RK-14: the rounds added up."""
        return tuple(sum(scores[seat] for scores in self.scores) for seat in self.seats)

    @property
    def left(self) -> int:
        """How many tiles are certainly neither on the table nor on a rack.

        An uncounted rack has one at least.
        """
        return self.left_without(self.seats)

    def left_without(self, seats: Iterable[int]) -> int:
        """The number of tiles that are neither on the table nor on the racks of these seats."""
        counts = (self.round.racks[seat].count.tiles for seat in seats)
        held = sum(1 if tiles is None else tiles for tiles in counts)
        return len(self.box) - len(self.round.table.tiles) - held

    @property
    def pool(self) -> int | None:
        """How many tiles are in the pool, None while some rack is uncounted."""
        return self.left if all(rack.count.tiles is not None for rack in self.round.racks) else None

    @property
    def visible(self) -> Tiles:
        """The tiles known to be on the table or on a rack."""
        return Tiles((*self.round.table.tiles.pieces, *self._on_racks(self.seats)))

    def _on_racks(self, seats: Iterable[int]) -> Iterator[Piece]:
        for seat in seats:
            tiles = self.round.racks[seat].tiles
            yield from () if tiles is None else tiles.pieces

    @property
    def standing(self) -> TableSets:
        return self.standing_of(self.round.seat)

    def standing_of(self, seat: int) -> TableSets:
        here, house = self.round, self.house
        rack, others = here.racks[seat], self.others(seat)
        return TableSets(
            before=here.table,
            melded=here.melded[seat],
            rack=rack.tiles,
            held=self.left_without(others) if rack.count.tiles is None else rack.count.tiles,
            elsewhere=Tiles(tuple(self._on_racks(others))),
            box=self.box,
            may_build=house.may_build,
            may_bridge=house.may_bridge,
        )


def roll_off(here: Round) -> RollOff:
    """The highest number begins; those tied for it draw again, in seat order (RK-2)."""
    return RollOff.of(range(len(here.racks)), [(seat, tile.number) for seat, tile in here.draws])


def evolve(state: State, event: acts.Event) -> State:  # noqa: PLR0911 -- one arm a member
    """The state after an event; never refuses, never recomputes points."""
    match event:
        case acts.RoundScored(points):
            return replace(
                state,
                scores=(*state.scores, points.numbers),
                round=Round.fresh(len(state.players), state.house),
                turns=state.turns + 1,
            )
        case acts.RoundCorrected(number, points):
            scores = (*state.scores[: number - 1], points.numbers, *state.scores[number:])
            return replace(state, scores=scores)
        case acts.TurnReopened():
            here = replace(state.round, extended=state.round.extended + 1)
            extended = _added(state.extended, state.round.seat, 1)
            return replace(state, round=here, extended=extended)
        case acts.GameEnded():
            return replace(state, ended=True)
        case acts.RackCounted() | acts.RackShown() | acts.RackSummed():
            return replace(state, round=_racked(state, event))
        case acts.BeginnerNamed(player):
            seat = state.players.index(player)
            here = replace(state.round, stage="playing", seat=seat)
            return replace(state, round=here, beginner=seat, turns=state.turns + 1)
        case _:
            return replace(state, round=_moved(state, event), turns=state.turns + 1)


def _racked(state: State, event: acts.RackCounted | acts.RackShown | acts.RackSummed) -> Round:
    here, seat = state.round, state.players.index(event.player)
    match event:
        case acts.RackCounted(count=count):
            return here.with_rack(seat, Rack(count))
        case acts.RackShown(tiles=tiles):
            return here.with_rack(seat, Rack(Count(len(tiles)), tiles))
        case acts.RackSummed(tiles=tiles, points=points):
            costs = (*here.costs[:seat], points, *here.costs[seat + 1 :])
            rack = Rack(Count(len(tiles)), tiles) if tiles.pieces else here.racks[seat]
            return here.with_rack(seat, rack, costs=costs)


def _moved(state: State, event: acts.Event) -> Round:  # noqa: C901, PLR0911 -- one arm a member
    here = state.round
    match event:
        case acts.StartDrawn(player, tile):
            drawn = state.players.index(player), tile.numbered[0]
            return replace(here, draws=(*here.draws, drawn))
        case acts.TilesLaid(table=table, laid=laid):
            gone = here.table.tiles.missing_from(table.tiles)
            rack = here.racks[here.seat].without(laid).with_more(len(gone))
            melded = (*here.melded[: here.seat], True, *here.melded[here.seat + 1 :])
            changes = {"table": table, "melded": melded, "idle": 0, **_passing(here)}
            return here.with_rack(here.seat, rack, **changes)
        case acts.TileDrawn(tile=tile):
            rack = here.racks[here.seat].with_drawn(tile)
            taken = _added(here.taken, here.seat, 1)
            return here.with_rack(here.seat, rack, taken=taken, idle=0, **_passing(here))
        case acts.TurnEnded():
            return _passed(here)
        case acts.TurnPassed():
            return _passed(here, idle=here.idle + 1)
        case acts.TurnFailed(drawn=drawn):
            why = {"stage": "restoring", "drawn": drawn, "dry": state.left == 0}
            return here.with_taken(drawn, penalty=drawn, **why)
        case acts.TableRestored(table):
            return _restored(state, replace(here, table=table))
        case acts.PenaltyReduced(drawn=drawn):
            # a pass, no penalty (RK-18)
            return _restored(state, here.with_taken(drawn - here.drawn, penalty=-here.drawn))
        case acts.RummikubCalled(player):
            return _counting(here, state.players.index(player))
        case acts.RoundStopped(player):
            return replace(_counting(here, None), seat=_next(here, state.players.index(player)))
        case _:
            return here


def _restored(state: State, here: Round) -> Round:
    """RK-12: a failed player laid nothing; forgotten tiles may have refilled the pool."""
    pool_again = state.house.until_nobody_lays and replace(state, round=here).left > 0
    idle = here.idle + 1 if here.dry and not pool_again else 0
    return _passed(here, stage="playing", idle=idle)


def _passed(here: Round, **changes: Any) -> Round:
    return replace(here, **changes, **_passing(here))


def _passing(here: Round) -> dict[str, Any]:
    """The turn goes clockwise (RK-2)."""
    return {"seat": _next(here, here.seat), "drawn": 0, "dry": False, "extended": 0}


def _next(here: Round, seat: int) -> int:
    return (seat + 1) % len(here.racks)


def _counting(here: Round, winner: int | None) -> Round:
    costs = tuple(0 if seat == winner else None for seat in range(len(here.racks)))
    counting = replace(here, stage="counting", winner=winner, costs=costs)
    return counting if winner is None else counting.with_rack(winner, Rack(Count(0)))
