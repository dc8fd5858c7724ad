"""When a reading is proposed, and what the proposal says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.table.proposal import Proposal, SeenPiece, TableDie
from vision.capture.frame import Frame, Image
from vision.read.observation import UNREADABLE, Box, Detection, Observation, distance, side

MOVED_SHARE: Final = 0.25  # of a die's side: a die that lies farther off than this was moved
_MIDDLE_SHARE: Final = 0.55  # of a box: within it lie the pips, and nothing but the die
_SWAY_SHARE: Final = 0.1  # of a die's side: so far the camera may have swayed between two readings
_LEAST_SWAY_PIXELS: Final = 2.0
_COMPARED_SIDE: Final = 32.0  # pixels of a die: more tell nothing more
_LEAST_PIXELS: Final = 5
_LEAST_CONTRAST: Final = 4.0
_SAME_LOOK: Final = 0.94  # drawn dice: the same 0.94 and more under noise, a pip more 0.89 at most
_COVER_SIDE: Final = 192
_COVER_TIMES: Final = 3
_RECOLOURED_LEVELS: Final = 12.0
_CLOSING: Final = np.ones((5, 5), np.uint8)

Grey = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class ProposalTracker:
    """What was proposed last; each throw is proposed once.

    `last` are the dice of the last proposal and `picture` what they looked like, None before
    the first and after `again`.
    """

    last: tuple[Detection, ...] | None = None
    picture: Image | None = None

    def due(self, observation: Observation, picture: Image) -> bool:
        """Whether a reading after motion is a new one: a die came, went, moved or changed.

        An empty tray is never proposed, nor dice that a hand passed over. What still looks in
        `picture` as it did was not touched, however it is read now; what something hides has
        not gone.
        """
        now = observation.detections
        if not now:
            return False
        if self.last is None or self.picture is None:
            return True
        came = touched(self.last, now)
        missing = touched(now, self.last)
        gone = [die for die in missing if not is_covered(self.picture, picture, die.box)]
        return any(not looks_same(self.picture, picture, die.box) for die in (*came, *gone))

    def proposed(self, observation: Observation, picture: Image) -> ProposalTracker:
        """What is remembered once this reading was proposed."""
        return replace(self, last=observation.detections, picture=picture)

    def again(self) -> ProposalTracker:
        """A person rejected the proposal: the same dice may be proposed once more."""
        return ProposalTracker()


def touched(before: Sequence[Detection], now: Sequence[Detection]) -> list[Detection]:
    """The dice of `now` that do not lie where one lay before, with the same value.

    A die was touched when it moved by more than MOVED_SHARE of its side.
    """
    left, others = list(before), []
    for die in now:
        same = next((other for other in left if _same(other, die)), None)
        if same is None:
            others.append(die)
        else:
            left.remove(same)
    return others


def looks_same(before: Image, now: Image, box: Box) -> bool:
    """Whether the middle of a box shows the same in both pictures, but for light and sway.

    A pip more or less is another look; what is too plain or too noisy to tell is none.
    """
    if before.shape != now.shape:
        return False
    scale = min(1.0, _COMPARED_SIDE / max(1.0, side(box)))
    play = max(_LEAST_SWAY_PIXELS, _SWAY_SHARE * side(box))
    was, shows = (_middle(picture, box, play, scale) for picture in (before, now))
    edge = max(1, round(play * scale))
    inside = shows[edge:-edge, edge:-edge]
    if min(inside.shape) < _LEAST_PIXELS or float(inside.std()) < _LEAST_CONTRAST:
        return False
    likeness = cv2.matchTemplate(was, inside, cv2.TM_CCOEFF_NORMED)
    return float(likeness.max()) >= _SAME_LOOK


def is_covered(before: Image, now: Image, box: Box) -> bool:
    """Whether something that reaches in from the picture's edge hides what lay in a box.

    What was taken away itself leaves a change no larger than its place.
    """
    if before.shape != now.shape:
        return False
    mask = _recoloured(before, now)
    scale = mask.shape[1] / now.shape[1]
    left, top, right, bottom = (max(0, round(edge * scale)) for edge in box)
    _, labels, statistics, _ = cv2.connectedComponentsWithStats(mask)
    place = labels[top : bottom + 1, left : right + 1]
    patches = (statistics[label] for label in np.unique(place[place > 0]))
    return any(_reaches_in(patch, mask, _COVER_TIMES * place.size) for patch in patches)


def _recoloured(before: Image, now: Image) -> Image:
    """Where two pictures differ in any colour, made small: 1 where they do."""
    small = [_small(picture) for picture in (before, now)]
    light = np.median((small[1] + 1.0) / (small[0] + 1.0), axis=(0, 1))
    apart = np.abs(small[1] - small[0] * light).max(axis=2)
    mask = (apart > _RECOLOURED_LEVELS).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _CLOSING), np.uint8)


def _small(picture: Image) -> NDArray[np.float64]:
    height, width = picture.shape[:2]
    scale = min(1.0, _COVER_SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float64)


def _reaches_in(patch: NDArray[np.integer[Any]], mask: Image, least: int) -> bool:
    left, top, width, height, area = (int(figure) for figure in patch)
    beyond = left + width == mask.shape[1] or top + height == mask.shape[0]
    return area > least and (left == 0 or top == 0 or beyond)


def _middle(image: Image, box: Box, more: float, scale: float) -> Grey:
    """The middle of a box and so many pixels more on each side, in grey, made smaller."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    across, down = (
        _MIDDLE_SHARE / 2 * length + more for length in (box[2] - box[0], box[3] - box[1])
    )
    edges = (round(x - across), round(y - down), round(x + across), round(y + down))
    left, top, right, bottom = (max(0, edge) for edge in edges)
    part = image[top : bottom + 1, left : right + 1]
    if not part.size:
        return np.zeros((0, 0), np.float32)
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    size = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
    return cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def proposal(observation: Observation, frame: Frame) -> Proposal:
    """The proposal of a reading; `frame` is the picture it was read in.

    Its confidence is the product of the pieces' confidences, 0 when one cannot be read.
    """
    seen = observation.detections
    unread = any(each.label == UNREADABLE for each in seen)
    tiles = any(each.quad for each in seen)
    return Proposal(
        sightings=() if tiles else tuple(map(_thrown, seen)),
        confidence=0.0 if unread else prod(each.confidence for each in seen),
        frame=frame.sequence,
        width=frame.image.shape[1],
        height=frame.image.shape[0],
        seen_at=frame.captured_at,
        doubts=observation.doubts,
        pieces=tuple(map(_piece, seen)) if tiles else (),
        sets=_rows(observation) if tiles else (),
        photo=frame.single,
    )


def _rows(observation: Observation) -> tuple[tuple[int, ...], ...]:
    """The sets in which the pieces lie; cards, which lie in none, are one row."""
    if not observation.sets:
        return (tuple(range(len(observation.detections))),)
    return tuple(each.indices for each in observation.sets)


def _piece(seen: Detection) -> SeenPiece:
    return SeenPiece(seen.label, seen.confidence, seen.quad, seen.readings, seen.inferred)


def _same(before: Detection, now: Detection) -> bool:
    limit = MOVED_SHARE * max(side(before.box), side(now.box))
    return before.label == now.label and distance(before.box, now.box) <= limit


def _thrown(seen: Detection) -> TableDie:
    face = None if seen.label == UNREADABLE else int(seen.label)
    return TableDie(face, seen.box, seen.angle, seen.confidence)
