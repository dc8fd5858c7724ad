"""Odd sets that a fractional matching leaves by less than one pair.

What is used falls apart into components. One of odd size is such a set. In one of even size the
lightest odd cut is among those of a cut tree (M. W. Padberg and M. R. Rao, "Odd minimum cut-sets
and b-matchings", Mathematics of Operations Research 7, 1982), built by as many flows as there
are players less one (D. Gusfield, "Very simple methods for all pairs network flow analysis",
SIAM Journal on Computing 19, 1990).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Final

Flows = dict[int, dict[int, float]]
_SMALL: Final = 1e-6
_HALF_WAY: Final = 0.5


def odd_cuts(used: Mapping[tuple[int, int], float]) -> list[frozenset[int]]:
    """Odd sets of players, each left by less than one pair; none where there are none.

    `used` says how much of each pair is used, each player's pairs adding up to one.
    """
    graph = _graph({pair: part for pair, part in used.items() if _SMALL < part < 1 - _SMALL})
    found: set[frozenset[int]] = set()
    for component in _components(graph, 0.0):
        if len(component) % 2:
            found.add(component)
        else:
            found |= _even_component(graph, component)
    return sorted(found, key=sorted)


def _even_component(graph: Flows, component: frozenset[int]) -> set[frozenset[int]]:
    inside = {one: dict(graph[one]) for one in sorted(component)}
    guesses = {each for each in _components(inside, _HALF_WAY) if _is_cut(inside, each)}
    return guesses or set(_tree_cuts(inside))


def _is_cut(graph: Flows, members: frozenset[int]) -> bool:
    leaving = sum(
        part for one in members for other, part in graph[one].items() if other not in members
    )
    return len(members) % 2 == 1 and leaving < 1 - _SMALL


def _tree_cuts(graph: Flows) -> Iterator[frozenset[int]]:
    """The odd cuts below one among those that separate each player from its parent."""
    players = list(graph)
    parent = dict.fromkeys(players, players[0])
    for one in players[1:]:
        other = parent[one]
        side = _lightest_cut(graph, one, other)
        if _is_cut(graph, side):
            yield side
        for each in players:
            if each != one and each in side and parent[each] == other:
                parent[each] = one
        if parent[other] in side:
            parent[one], parent[other] = parent[other], one


def _lightest_cut(graph: Flows, source: int, sink: int) -> frozenset[int]:
    """Those on the source's side of a least cut, by shortest augmenting paths."""
    left = {one: dict(parts) for one, parts in graph.items()}
    while True:
        before = _reached(left, source)
        if sink not in before:
            return frozenset(before)
        path = [sink]
        while path[-1] != source:
            path.append(before[path[-1]])
        steps = list(zip(path[1:], path, strict=False))
        flow = min(left[one][other] for one, other in steps)
        for one, other in steps:
            left[one][other] -= flow
            left[other][one] += flow


def _reached(left: Flows, source: int) -> dict[int, int]:
    """Everybody whom the source reaches, each with whom it was reached from."""
    before, queue = {source: source}, deque([source])
    while queue:
        one = queue.popleft()
        for other, part in left[one].items():
            if part > _SMALL and other not in before:
                before[other] = one
                queue.append(other)
    return before


def _graph(used: Mapping[tuple[int, int], float]) -> Flows:
    graph: Flows = {}
    for (one, other), part in used.items():
        graph.setdefault(one, {})[other] = part
        graph.setdefault(other, {})[one] = part
    return graph


def _components(graph: Flows, above: float) -> list[frozenset[int]]:
    """The sets that hang together by pairs of which more than `above` is used."""
    strong = {
        one: {other: part for other, part in parts.items() if part > above}
        for one, parts in graph.items()
    }
    found: list[frozenset[int]] = []
    seen: set[int] = set()
    for one in strong:
        if one not in seen:
            found.append(frozenset(_reached(strong, one)))
            seen |= found[-1]
    return found
