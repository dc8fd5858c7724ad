"""From readings at rest to a proposal: consensus, novelty, content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.games.rummikub.tiles import piece
from scoreboard.message import Message, message
from scoreboard.table.proposal import Proposal, SeenPiece, TableDie
from vision.capture.frame import Frame, Image
from vision.read.observation import UNREADABLE, Box, Detection, Observation, distance, side
from vision.read.tile_sets import judged
from vision.watch.stillness import edge_areas

Votes = list[Detection]  # the readings of one place, at most one a reading

_SAME_PLACE_SHARE: Final = 0.5  # of a die's side: no other die is closer than this
_READINGS_FOR_ONE_ERROR: Final = 4  # among this many, one that differs is the one that erred


def merge(readings: Sequence[Observation]) -> Observation:
    """Let the readings vote on each die by its place, weighted by their confidence.

    A die that at least half of the readings have is kept, with the label of most weight; its
    confidence is that label's weight a reading. A doubt stays when at least half of the readings
    have it. If readings differ, a doubt is added, unless only one of four or more differs. Tiles
    come in the sets of the newest reading.

    Raises ValueError: there are no readings.
    """
    if not readings:
        raise ValueError("there is no reading to merge")
    if len(readings) == 1:
        return readings[0]
    places = _places(readings)
    doubts = _shared_doubts(readings)
    if any(_is_disputed(votes, len(readings)) for votes in places):
        doubts = (*doubts, message("I read it two ways: check each one."))
    kept = [votes for votes in places if 2 * len(votes) >= len(readings)]
    merged = replace(
        readings[-1],
        detections=tuple(_elected(votes, len(readings)) for votes in kept),
        doubts=doubts,
    )
    return _in_sets(readings[-1], merged) if any(each.sets for each in readings) else merged


_SHARP_SHARE: Final = 0.75  # of a place's sharpest: noise leaves 0.89, motion of a sixth die 0.67
_SHARPNESS_SIDE: Final = 32


def with_sharpness(reading: Observation, image: Image) -> Observation:
    """The reading with each piece's sharpness in the picture that was read."""
    measured = (replace(each, sharpness=_sharpness(image, each.box)) for each in reading.detections)
    return replace(reading, detections=tuple(measured))


def sharp_readings(readings: Sequence[Observation]) -> list[Observation]:
    """Those in which no piece is clearly less sharp than in another; all if there is none."""
    blurred = {
        vote
        for votes in _places(readings)
        for vote in votes
        if vote.sharpness < _SHARP_SHARE * max(each.sharpness for each in votes)
    }
    sharp = [reading for reading in readings if blurred.isdisjoint(reading.detections)]
    return sharp or list(readings)


def _sharpness(image: Image, box: Box) -> float:
    left, top, right, bottom = (max(0, round(edge)) for edge in box)
    part = image[top : bottom + 1, left : right + 1]
    if not part.size:
        return 0.0
    size = (_SHARPNESS_SIDE, _SHARPNESS_SIDE)
    small = cv2.resize(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), size, interpolation=cv2.INTER_AREA)
    return float(np.abs(cv2.Laplacian(small, cv2.CV_32F)).mean())


def agree(readings: Sequence[Observation]) -> bool:
    """Whether all readings have the same dice in the same places."""
    return all(
        len(votes) == len(readings) and len({vote.label for vote in votes}) == 1
        for votes in _places(readings)
    )


def _places(readings: Sequence[Observation]) -> list[Votes]:
    places: list[Votes] = []
    for reading in readings:
        free = list(places)
        for detection in reading.detections:
            votes = _nearest(detection, free)
            if votes is None:
                places.append([detection])
            else:
                votes.append(detection)
                free = [each for each in free if each is not votes]
    return places


def _nearest(detection: Detection, places: list[Votes]) -> Votes | None:
    if not places:
        return None
    nearest = min(places, key=lambda votes: distance(votes[0].box, detection.box))
    limit = _SAME_PLACE_SHARE * max(side(nearest[0].box), side(detection.box))
    return nearest if distance(nearest[0].box, detection.box) < limit else None


