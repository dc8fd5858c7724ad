"""Where dice lie: whether one seen now lies where one lay before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from scoreboard.dice import Roll
from scoreboard.table.proposal import Box

SAME_PLACE: Final = 0.35  # of a die's side; nearer, two dice would lie in each other


@dataclass(frozen=True, slots=True)
class LyingDie:
    """A die of a recorded throw; `box` where it lay in the picture, None when nobody saw."""

    face: int
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Die `now` of a new reading lies where die `before` of the recorded throw lay."""

    before: int
    now: int


def unmoved(before: Sequence[Box | None], now: Sequence[Box | None]) -> tuple[Pair, ...]:
    """The dice that lie where one lay before, nearest pairs first, each die in one pair."""
    found: list[Pair] = []
    for _, pair in sorted(_near(before, now), key=lambda near: near[0]):
        if all(pair.before != one.before and pair.now != one.now for one in found):
            found.append(pair)
    return tuple(found)


def _near(before: Sequence[Box | None], now: Sequence[Box | None]) -> Iterator[tuple[float, Pair]]:
    for (old, was), (new, seen) in product(enumerate(before), enumerate(now)):
        if was is not None and seen is not None:
            distance = _distance_in_sides(was, seen)
            if distance < SAME_PLACE:
                yield distance, Pair(old, new)


def _distance_in_sides(was: Box, seen: Box) -> float:
    """Between the boxes' centres, in sides of the die that lay there before."""
    across = (seen[0] + seen[2] - was[0] - was[2]) / 2
    down = (seen[1] + seen[3] - was[1] - was[3]) / 2
    side = (was[2] - was[0] + was[3] - was[1]) / 2
    return float("inf") if side <= 0 else (across**2 + down**2) ** 0.5 / side


def is_same_throw(
    lying: Sequence[LyingDie], faces: Sequence[int | None], boxes: Sequence[Box | None]
) -> bool:
    """Whether every die seen lies unmoved and shows what it showed: nothing was thrown.

    Dice may be missing from what is seen: a player took them up and has not thrown yet.
    """
    pairs = unmoved([die.box for die in lying], boxes)
    return (
        bool(faces)
        and len(pairs) == len(faces)
        and all(lying[pair.before].face == faces[pair.now] for pair in pairs)
    )


def relabelled(dice: Sequence[LyingDie], roll: Roll) -> tuple[LyingDie, ...]:
    """The dice of `roll`, in its order, each where a die of that face lay.

    When one die alone shows something new it is taken to lie where the one left over lay:
    it was corrected, or a foul die thrown again. Other new dice lie nobody knows where.
    """
    left = list(dice)
    found = [_taken(left, face) for face in roll.faces]
    spare = left[0].box if len(left) == found.count(None) == 1 else None
    known = zip(found, roll.faces, strict=True)
    return tuple(die or LyingDie(face, spare) for die, face in known)


def _taken(left: list[LyingDie], face: int) -> LyingDie | None:
    for at, die in enumerate(left):
        if die.face == face:
            return left.pop(at)
    return None
