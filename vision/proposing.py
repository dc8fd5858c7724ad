"""When a reading is proposed, and what the proposal says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final

from scoreboard.table.proposal import Proposal, Sighting
from vision.frame import Frame
from vision.observation import UNREADABLE, Box, Detection, Observation, distance, side

MOVED_SHARE: Final = 0.25  # of a die's side: a die that lies farther off than this was moved


def never(_box: Box) -> bool:
    """Nothing is hidden."""
    return False


@dataclass(frozen=True, slots=True)
class Proposing:
    """What was proposed last; each throw is proposed once.

    `last` are the dice of the last proposal, None before the first and after `again`.
    """

    last: tuple[Detection, ...] | None = None

    def due(self, observation: Observation, is_covered: Callable[[Box], bool] = never) -> bool:
        """Whether a reading after motion is a new one: a die came, went, moved or changed.

        An empty tray is never proposed, nor dice that a hand passed over. `is_covered` tells
        whether something else may hide a die that lay in this box: it has not gone then.
        """
        now = observation.detections
        if not now:
            return False
        if self.last is None or not untouched(self.last, now):
            return True
        gone = [die for die in self.last if not untouched(now, (die,))]
        return any(not is_covered(die.box) for die in gone)

    def proposed(self, observation: Observation) -> Proposing:
        """What is remembered once this reading was proposed."""
        return replace(self, last=observation.detections)

    def again(self) -> Proposing:
        """A person rejected the proposal: the same dice may be proposed once more."""
        return replace(self, last=None)


def untouched(before: Sequence[Detection], now: Sequence[Detection]) -> bool:
    """Whether every die of `now` lies where one lay before, with the same value.

    A die was touched when it moved by more than MOVED_SHARE of its side.
    """
    left = list(before)
    for die in now:
        same = next((other for other in left if _same(other, die)), None)
        if same is None:
            return False
        left.remove(same)
    return True


def proposal(observation: Observation, frame: Frame) -> Proposal:
    """The proposal of a reading; `frame` is the picture it was read in.

    Its confidence is the product of the dice's confidences, 0 when one cannot be read.
    """
    sightings = tuple(_sighting(seen) for seen in observation.detections)
    unread = any(seen.face is None for seen in sightings)
    return Proposal(
        sightings=sightings,
        confidence=0.0 if unread else prod(seen.confidence for seen in sightings),
        frame=frame.sequence,
        width=frame.image.shape[1],
        height=frame.image.shape[0],
        seen_at=frame.captured_at,
        doubts=observation.doubts,
    )


def _same(before: Detection, now: Detection) -> bool:
    limit = MOVED_SHARE * max(side(before.box), side(now.box))
    return before.label == now.label and distance(before.box, now.box) <= limit


def _sighting(seen: Detection) -> Sighting:
    face = None if seen.label == UNREADABLE else int(seen.label)
    return Sighting(face, seen.confidence, seen.box, seen.angle)