def _shared_doubts(readings: Sequence[Observation]) -> tuple[Message, ...]:
    """The doubts of at least half of the readings.

    If half doubt, but share no doubt, the last one's count: only the reason is uncertain.
    """
    doubtful = [reading for reading in readings if reading.doubts]
    if not doubtful or 2 * len(doubtful) < len(readings):
        return ()
    counts = Counter(doubt for reading in doubtful for doubt in dict.fromkeys(reading.doubts))
    shared = tuple(doubt for doubt, times in counts.items() if 2 * times >= len(readings))
    return shared or doubtful[-1].doubts


def _is_disputed(votes: Votes, readings: int) -> bool:
    """Whether enough readings differ about one place that a person must look."""
    present = Counter(vote.label for vote in votes)
    absent = readings - len(votes)
    return readings - max(*present.values(), absent) > readings // _READINGS_FOR_ONE_ERROR


def _elected(votes: Votes, readings: int) -> Detection:
    weights: Counter[str] = Counter()
    for vote in votes:
        weights[vote.label] += vote.confidence  # type: ignore[assignment]  # a weight is no count
    label = max(weights, key=lambda each: weights[each])
    winners = [vote for vote in votes if vote.label == label]
    best = max(winners, key=lambda vote: vote.confidence)
    doubt = next((vote.doubt for vote in votes if vote.doubt), None)
    return replace(best, confidence=weights[label] / readings, doubt=doubt)


def _in_sets(newest: Observation, merged: Observation) -> Observation:
    """The merged pieces in the order and the sets of the newest reading; others come last."""
    free, rows = [[each] for each in merged.detections], list[list[Detection]]()
    for row in newest.sets:
        near = [_nearest(newest.detections[at], free) for at in row.indices]
        rows.append([votes[0] for votes in near if votes is not None])
        free = [each for each in free if all(each is not taken for taken in near)]
    rows += free
    detections = tuple(each for row in rows for each in row)
    pieces = [None if each.label == UNREADABLE else piece(each.label) for each in detections]
    places = iter(range(len(detections)))
    numbered = [tuple(next(places) for _ in row) for row in rows if row]
    return replace(merged, detections=detections, sets=judged(numbered, pieces))


