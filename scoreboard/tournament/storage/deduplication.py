"""What of a delivery is new, what is held already, and what contradicts that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sifted:
    """A delivery against what was held before it.

    `new` are the bodies to keep by their sequence; `disputed` are (sequence, held body,
    offered body), in the order in which they came. Bodies as `written`.
    """

    new: dict[int, str] = field(default_factory=dict)
    disputed: list[tuple[int, str, str]] = field(default_factory=list)


def sift(held: Mapping[int, str], offered: Iterable[tuple[int, str]]) -> Sifted:
    """Sift the offered (sequence, body) pairs; of a sequence that comes twice the first counts."""
    sifted = Sifted()
    for sequence, body in offered:
        known = held.get(sequence, sifted.new.get(sequence))
        if known is None:
            sifted.new[sequence] = body
        elif known != body:
            sifted.disputed.append((sequence, known, body))
    return sifted
