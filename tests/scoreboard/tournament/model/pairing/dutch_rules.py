"""A checker of the Dutch system's rules (FIDE handbook C.04.3, 2017), as far as nobody has colours.

It is written from the rules alone and shares nothing with the code that pairs: it makes every
candidate of a bracket in the order in which the rules would, and judges them one after another.
Brackets that are too large for that are checked for C1 to C6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, Final

import networkx as nx

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

    @property
    def players(self) -> tuple[int, ...]:
        """Everybody in it, in order."""
        return (*self.moved, *self.residents)

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
        scores = self.at.scores
        artificial = scores[self.residents[0]] - 1
        found = [scores[one] - scores[other] for one, other in candidate]
        found += [scores[each] - artificial for each in self.left(candidate)]
        return sorted(found, reverse=True)

    def best(self, weigh: Callable[[Pair], int]) -> Candidate | None:
        """The pairs inside of the heaviest pairing that completes the round; None without one."""
        graph: Any = nx.Graph()
        for pair in self.pairs():
            graph.add_edge(*pair, weight=weigh(pair))
        for one, other in combinations((*self.players, *self.below), 2):
            if other in self.below and self.at.may_meet(one, other):
                graph.add_edge(one, other, weight=weigh((one, BYE)) if one in self.players else 0)
        if self.at.needs_bye():
            for each in (*self.players, *self.below):
                if self.at.may_meet(each, BYE):
                    graph.add_edge(
                        each, BYE, weight=weigh((each, BYE)) if each in self.players else 0
                    )
        matched = nx.max_weight_matching(graph, maxcardinality=True)
        wanted = len(self.players) + len(self.below) + self.at.needs_bye()
        if 2 * len(matched) < wanted:
            return None
        inside = {tuple(sorted(pair)) for pair in matched if set(pair) <= set(self.players)}
        return frozenset((one, other) for one, other in inside)

    def best_differences(self) -> list[int] | None:
        """The least floaters and PSD that it can have while the round can be completed."""
        scores, artificial = self.at.scores, self.at.scores[self.residents[0]] - 1
        base = len(self.players) + 1
        most: int = base ** (max(scores) - min(scores) + 3)

        def weigh(pair: Pair) -> int:
            one, other = pair
            apart = scores[one] - (artificial if other == BYE else scores[other])
            return 2 * most - (most if other == BYE else 0) - (int(base**apart) if apart else 0)

        found = self.best(weigh)
        return None if found is None else self.differences(found)

    def following(self, left: tuple[int, ...]) -> Bracket:
        """The next bracket, if these float down."""
        group = tuple(self.at.group(self.below[0]))
        return Bracket(self.at, left, group, self.below[len(group) :])

    def can_be_completed(self, left: tuple[int, ...]) -> bool:
        """C4: whether these and all below can be paired."""
        if not self.below:
            return len(left) == self.at.needs_bye() and all(
                self.at.may_meet(each, BYE) for each in left
            )
        return self.following(left).best(lambda _: 0) is not None

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
        if self.below and len(self.at.group(self.below[0])) < len(self.below):
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
            low = scores[self.residents[0]] - 1
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
        """The candidate that the rules choose; None where none completes the round."""
        most = len(self.players) // 2
        for pairs in range(most, -1, -1):  # C5
            for from_above in range(min(pairs, len(self.moved)), -1, -1):
                complete: dict[tuple[int, ...], bool] = {}
                found: list[Candidate] = []
                for each in dict.fromkeys(self.generated(pairs, from_above)):
                    left = self.left(each)
                    if left not in complete:
                        complete[left] = self.can_be_completed(left)
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
    moved: tuple[int, ...] = ()
    first = 0
    while first < len(at.scores):
        group = tuple(at.group(first))
        first += len(group)
        bracket = Bracket(at, moved, group, tuple(range(first, len(at.scores))))
        inside = frozenset(
            (min(pair), max(pair)) for pair in pairs if set(pair) <= set(bracket.players)
        )
        best = bracket.best_differences()
        if bracket.differences(inside) != best:
            found.append(f"C5, C6: {bracket.players} paired {sorted(inside)}, not {best}")
        elif len(bracket.players) <= LARGEST:
            wanted = bracket.wanted()
            if inside != wanted:
                found.append(
                    f"{bracket.players} paired {sorted(inside)}, not {sorted(wanted or ())}"
                )
        moved = bracket.left(inside)
    return found
