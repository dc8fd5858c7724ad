"""A checker of the Dutch system's rules (FIDE handbook C.04.3, 2017), as far as nobody has colours.

It is written from the rules alone and shares nothing with the code that pairs: it makes every
candidate of a bracket in the order in which the rules would, and judges them one after another.
Brackets that are too large for that are checked for C1 to C6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any, Final

import networkx as nx

WIN: Final = 2
LARGEST: Final = 8  # players in a bracket of which all candidates are made
BYE: Final = -1
Pair = tuple[int, int]
Candidate = frozenset[Pair]


@dataclass(frozen=True)
class Position:
    """What is known before a round; players are numbered by score and starting rank, from 0.

    `floats` are each one's in the last round and the one before: 1 down, -1 up, 0 none.
    """

    scores: Sequence[int]
    met: frozenset[frozenset[int]]
    byes: Sequence[int]
    floats: Sequence[Sequence[int]]

    def may_meet(self, one: int, other: int) -> bool:
        """C1 and C2."""
        if other == BYE:
            return self.byes[one] == min(self.byes)
        return frozenset((one, other)) not in self.met

    def group(self, first: int) -> list[int]:
        """Those with the score of this player."""
        return [each for each, score in enumerate(self.scores) if score == self.scores[first]]

    def needs_bye(self) -> bool:
        """Whether one is left over."""
        return len(self.scores) % 2 == 1


@dataclass(frozen=True)
class Bracket:
    """A bracket of a position: who moved down to it, its residents, and all below."""

    at: Position
    moved: tuple[int, ...]
    residents: tuple[int, ...]
    below: tuple[int, ...]
    completes: bool = False  # by A.9 the penultimate bracket or the last: C4 holds, and not C7

    @property
    def players(self) -> tuple[int, ...]:
        """Everybody in it, in order."""
        return (*self.moved, *self.residents)

    @property
    def artificial(self) -> int:
        """A.8: one point less than the lowest of the bracket has."""
        return self.at.scores[self.residents[-1]] - WIN

    def pairs(self) -> list[Pair]:
        """Every pair that may meet in it."""
        return [
            pair
            for pair in combinations(self.players, 2)
            if pair[1] not in self.moved and self.at.may_meet(*pair)
        ]

    def left(self, candidate: Candidate) -> tuple[int, ...]:
        """Who would float down."""
        paired = {each for pair in candidate for each in pair}
        return tuple(each for each in self.players if each not in paired)

    def differences(self, candidate: Candidate) -> list[int]:
        """The PSD of C6, the largest first."""
        scores, artificial = self.at.scores, self.artificial
        found = [scores[one] - scores[other] for one, other in candidate]
        found += [scores[each] - artificial for each in self.left(candidate)]
        return sorted(found, reverse=True)

    def best(self, weigh: Callable[[Pair], int]) -> Candidate | None:
        """The pairs inside of the heaviest pairing; who floats down weighs as a pair with BYE.

        None if it has to complete the round, and cannot.
        """
        graph: Any = nx.Graph()
        for one, other in self.pairs():
            down = 0 if self.completes else weigh((one, BYE)) + weigh((other, BYE))
            graph.add_edge(one, other, weight=weigh((one, other)) - down)
        everybody = (*self.players, *self.below)
        for one, other in combinations(everybody, 2):
            if self.completes and other in self.below and self.at.may_meet(one, other):
                graph.add_edge(one, other, weight=weigh((one, BYE)) if one in self.players else 0)
        if self.completes and self.at.needs_bye():
            for each in everybody:
                if self.at.may_meet(each, BYE):
                    weight = weigh((each, BYE)) if each in self.players else 0
                    graph.add_edge(each, BYE, weight=weight)
        matched = nx.max_weight_matching(graph, maxcardinality=self.completes)
        if self.completes and 2 * len(matched) < len(everybody) + self.at.needs_bye():
            return None
        inside = {tuple(sorted(pair)) for pair in matched if set(pair) <= set(self.players)}
        return frozenset((one, other) for one, other in inside)

    def best_differences(self) -> list[int] | None:
        """The least floaters and PSD that it can have."""
        scores, base = self.at.scores, len(self.players) + 1
        most: int = base ** (max(scores) - min(scores) + WIN + 1)

        def weigh(pair: Pair) -> int:
            one, other = pair
            apart = scores[one] - (self.artificial if other == BYE else scores[other])
            return most * (1 if other == BYE else 3) - (int(base**apart) if apart else 0)

        found = self.best(weigh)
        return None if found is None else self.differences(found)

    def following(self, left: tuple[int, ...]) -> Bracket:
        """The next bracket, if these float down."""
        group = tuple(self.at.group(self.below[0]))
        return Bracket(self.at, left, group, self.below[len(group) :])

    def can_be_completed(self, left: tuple[int, ...]) -> bool:
        """C4: whether these and all below can be paired."""
        rest = Bracket(self.at, left, self.below, (), completes=True)
        return rest.best(lambda _: 0) is not None

    # -- the candidates in the order of the rules

    def generated(self, pairs: int, from_above: int) -> Iterator[Candidate]:
        """Every candidate of so many pairs, so many of them with who moved down."""
        for chosen in combinations(self.moved, from_above):
            for met in permutations(self.residents, from_above):
                rest = [each for each in self.residents if each not in met]
                above = list(zip(chosen, met, strict=True))
                for remainder in homogeneous(rest, pairs - from_above):
                    found = [*above, *remainder]
                    if all(self.at.may_meet(*pair) for pair in found):
                        yield frozenset((min(pair), max(pair)) for pair in found)

    def criteria(self) -> Iterator[Callable[[Candidate], Any]]:
        """C7 and C12 to C19: each tells how bad a candidate is."""
        floats, scores = self.at.floats, self.at.scores
        if self.below and not self.completes:
            known: dict[tuple[int, ...], Any] = {}

            def next_bracket(candidate: Candidate) -> Any:
                left = self.left(candidate)
                if left not in known:
                    following = self.following(left)
                    best = following.best_differences()
                    assert best is not None
                    group = following.residents
                    known[left] = (2 * len(best) - len(left) - len(group), best)
                return known[left]

            yield next_bracket

        def repeated(candidate: Candidate, back: int, way: int) -> list[int]:
            """The score differences of those who float again as they did so many rounds ago."""
            low = self.artificial
            above = [pair for pair in candidate if pair[0] in self.moved]
            down = [(each, scores[each] - low) for each in self.left(candidate)]
            down += [(one, scores[one] - scores[other]) for one, other in above]
            up = [(other, scores[one] - scores[other]) for one, other in above]
            again = down if way > 0 else up
            return sorted((by for each, by in again if floats[each][back] == way), reverse=True)

        ways = [(0, 1), (0, -1), (1, 1), (1, -1)]
        for back, way in ways:
            yield lambda each, back=back, way=way: len(repeated(each, back, way))  # type: ignore[misc]  # mypy infers no lambda with defaults
        for back, way in ways:
            yield lambda each, back=back, way=way: repeated(each, back, way)  # type: ignore[misc]  # likewise

    def wanted(self) -> Candidate | None:
        """The candidate that the rules choose; None if it has to complete the round, and cannot."""
        most = len(self.players) // 2
        for pairs in range(most, -1, -1):  # C5
            for from_above in range(min(pairs, len(self.moved)), -1, -1):
                complete: dict[tuple[int, ...], bool] = {}
                found: list[Candidate] = []
                for each in dict.fromkeys(self.generated(pairs, from_above)):
                    left = self.left(each)
                    if left not in complete:
                        complete[left] = not self.completes or self.can_be_completed(left)
                    if complete[left]:
                        found.append(each)
                if found:
                    for criterion in (self.differences, *self.criteria()):
                        least = min(map(criterion, found))
                        found = [each for each in found if criterion(each) == least]
                    return found[0]
        return None


def homogeneous(players: Sequence[int], pairs: int) -> Iterator[list[Pair]]:
    """The candidates of a homogeneous bracket: exchanges, and of each all transpositions."""
    ranks = {each: rank for rank, each in enumerate(players)}
    upper, lower = list(players[:pairs]), list(players[pairs:])
    exchanges = [
        (down, up)
        for many in range(min(len(upper), len(lower)) + 1)
        for down in combinations(upper, many)
        for up in combinations(lower, many)
    ]
    exchanges.sort(
        key=lambda each: (
            len(each[0]),
            sum(ranks[one] for one in each[1]) - sum(ranks[one] for one in each[0]),
            [-ranks[one] for one in reversed(each[0])],
            [ranks[one] for one in each[1]],
        )
    )
    for down, up in exchanges:
        first = sorted((set(upper) - set(down)) | set(up))
        second = sorted((set(lower) - set(up)) | set(down))
        for order in permutations(second, pairs):
            yield list(zip(first, order, strict=True))


def faults(at: Position, pairs: Sequence[Pair], bye: int | None) -> list[str]:
    """What is wrong with a round that was paired; nothing where every rule is kept."""
    everybody = [*(each for pair in pairs for each in pair), *([] if bye is None else [bye])]
    if sorted(everybody) != list(range(len(at.scores))):
        return ["somebody is paired twice, or not at all"]
    found = [f"C1: {pair} meet again" for pair in pairs if not at.may_meet(*pair)]
    if bye is not None and not at.may_meet(bye, BYE):
        found.append(f"C2: {bye} has another bye")
    return found or _brackets(Bracket(at, (), tuple(at.group(0)), _below(at, 0)), pairs)


def _below(at: Position, first: int) -> tuple[int, ...]:
    return tuple(range(at.group(first)[-1] + 1, len(at.scores)))


def _brackets(bracket: Bracket, pairs: Sequence[Pair]) -> list[str]:
    """What is wrong with a bracket and all after it, paired again where A.9 has it.

    Where a bracket is too large to make its candidates, both are thought of.
    """
    small = len(bracket.players) <= LARGEST
    wanted = bracket.wanted() if small else None
    ways = []
    if not bracket.completes:
        collapsed = replace(bracket, completes=True)
        if wanted is None or bracket.can_be_completed(bracket.left(wanted)):
            ways.append(bracket)
        if wanted is None or not ways:
            ways.append(collapsed)
    return min((_bracket(each, pairs) for each in ways or [bracket]), key=len)


def _bracket(bracket: Bracket, pairs: Sequence[Pair]) -> list[str]:
    found = []
    inside = frozenset(
        (min(pair), max(pair)) for pair in pairs if set(pair) <= set(bracket.players)
    )
    best = bracket.best_differences()
    if bracket.differences(inside) != best:
        found.append(f"C5, C6: {bracket.players} paired {sorted(inside)}, not {best}")
    elif len(bracket.players) <= LARGEST:
        wanted = bracket.wanted()
        if inside != wanted:
            found.append(f"{bracket.players} paired {sorted(inside)}, not {sorted(wanted or ())}")
    left = bracket.left(inside)
    if not bracket.completes and not bracket.can_be_completed(left):
        found.append(f"A.9: {left} and all below cannot be paired")
    if bracket.below:
        following = bracket.following(left)
        if bracket.completes:
            following = Bracket(bracket.at, left, bracket.below, (), completes=True)
        found += _brackets(following, pairs)
    return found