MOVED_SHARE: Final = 0.25  # of a die's side: a die farther off than this was moved
_MIDDLE_SHARE: Final = 0.55  # of a box: holds the pips, and nothing but the die
_SHIFT_SHARE: Final = 0.1  # of a die's side: the camera may shift this far between two readings
_LEAST_SHIFT_PIXELS: Final = 2.0
_COMPARED_SIDE: Final = 32.0  # pixels of a die: more make no difference
_LEAST_PIXELS: Final = 5
_LEAST_CONTRAST: Final = 4.0
_SAME: Final = 0.94  # drawn dice: the same 0.94 and more under noise, a pip more 0.89 at most
_COVER_SIDE: Final = 192
_COVER_TIMES: Final = 3
_RECOLOURED_LEVELS: Final = 12.0
_CLOSING: Final = np.ones((5, 5), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class ProposalTracker:
    """Proposes each roll once.

    `last` are the dice of the last proposal and `picture` their picture, None before the first and
    after a person rejected it: the same dice may then be proposed once more.
    """

    last: tuple[Detection, ...] | None = None
    picture: Image | None = None

    def due(self, observation: Observation, picture: Image) -> bool:
        """Whether a reading after motion is a new one: a die came, went, moved or changed.

        An empty tray is never proposed, nor dice that a hand passed over. A die that still looks
        the same in `picture` was not touched, whatever its new reading; a covered one has not gone.
        """
        now = observation.detections
        if not now:
            return False
        if self.last is None or self.picture is None:
            return True
        came, missing = touched(self.last, now), touched(now, self.last)
        gone = [die for die in missing if not is_covered(self.picture, picture, die.box)]
        return any(not looks_same(self.picture, picture, die.box) for die in (*came, *gone))


def touched(before: Sequence[Detection], now: Sequence[Detection]) -> list[Detection]:
    """The dice of `now` farther than MOVED_SHARE of their side from one of their value before."""
    left, others = list(before), []
    for die in now:
        for other in left:
            limit = MOVED_SHARE * max(side(other.box), side(die.box))
            if other.label == die.label and distance(other.box, die.box) <= limit:
                left.remove(other)
                break
        else:
            others.append(die)
    return others


def looks_same(before: Image, now: Image, box: Box) -> bool:
    """Whether a box's middle is the same in both pictures, corrected for light and camera motion.

    A pip more or less is a difference; so is a middle too plain or too noisy to compare.
    """
    if before.shape != now.shape:
        return False
    scale = min(1.0, _COMPARED_SIDE / max(1.0, side(box)))
    play = max(_LEAST_SHIFT_PIXELS, _SHIFT_SHARE * side(box))
    was, shows = (_middle(picture, box, play, scale) for picture in (before, now))
    edge = max(1, round(play * scale))
    inside = shows[edge:-edge, edge:-edge]
    if min(inside.shape) < _LEAST_PIXELS or float(inside.std()) < _LEAST_CONTRAST:
        return False
    return float(cv2.matchTemplate(was, inside, cv2.TM_CCOEFF_NORMED).max()) >= _SAME


def _middle(image: Image, box: Box, more: float, scale: float) -> NDArray[np.float32]:
    """The middle of a box with `more` pixels on each side, in grey, resized by `scale`."""
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


def is_covered(before: Image, now: Image, box: Box) -> bool:
    """Whether something that reaches in from the picture's edge covers a box.

    A die that was taken away leaves a change no larger than its place.
    """
    if before.shape != now.shape:
        return False
    mask = _recoloured(before, now)
    scale = mask.shape[1] / now.shape[1]
    left, top, right, bottom = (max(0, round(edge * scale)) for edge in box)
    patches, areas = edge_areas(mask)
    place = patches[top : bottom + 1, left : right + 1]
    return bool((areas[place] > _COVER_TIMES * place.size).any())


def _recoloured(before: Image, now: Image) -> Image:
    """Where two pictures differ in any colour, shrunk: 1 where they do."""
    height, width = before.shape[:2]
    scale = min(1.0, _COVER_SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    was, shows = (
        cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float64)
        for picture in (before, now)
    )
    light = np.median((shows + 1.0) / (was + 1.0), axis=(0, 1))
    mask = (np.abs(shows - was * light).max(axis=2) > _RECOLOURED_LEVELS).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _CLOSING), np.uint8)


def proposal(observation: Observation, frame: Frame) -> Proposal:
    """The proposal of a reading; `frame` is the picture that was read.

    Its confidence is the product of the pieces' confidences, 0 if one cannot be read. Pieces come
    in their sets; cards, which have none, are one row.
    """
    seen = observation.detections
    unread = any(each.label == UNREADABLE for each in seen)
    flat = seen if any(each.quad for each in seen) else ()
    sets = tuple(each.indices for each in observation.sets) or (tuple(range(len(seen))),)
    return Proposal(
        sightings=() if flat else tuple(map(_die, seen)),
        confidence=0.0 if unread else prod(each.confidence for each in seen),
        frame=frame.sequence,
        width=frame.image.shape[1],
        height=frame.image.shape[0],
        seen_at=frame.captured_at,
        doubts=observation.doubts,
        pieces=tuple(
            SeenPiece(each.label, each.confidence, each.quad, each.readings, each.inferred)
            for each in flat
        ),
        sets=sets if flat else (),
        photo=frame.single,
        maybe=tuple(map(_die, observation.maybe)),
    )


def _die(seen: Detection) -> TableDie:
    face = None if seen.label == UNREADABLE else int(seen.label)
    return TableDie(face, seen.box, seen.angle, seen.confidence, doubt=seen.doubt)
