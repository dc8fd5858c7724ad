"""Several readings of the same dice at rest become one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from scoreboard.phrase import Phrase, phrase
from vision.observation import Detection, Observation, distance, side

_SAME_PLACE_SHARE: Final = 0.5  # of a die's side: closer than this lies no other die

Votes = list[Detection]  # what the readings say about one place, at most one a reading


def merge(readings: Sequence[Observation]) -> Observation:
    """Let the readings vote on each die, by where it lies, weighted by their confidence.

    A die that at least half of the readings have is kept, with the label of most weight; its
    confidence is that label's weight a reading. Where readings differ, a doubt says so.

    Raises:
        ValueError: there are no readings.
    """
    if not readings:
        raise ValueError("there is no reading to merge")
    if len(readings) == 1:
        return readings[0]
    places = _places(readings)
    kept = [votes for votes in places if 2 * len(votes) >= len(readings)]
    doubts = dict.fromkeys(doubt for reading in readings for doubt in reading.doubts)
    if any(_differ(votes, len(readings)) for votes in places):
        doubts[_two_readings_differ()] = None
    detections = tuple(_elected(votes, len(readings)) for votes in kept)
    return replace(readings[-1], detections=detections, doubts=tuple(doubts))


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


def _elected(votes: Votes, readings: int) -> Detection:
    weights: Counter[str] = Counter()
    for vote in votes:
        weights[vote.label] += vote.confidence  # type: ignore[assignment]  # a weight is no count
    label = max(weights, key=lambda each: weights[each])
    winners = [vote for vote in votes if vote.label == label]
    best = max(winners, key=lambda vote: vote.confidence)
    return replace(best, confidence=weights[label] / readings)


def _two_readings_differ() -> Phrase:
    return phrase("Two readings of these dice differ; look at each value.")
