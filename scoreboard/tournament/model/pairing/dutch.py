"""The Dutch system of the chess federation (FIDE handbook C.04.3, 2017), without colours.

Players rank by score, then by their starting rank. The score brackets are paired from the top; each
holds the players of one score, and above them those who floated down. Ahead of them all go as few
pairs of team mates as can be, which chess forbids or leaves alone. The criteria, in order:

| | what is least |
|---|---|
| C1, C2, C4 | no pair meets again, no second bye, and the rest can still be paired |
| C5, C6 | players floating down; then the differences in score, the largest first |
| C7 | the same in the next bracket, unless it is the collapsed one |
| C12 to C15 | players floating down or up as in the last round, or as in the one before |
| C16 to C19 | the differences in score of those |

C3 and C8 to C11 are about colours. If those who float down from a bracket and all below cannot be
paired, it is paired again so that they can, and all below are one collapsed bracket (A.9).

Among the best pairings the first one counts in the order in which the rules would try them: the
upper half S1 against the lower half S2, then transpositions of S2, then exchanges between the two.
Nothing is tried: each step is a matching of least cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.pairing.minimum_cost import Pairs, heaviest_pairs
from scoreboard.tournament.model.pairing.swiss import (
    SwissConstraints,
    draw_swiss,
    drawn_pairs,
    who_may_sit_out,
)

Cost = Callable[[int, int], int]  # of a pair of places, the higher one first, in a criterion
Value = Callable[[int, int], int | Fraction]
Decision = tuple[int, Cost]  # a place, and what its pair costs
_LARGEST: Final = 1 << 118  # weights of the matching have 128 bits
_LARGEST_QUALITY: Final = 1 << 80  # so that each step can decide something


def draw_dutch(
    constraints: SwissConstraints, floats: Mapping[int, Sequence[int]], win: int = 2
) -> Draw:
    """Pair all entrants, given in the order of score and starting rank, without regard to clubs.

    `floats` are each one's in the last round and in the one before: 1 down, -1 up, 0 none; `win` is
    what a win brings. If no pairing without a second meeting exists, `draw_swiss` finds one with
    the fewest. Raises DrawError.
    """
    found = _Dutch(constraints, floats, win).paired()
    if found is None:
        return draw_swiss(constraints)
    order = constraints.entrants
    out = next((order[one] for one, other in found if other >= len(order)), None)
    pairs = tuple(pair for pair in found if pair[1] < len(order))
    return drawn_pairs(constraints, order, pairs, out)


class _Dutch:
    """One round while it is paired; players are places in the order, from 0.

    A pair with a place beyond the last player is the bye, or a pair further down.
    """

    def __init__(
        self, constraints: SwissConstraints, floats: Mapping[int, Sequence[int]], win: int
    ) -> None:
        self._win = win
        order = constraints.entrants
        self._scores = [constraints.scores.get(each, 0) for each in order]
        self._floats = [(*floats.get(each, ()), 0, 0)[:2] for each in order]
        self._teams = [constraints.teams.get(each, each) for each in order]
        places = {each: place for place, each in enumerate(order)}
        self._met = {
            frozenset((places[one], places[other]))
            for draw in constraints.past
            for one, other in draw.meetings()
            if one in places and other in places
        }
        self._may_sit_out = {places[one] for one in who_may_sit_out(constraints) if one is not None}
        self._edges: list[tuple[int, int]] = []

    def paired(self) -> list[tuple[int, int]] | None:
        """All pairs, the bye as one with a place beyond; None if no round can be completed."""
        found: list[tuple[int, int]] = []
        moved: list[int] = []
        start, players, collapsed = 0, len(self._scores), False
        while start < players:
            end = players if collapsed else self._end(start)
            pairs = None if collapsed else self._bracket(moved, start, end)
            if pairs is None or not self._can_be_completed(pairs, end):
                pairs, collapsed = self._bracket(moved, start, end, completes=True), True
            if pairs is None:
                return None
            found += [pair for pair in pairs if pair[1] < end or end == players]
            there = {each for pair in found for each in pair}
            moved = [each for each in (*moved, *range(start, end)) if each not in there]
            start = end
        return found

    def _end(self, start: int) -> int:
        same = (each == self._scores[start] for each in self._scores[start:])
        return start + sum(same) if start < len(self._scores) else start

    def _can_be_completed(self, pairs: Pairs, end: int) -> bool:
        """Whether those whom the pairs of a bracket leave and all below it can be paired."""
        left = [one for one, other in pairs if one < end <= other]
        left += range(end, len(self._scores))
        found = heaviest_pairs(((*pair, 1) for pair in self._allowed(left, end)), most=True)
        return {each for pair in found for each in pair}.issuperset(left)

    def _allowed(self, left: Sequence[int], start: int) -> list[tuple[int, int]]:
        """The pairs and byes of those left that C1 and C2 allow, but for those moved down."""
        pairs = [
            (one, other)
            for at, one in enumerate(left)
            for other in left[at + 1 :]
            if other >= start and frozenset((one, other)) not in self._met
        ]
        return pairs + [(each, len(self._scores)) for each in left if each in self._may_sit_out]

    def _bracket(
        self, moved: list[int], start: int, end: int, *, completes: bool = False
    ) -> Pairs | None:
        """Pair those who moved down and a score group, with a look at the next one.

        With `completes` all below are paired too; None if they cannot be.
        """
        players = len(self._scores)
        after = players if completes else self._end(end)
        left = [*moved, *range(start, after)]
        self._edges = self._allowed(left, start)
        if not completes:
            self._edges = [pair for pair in self._edges if pair[1] < players]
            self._edges += [(each, players + 1 + each) for each in left]
        quality = [*self._quality(start, end, end if completes else after)]
        pairs, took = self._best(quality, _LARGEST_QUALITY)
        quality = quality[:took]
        if not {each for pair in pairs for each in pair}.issuperset(left):
            return None

        def floats(place: int) -> Decision:
            return place, lambda one, other: one == place and other >= end

        def meets(place: int) -> Decision:
            return place, lambda one, other: (one == place and other < end) * (other - start + 1)

        pairs = self._decided(pairs, quality, [*map(floats, moved), *map(meets, moved)])
        return self._remainder(pairs, quality, start, end)

    def _remainder(self, pairs: Pairs, quality: list[Cost], start: int, end: int) -> Pairs:
        """Pair those of the score group left by the players above: S1 against S2."""
        above = {other for one, other in pairs if one < start}
        rest = [each for each in range(start, end) if each not in above]
        many = sum(start <= one and other < end for one, other in pairs)
        upper, rank = set(rest[:many]), {each: at for at, each in enumerate(rest)}

        def down(one: int, other: int) -> int:
            """Who of S1 goes to S2 by this pair; -1 for none."""
            if one not in upper or (other < end and other not in upper):
                return -1
            return other if other in upper else one

        def up(one: int, other: int) -> int:
            """Who of S2 goes to S1 by this pair; -1 for none."""
            return one if one in rank and one not in upper and other < end else -1

        def exchanged(one: int, other: int) -> int:
            return down(one, other) >= 0

        def apart(one: int, other: int) -> int:
            low = len(rest) - rank[down(one, other)] if exchanged(one, other) else 0
            return low + rank.get(up(one, other), 0)

        def stays(place: int) -> Decision:
            return (
                place,
                lambda one, other: (
                    place in {one, other} and place not in {down(one, other), up(one, other)}
                ),
            )

        def meets(place: int) -> Decision:
            def cost(one: int, other: int) -> int:
                return (other if one == place else one) - start + 1 if place in {one, other} else 0

            return place, cost

        pairs, _ = self._best([*quality, exchanged])
        if any(exchanged(*pair) for pair in pairs):
            moves = [*map(stays, reversed(rest[:many])), *map(stays, rest[many:])]
            pairs = self._decided(pairs, [*quality, exchanged, apart], moves)
            upper = upper - {down(*pair) for pair in pairs} | {up(*pair) for pair in pairs} - {-1}
        else:
            self._edges = [pair for pair in self._edges if down(*pair) == up(*pair) == -1]
        return self._decided(pairs, quality, [*map(meets, sorted(upper))])

    def _decided(self, pairs: Pairs, base: list[Cost], decisions: list[Decision]) -> Pairs:
        """The pairs after the decisions in order, each at its least; the others are ruled out."""
        while decisions:
            pairs, took = self._best([*base, *(cost for _, cost in decisions)])
            settled, decisions = decisions[: took - len(base)], decisions[took - len(base) :]
            for place, cost in settled:
                least = next(cost(*pair) for pair in pairs if place in pair)
                self._edges = [
                    pair for pair in self._edges if place not in pair or cost(*pair) == least
                ]
        return pairs

    def _quality(self, start: int, end: int, after: int) -> Iterator[Cost]:
        """Team mates, and C5 to C19 of a bracket whose score group is from `start` to `end`."""
        scores, floats, teams = self._scores, self._floats, self._teams

        def floated(end: int) -> Cost:
            return lambda one, other: one < end <= other

        def apart(end: int) -> Value:
            lowest = scores[end - 1] - self._win
            return lambda one, other: (
                0 if one >= end else scores[one] - (scores[other] if other < end else lowest)
            )

        if len({*teams}) < len(teams):
            yield lambda one, other: other < len(teams) and teams[one] == teams[other]
        yield floated(end)
        yield from self._largest_first(apart(end))
        if end < after:
            following = apart(after)
            yield lambda one, other: end <= other and one < after <= other
            yield from self._largest_first(
                lambda one, other: 0 if other < end else following(one, other)
            )

        def down(back: int) -> Cost:
            return lambda one, other: (
                one < end and (other >= end or one < start) and floats[one][back] > 0
            )

        def up(back: int) -> Cost:
            return lambda one, other: one < start <= other < end and floats[other][back] < 0

        def by_score(again: Cost) -> Value:
            here = apart(end)
            return lambda one, other: here(one, other) if again(one, other) else 0

        again = (down(0), up(0), down(1), up(1))
        yield from again
        for each in again:
            yield from self._largest_first(by_score(each))

    def _largest_first(self, value: Value) -> Iterator[Cost]:
        """A criterion for each value of pairs, the largest first: the number of such pairs."""

        def has(sought: int | Fraction) -> Cost:
            return lambda one, other: value(one, other) == sought

        yield from map(has, sorted({value(*pair) for pair in self._edges} - {0}, reverse=True))

    def _best(self, criteria: Sequence[Cost], largest: int = _LARGEST) -> tuple[Pairs, int]:
        """The best pairs by the criteria in order, and how many of these could be used."""
        players, size, took = len(self._scores), 1, 0
        costs = [0] * len(self._edges)
        for each in criteria:
            values = [int(each(*pair)) for pair in self._edges]
            worst: dict[int, int] = {}
            for (one, _), value in zip(self._edges, values, strict=True):
                worst[one] = max(worst.get(one, 0), value)
            more = 1 + sum(worst.values())  # than all pairs of a round cost
            if size * more > largest:
                break
            costs = [cost * more + value for cost, value in zip(costs, values, strict=True)]
            size, took = size * more, took + 1
        return heaviest_pairs(
            (one, other, size * (1 + (other < players)) - cost)
            for (one, other), cost in zip(self._edges, costs, strict=True)
        ), took
