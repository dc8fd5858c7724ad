"""Several readings of the same pieces at rest become one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Final

from scoreboard.games.rummikub.tiles import piece
from scoreboard.message import Message, message
from vision.read.observation import UNREADABLE, Detection, Observation, distance, side
from vision.read.tile_sets import judged

_SAME_PLACE_SHARE: Final = 0.5  # of a die's side: closer than this lies no other die
_READINGS_FOR_ONE_ERROR: Final = 4  # among so many, one that differs is the one that erred

Votes = list[Detection]  # what the readings say about one place, at most one a reading


def merge(readings: Sequence[Observation]) -> Observation:
    """Let the readings vote on each die, by where it lies, weighted by their confidence.

    A die that at least half of the readings have is kept, with the label of most weight; its
    confidence is that label's weight a reading. A doubt stays when at least half of the
    readings have it. Where readings differ, a doubt says so, unless only one of four or more
    differs. Tiles come in the sets of the newest reading.

    Raises:
        ValueError: there are no readings.
    """
    if not readings:
        raise ValueError("there is no reading to merge")
    if len(readings) == 1:
        return readings[0]
    places = _places(readings)
    kept = [votes for votes in places if 2 * len(votes) >= len(readings)]
    doubts = _shared_doubts(readings)
    if any(_is_disputed(votes, len(readings)) for votes in places):
        doubts = (*doubts, _two_readings_differ())
    elected = [_elected(votes, len(readings)) for votes in kept]
    merged = replace(readings[-1], doubts=doubts)
    if any(reading.sets for reading in readings):
        return _in_sets(merged, elected)
    return replace(merged, detections=tuple(elected))


def _in_sets(newest: Observation, elected: Sequence[Detection]) -> Observation:
    """The pieces in the order and the sets of the newest reading; what it lacks comes last."""
    free, rows = list(elected), list[list[Detection]]()
    for row in newest.sets:
        near = [_nearest_of(newest.detections[at], free) for at in row.indices]
        found = [each for each in near if each is not None]
        free = [each for each in free if all(each is not taken for taken in found)]
        rows.append(found)
    rows += [[each] for each in free]
    detections = tuple(each for row in rows for each in row)
    pieces = [None if each.label == UNREADABLE else piece(each.label) for each in detections]
    return replace(newest, detections=detections, sets=judged(_numbered(rows), pieces))


def _numbered(rows: Sequence[Sequence[Detection]]) -> list[tuple[int, ...]]:
    places = count()
    return [tuple(next(places) for _ in row) for row in rows if row]


def _nearest_of(detection: Detection, free: Sequence[Detection]) -> Detection | None:
    votes = _nearest(detection, [[each] for each in free])
    return None if votes is None else votes[0]


def agree(readings: Sequence[Observation]) -> bool:
    """Whether all readings have the same dice in the same places."""
    return not any(_differ(votes, len(readings)) for votes in _places(readings))


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


def _differ(votes: Votes, readings: int) -> bool:
    return len(votes) < readings or len({vote.label for vote in votes}) > 1


def _is_disputed(votes: Votes, readings: int) -> bool:
    """Whether so many readings differ about one place that a person must look."""
    present = Counter(vote.label for vote in votes)
    absent = readings - len(votes)
    return readings - max(*present.values(), absent) > readings // _READINGS_FOR_ONE_ERROR


def _shared_doubts(readings: Sequence[Observation]) -> tuple[Message, ...]:
    """The doubts of at least half of the readings.

    Where half of them doubt, but each something else, the last of these is believed: it is
    doubtful what is doubtful, not whether.
    """
    doubtful = [reading for reading in readings if reading.doubts]
    if 2 * len(doubtful) < len(readings):
        return ()
    said = Counter(doubt for reading in doubtful for doubt in dict.fromkeys(reading.doubts))
    shared = tuple(doubt for doubt, times in said.items() if 2 * times >= len(readings))
    return shared or doubtful[-1].doubts if doubtful else ()


def _elected(votes: Votes, readings: int) -> Detection:
    weights: Counter[str] = Counter()
    for vote in votes:
        weights[vote.label] += vote.confidence  # type: ignore[assignment]  # a weight is no count
    label = max(weights, key=lambda each: weights[each])
    winners = [vote for vote in votes if vote.label == label]
    best = max(winners, key=lambda vote: vote.confidence)
    return replace(best, confidence=weights[label] / readings)


def _two_readings_differ() -> Message:
    return message("Two readings differ; look at each value.")
