"""Where dice lie, and how far from each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final

from scoreboard.dice import Roll
from scoreboard.table.proposal import Box, Proposal

NO_FACE: Final = 0  # what an unreadable die shows: the same only as another one

Shift = tuple[float, float]  # to the right and down, in pixels
NO_SHIFT: Final[Shift] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ThrownDie:
    """A die as it lies; `box` where it lay in the picture, None when nobody saw.

    `face` is NO_FACE when it cannot be read; `angle` its turn, degrees clockwise in
    [-45, 45).
    """

    face: int
    box: Box | None = None
    angle: float = 0.0


def as_seen(proposal: Proposal) -> tuple[ThrownDie, ...]:
    """The dice of a reading as they lie."""
    return tuple(
        ThrownDie(seen.face or NO_FACE, seen.box, seen.angle) for seen in proposal.sightings
    )


def distance_in_sides(was: ThrownDie, seen: ThrownDie, shift: Shift = NO_SHIFT) -> float:
    """How far apart two dice lie, in sides of the first, when all had moved by `shift`.

    Infinite where nobody saw one of them.
    """
    if was.box is None or seen.box is None:
        return float("inf")
    return _in_sides(was.box, seen.box, shift)


def shift_between(was: ThrownDie, seen: ThrownDie) -> Shift:
    """The way from the middle of one die to that of another; none where nobody saw one."""
    return NO_SHIFT if was.box is None or seen.box is None else _way(was.box, seen.box)


def _way(was: Box, seen: Box) -> Shift:
    return (seen[0] + seen[2] - was[0] - was[2]) / 2, (seen[1] + seen[3] - was[1] - was[3]) / 2


def _in_sides(was: Box, seen: Box, shift: Shift) -> float:
    across, down = _way(was, seen)
    side = (was[2] - was[0] + was[3] - was[1]) / 2
    off = hypot(across - shift[0], down - shift[1])
    return float("inf") if side <= 0 else off / side


def relabelled(dice: Sequence[ThrownDie], roll: Roll) -> tuple[ThrownDie, ...]:
    """The dice of `roll`, in its order, each where a die of that face lay.

    When one die alone shows something new it is taken to lie where the one left over lay:
    it was corrected, or a foul die thrown again. Other new dice lie nobody knows where.
    """
    left = list(dice)
    found = [_taken(left, face) for face in roll.faces]
    spare = left[0].box if len(left) == found.count(None) == 1 else None
    known = zip(found, roll.faces, strict=True)
    return tuple(die or ThrownDie(face, spare) for die, face in known)


def _taken(left: list[ThrownDie], face: int) -> ThrownDie | None:
    for at, die in enumerate(left):
        if die.face == face:
            return left.pop(at)
    return None
