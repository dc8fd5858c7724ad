"""How doubtful sets share what is left of the box: no tile lies there once too often."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import add, le, mul, or_
from typing import Final

from scoreboard.games.rummikub.tiles import Piece
from vision.read.tiles.set_shapes import Way

_CASES: Final = 128  # of different pieces used up: the likeliest are followed
_HOPELESS: Final = 1e-6  # of the likeliest: such cases are dropped

Used = tuple[int, ...]
Beliefs = dict[int, dict[Piece | None, float]]


@dataclass(frozen=True, slots=True)
class Choice:
    """What the doubtful tiles of one row may be together, each way with its weight.

    `tiles` are their indices; None in a way stands for anything else, which uses up nothing.
    """

    tiles: tuple[int, ...]
    ways: tuple[tuple[Way, float], ...]

    @property
    def needs(self) -> Counter[Piece]:
        """The most of each piece that any way uses."""
        most: Counter[Piece] = Counter()
        for way, _ in self.ways:
            most |= Counter(piece for piece in way if piece is not None)
        return most


@dataclass(frozen=True, slots=True)
class _Step:
    """A choice among rows that want the same scarce pieces.

    `ways` are its ways, each with its weight and how many of each scarce piece it uses; `most`
    is how many there are, `awaited` 1 for those that a later choice wants, too, else 0.
    """

    tiles: tuple[int, ...]
    ways: tuple[tuple[Way, float, Used], ...]
    most: Used
    awaited: Used

    def onward(self, used: Used) -> Iterator[tuple[Way, float, Used]]:
        """The ways that the box still allows, and what is then used of what is awaited."""
        for way, weight, wanted in self.ways:
            total = tuple(map(add, used, wanted))
            if all(map(le, total, self.most)):
                yield way, weight, tuple(map(mul, total, self.awaited))


def beliefs(choices: Sequence[Choice], left: Mapping[Piece, int]) -> Beliefs:
    """The probability of each piece for each tile, given that the box has only so many left.

    Rows that want the same scarce pieces are weighed together (forward and backward sums over
    what is used up so far): exactly, but for what is least likely where hundreds of cases differ.
    """
    found: Beliefs = {}
    for linked in _linked(choices, left):
        found |= _marginals(_steps(linked, left))
    return found


def _linked(choices: Sequence[Choice], left: Mapping[Piece, int]) -> Iterator[list[Choice]]:
    """The choices that compete with each other, together."""
    scarce = _scarce(choices, left)
    groups: list[tuple[set[Piece], list[Choice]]] = []
    for choice in sorted(choices, key=lambda each: each.tiles):
        wanted, together = scarce & set(choice.needs), [choice]
        for other in [each for each in groups if each[0] & wanted]:
            groups.remove(other)
            wanted, together = wanted | other[0], [*other[1], *together]
        groups.append((wanted, together))
    yield from (together for _, together in groups)


def _scarce(choices: Sequence[Choice], left: Mapping[Piece, int]) -> set[Piece]:
    wanted: Counter[Piece] = Counter()
    for choice in choices:
        wanted.update(choice.needs)
    return {piece for piece, count in wanted.items() if count > left[piece]}


def _steps(linked: Sequence[Choice], left: Mapping[Piece, int]) -> list[_Step]:
    scarce = [*_scarce(linked, left)]
    most = tuple(left[piece] for piece in scarce)
    later = accumulate((choice.needs for choice in reversed(linked)), or_, initial=Counter[Piece]())
    return [
        _Step(choice.tiles, _counted(choice, scarce), most, tuple(int(p in rest) for p in scarce))
        for choice, rest in zip(linked, reversed([*later][:-1]), strict=True)
    ]


def _counted(choice: Choice, scarce: Sequence[Piece]) -> tuple[tuple[Way, float, Used], ...]:
    return tuple(
        (way, weight, tuple(way.count(piece) for piece in scarce)) for way, weight in choice.ways
    )


def _marginals(steps: Sequence[_Step]) -> Beliefs:
    """The share of each piece for each tile in all that the box allows."""
    forward = _forward(steps)
    behind = dict.fromkeys(forward[-1], 1.0)
    found: Beliefs = {}
    for step, before in zip(reversed(steps), reversed(forward[:-1]), strict=True):
        likely = _ways(step, before, behind)
        found |= _shares(step, likely, before)
        behind = {used: sum(ways.values()) for used, ways in likely.items()}
    return found


def _forward(steps: Sequence[_Step]) -> list[dict[Used, float]]:
    """Before each step and after the last, how likely it is that so much is used up."""
    layers = [{(0,) * len(steps[0].most): 1.0}]
    for step in steps:
        layer: defaultdict[Used, float] = defaultdict(float)
        for used, weight in layers[-1].items():
            for _, more, after in step.onward(used):
                layer[after] += weight * more
        layers.append(_likeliest(layer))
    return layers


def _likeliest(layer: Mapping[Used, float]) -> dict[Used, float]:
    least = _HOPELESS * max(layer.values())
    told = sorted(layer.items(), key=lambda each: -each[1])[:_CASES]
    return {used: weight for used, weight in told if weight >= least}


def _ways(
    step: _Step, before: Iterable[Used], behind: Mapping[Used, float]
) -> dict[Used, dict[Way, float]]:
    """For all that may be used up before the step, its ways with what they are worth onward."""
    return {
        used: {way: more * behind.get(after, 0.0) for way, more, after in step.onward(used)}
        for used in before
    }


def _shares(
    step: _Step, likely: Mapping[Used, Mapping[Way, float]], before: Mapping[Used, float]
) -> Beliefs:
    ways: defaultdict[Way, float] = defaultdict(float)
    for used, weight in before.items():
        for way, worth in likely[used].items():
            ways[way] += weight * worth
    total = sum(ways.values())
    found: Beliefs = {tile: defaultdict(float) for tile in step.tiles}
    for way, weight in ways.items():
        for tile, piece in zip(step.tiles, way, strict=True):
            found[tile][piece] += weight / total
    return found
