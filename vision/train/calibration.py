"""How sure the reader may be, fitted on photographs that it was trained without.

After Guo et al., "On Calibration of Modern Neural Networks" (2017), and Platt (1999).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from vision.read.confidence import Thresholds
from vision.read.dice import DieReading
from vision.train.cross_validation import Place, SeenPhotograph
from vision.train.probability_fit import Floats, at_temperature, even_weights, logistic, logit
from vision.train.probability_fit import temperature as fitted_temperature


@dataclass(frozen=True, slots=True)
class Calibration:
    """What turns the networks' figures into probabilities.

    `temperature` divides the reader's logits; the presence of a die is the logistic function
    of `bias`, `finder` and `reader` times the logits of what each network says of it, `face`
    times that of the likeliest face, and `size` times the logarithm of its size in units of 32
    pixels;
    the confidence is that of `offset` and `slope` times the logit of both together.
    """

    temperature: float = 1.0
    bias: float = 0.0
    finder: float = 0.5
    reader: float = 0.5
    face: float = 0.0
    size: float = 0.0
    offset: float = 0.0
    slope: float = 1.0

    def limits(self, thresholds: dict[str, float]) -> Thresholds:
        """The limits of a card with this calibration."""
        weights = {name: value for name, value in asdict(self).items() if name != "temperature"}
        return Thresholds(**weights, **thresholds)


def calibrated(seen: Sequence[SeenPhotograph], thresholds: dict[str, float]) -> Calibration:
    """Fit what a model exported at temperature 1 saw; for values every source weighs the same."""
    truths = [truth for each in seen for truth in each.truths()]
    places = [place for each in seen for place in each.places]
    if not any(truths):
        return Calibration()
    weights = even_weights([each.source for each in seen for _ in each.places])
    temperature = _temperature([place.once for place in places], truths, weights)
    softer = [softened(place, temperature) for place in places]
    presence = _presence([place.closely for place in softer], truths)
    found = Calibration(temperature, *presence)
    offset, slope = _platt(softer, truths, weights, found.limits(thresholds))
    return replace(found, offset=offset, slope=slope)


def softened(place: Place, temperature: float) -> Place:
    """The place as it is read at that temperature."""
    return Place(_softer(place.once, temperature), _softer(place.closely, temperature))


def _softer(reading: DieReading, temperature: float) -> DieReading:
    chances = at_temperature(np.array([reading.chances]), temperature)[0]
    return replace(reading, chances=tuple(float(each) for each in chances))


def _temperature(readings: Sequence[DieReading], truths: Sequence[int], weights: Floats) -> float:
    dice = np.array(truths) > 0
    chances = np.array([each.chances for each in readings])[dice]
    return fitted_temperature(chances, np.array(truths)[dice], weights[dice])


def _presence(readings: Sequence[DieReading], truths: Sequence[int]) -> tuple[float, ...]:
    """Fit it on close readings, as all that is in doubt is read so.

    Every place weighs the same: a source full of what resembles dice tells the most here.
    """
    scores = logit(np.array([each.candidate.score for each in readings]))
    present = logit(np.array([each.present for each in readings]))
    faces = logit(np.array([each.likelihood for each in readings]))
    sizes = np.log(np.maximum([each.candidate.size for each in readings], 1) / 32)
    said = np.stack([scores, present, faces, sizes], axis=1)
    return logistic(said, np.array(truths) > 0, np.ones(len(truths)))


def _platt(
    places: Sequence[Place], truths: Sequence[int], weights: Floats, limits: Thresholds
) -> tuple[float, ...]:
    """Fit how often a value that would be told is right."""
    readings = [place.under(limits) for place in places]
    told = np.array([limits.is_piece(each) for each in readings])
    right = np.array([each.value for each in readings]) == np.array(truths)
    both = np.array([limits.presence(each) * each.likelihood for each in readings])
    return logistic(logit(both[told])[:, None], right[told], weights[told])
