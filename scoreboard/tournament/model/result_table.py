"""The results behind a standing: each entrant's, round by round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import nlargest
from math import lcm
from typing import Literal, NamedTuple

from scoreboard.tournament.model.scores import Points, total


class SeatResult(NamedTuple):
    """One entrant's round: opponents at the table, and the result.

    A tuple, since a large tournament makes thousands of them for each look at its standings.

    `opponents` is empty for a bye, a round missed and a score played alone; `games` are the scores
    of each game that was played to its end, by the table's own sheets, `wins` the games won,
    `score` the sum of all sheets.
    """

    round: int
    opponents: tuple[int, ...]
    points: Points
    wins: Points = 0
    games: tuple[int, ...] = ()
    score: int = 0
    meeting: int = 1


@dataclass(frozen=True, slots=True)
class CountedGames:
    """The results that are added: those of the `best` meetings or rounds, 0 for all."""

    best: int = 0
    unit: Literal["round", "meeting"] = "round"


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The results of all ranked entrants, by entrant and round, with their totals.

    `earlier` is the place in the stage before, if any; `play_offs` and `lots` are orders of
    entrants, best first, the latest last; `losses_allowed` is how many losses put one out, 0
    without elimination; with `third_place` two who are out may meet once more; `better` is the
    format's. `parts` are the totals as whole numbers, `scale` of which make a point, since sums of
    sums of shared points are slow in fractions. Make it with `result_table`.
    """

    results: Mapping[int, Mapping[int, SeatResult]]
    totals: Mapping[int, Points]
    parts: Mapping[int, int]
    scale: int = 1
    earlier: Mapping[int, int] = field(default_factory=dict)
    play_offs: tuple[tuple[int, ...], ...] = ()
    lots: tuple[tuple[int, ...], ...] = ()
    losses_allowed: int = 0
    third_place: bool = False
    better: int = 1

    def met(self, entrant: int) -> Iterator[tuple[SeatResult, SeatResult, int]]:
        """Each meeting with a ranked opponent: the own result, theirs, and the opponent."""
        for number, own in self.results[entrant].items():
            for opponent in own.opponents:
                if opponent in self.results:
                    yield own, self.results[opponent][number], opponent

    @property
    def floats(self) -> Mapping[int, Mapping[int, int]]:
        """Each entrant's floats by round: 1 down, to fewer points or a bye, and -1 up."""
        found: dict[int, dict[int, int]] = {each: {} for each in self.results}
        had: dict[int, Points] = dict.fromkeys(self.results, 0)
        for number in sorted({each for own in self.results.values() for each in own}):
            playing = {each: own[number] for each, own in self.results.items() if number in own}
            for each, result in playing.items():
                apart = [had[each] - had[other] for other in result.opponents if other in had]
                down = not apart or apart[0] > 0
                if down or apart[0] < 0:
                    found[each][number] = 1 if down else -1
            for each, result in playing.items():
                had[each] += result.points
        return found

    def opposition(self, entrant: int) -> list[int]:
        """The totals of all opponents, one a meeting, in parts of a point: `scale` make one.

        A round without opponents counts as one against an opponent with the own total, the chess
        federation's rule for unplayed rounds.
        """
        parts, own = self.parts, self.parts[entrant]
        return [
            parts.get(each, own)
            for result in self.results[entrant].values()
            for each in result.opponents or (entrant,)
        ]


def result_table(
    entrants: Iterable[int],
    results: Mapping[int, Iterable[SeatResult]],
    counting: CountedGames | None = None,
    carried: Mapping[int, Points] | None = None,
) -> ResultTable:
    """The results of these entrants; `carried` are points from before."""
    counting, carried = counting or CountedGames(), carried or {}
    by_round = {
        entrant: {result.round: result for result in results.get(entrant, ())}
        for entrant in entrants
    }
    totals = {
        entrant: carried.get(entrant, 0) + counted(own.values(), counting)
        for entrant, own in by_round.items()
    }
    scale = lcm(*{each.denominator for each in totals.values()})
    parts = {each: int(brought * scale) for each, brought in totals.items()}
    return ResultTable(by_round, totals, parts, scale)


def counted(results: Iterable[SeatResult], counting: CountedGames) -> Points:
    """The sum of the results, of the best ones if not all count."""
    if counting.unit == "round" or not counting.best:
        brought = [result.points for result in results]
    else:
        meetings: dict[int, list[Points]] = {}
        for result in results:
            meetings.setdefault(result.meeting, []).append(result.points)
        brought = [total(each) for each in meetings.values()]
    return total(nlargest(counting.best, brought) if counting.best else brought)
