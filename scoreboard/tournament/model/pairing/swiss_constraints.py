"""What a Swiss pairing has to honour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from scoreboard.tournament.model.draw import Draw


@dataclass(frozen=True, slots=True, kw_only=True)
class SwissConstraints:
    """Everything that the pairing of one round has to honour.

    `entrants` are those present in the order of standing, the best first; `scores` their
    scores, 0 where none is told; `past` the draws before, with whoever was there. `floated`
    says how often somebody met another score group before. Clubs, accessible tables and seed are
    as in `seating.Wish`.
    """

    entrants: tuple[int, ...]
    scores: Mapping[int, int | Fraction] = field(default_factory=dict)
    past: tuple[Draw, ...] = ()
    floated: Mapping[int, int] = field(default_factory=dict)
    clubs: Mapping[int, str] = field(default_factory=dict)
    accessible: frozenset[int] = frozenset()
    accessible_tables: frozenset[int] = frozenset()
    seed: int = 0
