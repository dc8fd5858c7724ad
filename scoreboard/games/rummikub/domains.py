"""The possible fillings of Rummikub's open offers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoreboard.errors import NotationError
from scoreboard.games.engine.game import FaultDomain
from scoreboard.games.engine.scoresheet import Scores
from scoreboard.games.rummikub.referee import TableSets, impossible, judge
from scoreboard.games.rummikub.sets import Laid, is_set
from scoreboard.games.rummikub.tiles import Box, Count, Tiles, listed
from scoreboard.message import Message, message


def parse_table(text: str) -> Laid:
    """Read sets as they were laid or seen, each put in order. Raises NotationError."""
    return Laid.parse(text).in_order


@dataclass(frozen=True, slots=True)
class TableDomain:
    """Tables that end the turn (RK-3 to RK-9): those that the referee accepts.

    Players who overrule it may insist on any that is possible with the box and the rack.
    """

    standing: TableSets
    overruling: bool = False

    parse = staticmethod(parse_table)

    def admits(self, table: Laid) -> bool:
        if self.overruling:
            return not impossible(self.standing, table)
        return judge(self.standing, table).is_accepted


@dataclass(frozen=True, slots=True)
class RestoredDomain(FaultDomain):
    """Tables after a failed turn: legal sets of its earlier tiles (RK-7)."""

    before: Laid

    parse = staticmethod(parse_table)

    def fault(self, table: Laid) -> Message | None:
        foreign = table.tiles.missing_from(self.before.tiles)
        if foreign.pieces:
            return message("{tiles} did not lie there before.", tiles=listed(foreign))
        changed = table.without(self.before)
        for laid in changed:
            if not is_set(laid):
                return message(
                    "{tiles} are no set: what has no place goes into the pool.", tiles=listed(laid)
                )
        if not _are_left_of(changed, self.before.without(table)):
            return message("Put back the sets as they lay; only forgotten tiles may be missing.")
        return None


def _are_left_of(sets: Sequence[Tiles], before: Sequence[Tiles]) -> bool:
    """Whether each of the sets is the rest of another one of those before."""
    if not sets:
        return True
    return any(
        not sets[0].missing_from(old).pieces
        and _are_left_of(sets[1:], [*before[:at], *before[at + 1 :]])
        for at, old in enumerate(before)
    )


def _beyond(box: Box, tiles: Tiles, others: Tiles) -> Message | None:
    """RK-1: these and the others together are no more than the box has."""
    beyond = box.beyond(tiles, others)
    if not beyond.pieces:
        return None
    return message("There are more of {tiles} than the box holds.", tiles=listed(beyond))


@dataclass(frozen=True, slots=True)
class CountDomain(FaultDomain):
    """Possible sizes of a rack: one at least, and no more than the tiles left."""

    most: int

    parse = staticmethod(Count.parse)

    def fault(self, count: Count) -> Message | None:
        if count.tiles is None or 1 <= count.tiles <= self.most:
            return None
        return message("A rack has 1 tile at least, this one {most} at most.", most=self.most)


@dataclass(frozen=True, slots=True)
class RackDomain(FaultDomain):
    """The tiles of one rack: `count` of them, within the box together with all known tiles.

    Uncounted racks have `most` at most.
    """

    box: Box
    visible: Tiles
    count: Count
    most: int

    parse = staticmethod(Tiles.parse)

    def fault(self, tiles: Tiles) -> Message | None:
        if not tiles.pieces:
            return message("Enter the tiles on the rack, as in K7 R12 J.")
        if self.count.tiles not in {None, len(tiles)}:
            return message(
                "You entered {entered} of {counted} tiles: enter them all, or recount the rack.",
                entered=len(tiles),
                counted=self.count.tiles or 0,
            )
        too_many = CountDomain(self.most).fault(Count(len(tiles)))
        if self.count.tiles is None and too_many is not None:
            return too_many
        return _beyond(self.box, tiles, self.visible)


@dataclass(frozen=True, slots=True)
class StartTileDomain(FaultDomain):
    """A tile drawn for the start: no joker, and no copy that others hold already (RK-2)."""

    box: Box
    drawn: Tiles

    parse = staticmethod(Tiles.parse)

    def fault(self, tiles: Tiles) -> Message | None:
        if len(tiles) != 1:
            return message("Enter the one tile that was drawn, as in R12.")
        if tiles.jokers:
            return message("A joker is put back: draw again.")
        return _beyond(self.box, tiles, self.drawn)


@dataclass(frozen=True, slots=True)
class DrawnDomain(FaultDomain):
    """A possible tile of the pool, or none if it is not entered (RK-6)."""

    box: Box
    visible: Tiles

    parse = staticmethod(Tiles.parse)

    def fault(self, tiles: Tiles) -> Message | None:
        if len(tiles) > 1:
            return message("One tile is drawn, not {tiles}.", tiles=len(tiles))
        return _beyond(self.box, tiles, self.visible) if tiles.pieces else None


def parse_cost(text: str) -> int:
    """The cost of a rack, written with a minus or without. Raises NotationError."""
    numbers = Scores.parse(text).numbers
    if len(numbers) != 1:
        raise NotationError(message("Enter one number: what the rack costs, as in 24."))
    return abs(numbers[0])


@dataclass(frozen=True, slots=True)
class PointsDomain(FaultDomain):
    """Possible costs of a rack: from one point to the cost of all tiles together."""

    most: int

    parse = staticmethod(parse_cost)

    def fault(self, cost: int) -> Message | None:
        if 1 <= cost <= self.most:
            return None
        return message("A rack costs 1 to {most} points, not {cost}.", most=self.most, cost=cost)


@dataclass(frozen=True, slots=True)
class ScoresDomain(FaultDomain):
    """The scores of a round: one a player; only the winner's a plus (RK-11).

    `total` is what they add up to: 0, or what a league gives for going out. `winner` is None if it
    is unknown who emptied the rack; `stopped` when the round ended with no rack empty, so that
    several may share the plus (RK-13).
    """

    players: int
    winner: int | None
    stopped: bool = False
    total: int = 0

    parse = staticmethod(Scores.parse)

    def fault(self, scores: Scores) -> Message | None:
        if len(scores) != self.players:
            return message(
                "Enter {players} numbers, one a player in the order of the seats.",
                players=self.players,
            )
        if scores.total != self.total:
            return message(
                "The scores of a round add up to {total}, these to {sum}: look for the mistake.",
                total=self.total,
                sum=scores.total,
            )
        lost = [each < 0 for seat, each in enumerate(scores.numbers) if seat != self.winner]
        if self.winner is not None and not all(lost):
            return message("Who did not empty the rack loses points in this round.")
        gained = sorted(each for each in scores.numbers if each >= 0)
        return self._sharing_fault(gained) if len(gained) > 1 else None

    def _sharing_fault(self, gained: list[int]) -> Message | None:
        """RK-11, RK-13: several gain only if no rack was emptied, and then equally."""
        if not self.stopped:
            return message(
                "One player wins a round, and everyone else loses points. Nobody went out, and "
                "the lowest racks were equal? Then say first who laid nothing."
            )
        share, rest = divmod(sum(gained), len(gained))
        if gained != sorted([share] * (len(gained) - 1) + [share + rest]):
            return message(
                "Equal lowest racks share what the others lose: {share} each, and the odd points "
                "({rest}) go to who would have played next.",
                share=share,
                rest=rest,
            )
        return None
