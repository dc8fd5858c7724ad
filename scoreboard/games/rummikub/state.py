"""Where a game of Rummikub stands: the rounds played, and the one that is open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from scoreboard.games.rummikub.box import DEALT, Box
from scoreboard.games.rummikub.count import UNKNOWN, Count
from scoreboard.games.rummikub.house import HouseRules
from scoreboard.games.rummikub.laid import NO_SETS, Laid
from scoreboard.games.rummikub.referee import Standing
from scoreboard.games.rummikub.scoring import Scores
from scoreboard.games.rummikub.tiles import Piece, Tile, Tiles

Stage = Literal["drawing", "playing", "restoring", "counting"]


@dataclass(frozen=True, slots=True)
class Rack:
    """A player's rack: how many tiles are on it, and which where that is known."""

    count: Count = UNKNOWN
    tiles: Tiles | None = None

    def with_more(self, tiles: int) -> Rack:
        """After so many unknown tiles came to it."""
        return Rack(self.count.changed(tiles), self.tiles if tiles == 0 else None)

    def without(self, laid: Tiles) -> Rack:
        """After these tiles left it; a rack that should not have had them is only counted."""
        count = self.count.changed(-len(laid))
        if self.tiles is None or laid.missing_from(self.tiles).pieces:
            return Rack(count)
        return Rack(count, self.tiles.missing_from(laid))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A tile that a player drew for the start (RK-2)."""

    seat: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class Round:
    """One round.

    `seat` is whose turn it is, or whose table must be put back ("restoring"); `idle` counts who
    laid nothing, one after the other, on an empty pool; `dry` tells that the failed turn began
    with an empty pool, and `drawn` how many tiles it cost. While racks are counted, `winner`
    emptied theirs (None: nobody), `costs` are the racks' sums as far as they are known, and
    `seat` is who would have played next.
    """

    stage: Stage
    racks: tuple[Rack, ...]
    melded: tuple[bool, ...]
    draws: tuple[Drawn, ...] = ()
    seat: int = 0
    table: Laid = NO_SETS
    idle: int = 0
    dry: bool = False
    drawn: int = 0
    winner: int | None = None
    costs: tuple[int | None, ...] = ()

    @classmethod
    def fresh(cls, players: int, *, judged: bool) -> Round:
        """Before the draw for the start; where turns are not judged, before the round's end."""
        rack = Rack(Count(DEALT)) if judged else Rack()
        stage: Stage = "drawing" if judged else "playing"
        return cls(stage, (rack,) * players, (False,) * players)

    def with_rack(self, seat: int, rack: Rack) -> Round:
        """With another rack at this seat."""
        return replace(self, racks=(*self.racks[:seat], rack, *self.racks[seat + 1 :]))


@dataclass(frozen=True, slots=True)
class State:
    """A game between two events.

    `scores` are those of the finished rounds; `turns` counts what the table waited for so far.
    """

    players: tuple[str, ...]
    box: Box
    house: HouseRules
    round: Round
    scores: tuple[Scores, ...] = ()
    turns: int = 0
    ended: bool = False

    @property
    def seats(self) -> range:
        """All seats."""
        return range(len(self.players))

    def others(self, seat: int) -> tuple[int, ...]:
        """All seats but this one."""
        return tuple(each for each in self.seats if each != seat)

    @property
    def totals(self) -> tuple[int, ...]:
        """RK-14: the rounds added up."""
        return tuple(sum(scores[seat] for scores in self.scores) for seat in self.seats)

    @property
    def left(self) -> int:
        """How many tiles are for sure neither on the table nor on a rack.

        A rack that nobody counted has one at least.
        """
        return self.left_without(self.seats)

    def left_without(self, seats: Iterable[int]) -> int:
        """How many there are beside the table and the racks of these seats."""
        counts = (self.round.racks[seat].count.tiles for seat in seats)
        held = sum(1 if tiles is None else tiles for tiles in counts)
        return len(self.box) - len(self.round.table.tiles) - held

    @property
    def pool(self) -> int | None:
        """How many tiles are in the pool, None while some rack is not counted."""
        counted = all(rack.count.tiles is not None for rack in self.round.racks)
        return self.left if counted else None

    @property
    def in_sight(self) -> Tiles:
        """The tiles that are known to lie on the table or on a rack."""
        return Tiles((*self.round.table.tiles.pieces, *self._on_racks(self.seats)))

    def _on_racks(self, seats: Iterable[int]) -> Iterator[Piece]:
        for seat in seats:
            tiles = self.round.racks[seat].tiles
            yield from () if tiles is None else tiles.pieces

    @property
    def standing(self) -> Standing:
        """The open turn as the referee must know it."""
        here, house = self.round, self.house
        rack, others = here.racks[here.seat], self.others(here.seat)
        return Standing(
            before=here.table,
            melded=here.melded[here.seat],
            rack=rack.tiles,
            held=self.left_without(others) if rack.count.tiles is None else rack.count.tiles,
            elsewhere=Tiles(tuple(self._on_racks(others))),
            box=self.box,
            may_build=house.may_build,
            may_bridge=house.may_bridge,
        )
