"""What was said for what: labelled pieces against readings, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoreboard.games.rummikub.tiles import COLOURS, JOKER, NUMBERS
from vision.read.observation import UNREADABLE

NOTHING: Final = "nothing"
NOT_FOUND: Final = "not found"
_FACES: Final = ("1", "2", "3", "4", "5", "6")
_NUMBERS: Final = (*map(str, NUMBERS), str(JOKER))
_COLOURS: Final = (*COLOURS, str(JOKER))
Pair = tuple[str | None, str | None]


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often what is `shown` was `said` to be what; `counts` by those two, zeros left out."""

    aspect: str
    values: tuple[str, ...]
    counts: Mapping[tuple[str, str], int]

    @property
    def shown(self) -> tuple[str, ...]:
        """What may lie there."""
        return (*self.values, NOTHING)

    @property
    def said(self) -> tuple[str, ...]:
        """What may be said of it."""
        return (*self.values, UNREADABLE, NOT_FOUND)

    def row(self, shown: str) -> tuple[int, ...]:
        """How often that was said to be each of `said`."""
        return tuple(self.counts.get((shown, said), 0) for said in self.said)


def confusions(pairs: Sequence[Pair]) -> tuple[Confusion, ...]:
    """Count pairs of a piece's label (None: no piece) and what was said (None: not found).

    Dice are counted by their faces; tiles by their numbers, and once more by their colours.
    """
    if all(label in {*_FACES, UNREADABLE, None} for pair in pairs for label in pair):
        return (_counted("face", _FACES, pairs, _whole),)
    return (
        _counted("number", _NUMBERS, pairs, _number),
        _counted("colour", _COLOURS, pairs, _colour),
    )


def _counted(
    aspect: str, values: tuple[str, ...], pairs: Iterable[Pair], told: Callable[[str], str]
) -> Confusion:
    named = (
        (told(label) if label else NOTHING, told(said) if said else NOT_FOUND)
        for label, said in pairs
    )
    return Confusion(aspect, values, dict(Counter(named)))


def _whole(label: str) -> str:
    return label


def _number(label: str) -> str:
    return label if label in {UNREADABLE, str(JOKER)} else label[1:]


def _colour(label: str) -> str:
    return label if label in {UNREADABLE, str(JOKER)} else label[0]
