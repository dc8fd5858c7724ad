"""How sure the reader may be, fitted on photographs kept out of training.

After Guo et al., "On Calibration of Modern Neural Networks" (2017).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.dice.cropping import crops
from vision.dice.looking import look
from vision.dice.peaks import Peak
from vision.dice.pyramid import Pyramid
from vision.evaluation import match
from vision.labels import LabelledPhotograph
from vision.observation import UNREADABLE, Detection
from vision.photo import open_photo
from vision.recognisers.dice import FINDER, READER
from vision.training.networks import FACE_CLASSES
from vision.weights import Model

Floats = NDArray[np.float64]

_FAINTEST: Final = 0.1
_LIKELY: Final = 0.3
_TEMPERATURES: Final = np.exp(np.linspace(np.log(0.4), np.log(2.5), 60))
_NEWTON_STEPS: Final = 30


@dataclass(frozen=True, slots=True)
class Calibration:
    """What turns the networks' figures into probabilities.

    `temperature` divides the reader's logits; the presence of a die is the logistic function
    of `bias`, and `finder` and `reader` times the logits of what each network says of it.
    """

    temperature: float = 1.0
    bias: float = 0.0
    finder: float = 0.5
    reader: float = 0.5
    offset: float = 0.0
    slope: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class _Sample:
    """All places that the finder named: its scores, the reader's chances, the true values or 0."""

    scores: Floats
    chances: Floats
    truths: NDArray[np.int64]


def calibrated(model: Model, photographs: list[LabelledPhotograph]) -> Calibration:
    """Fit a model that was exported at temperature 1; one that finds nothing stays as it is."""
    places = [each for photograph in photographs for each in _read(model, photograph)]
    if not places:
        return Calibration()
    scores, chances, truths = (np.array(each) for each in zip(*places, strict=True))
    temperature = _temperature(_Sample(scores, chances, truths))
    sample = _Sample(scores, _softened(chances, temperature), truths)
    bias, finder, reader = (round(float(each), 3) for each in _presence(sample))
    return Calibration(round(temperature, 3), bias, finder, reader)


def _temperature(sample: _Sample) -> float:
    likely = (sample.scores >= _LIKELY) | (sample.truths > 0)
    chances, truths = sample.chances[likely], sample.truths[likely]
    losses = [_loss(_softened(chances, each), truths) for each in _TEMPERATURES]
    return float(_TEMPERATURES[int(np.argmin(losses))])


def _softened(chances: Floats, temperature: float) -> Floats:
    softened = np.maximum(chances, 1e-9) ** (1 / temperature)
    return np.asarray(softened / softened.sum(axis=1, keepdims=True))


def _loss(chances: Floats, truths: NDArray[np.int64]) -> float:
    return float(-np.log(chances[np.arange(len(truths)), truths] + 1e-9).mean())


def _presence(sample: _Sample) -> Floats:
    """Fit a logistic regression by Newton's steps."""
    evidence = (logit(sample.scores), logit(1 - sample.chances[:, 0]))
    inputs = np.stack([np.ones(len(sample.scores)), *evidence], axis=1)
    present = sample.truths > 0
    weights = np.zeros(3)
    for _ in range(_NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        curvature = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + 0.1 * np.eye(3)
        slope = inputs.T @ (present - chance) - 0.1 * weights
        weights += np.linalg.solve(curvature, slope)
    return weights


def logit(chances: Floats) -> Floats:
    """Give the logarithm of the odds, kept finite."""
    kept = np.clip(chances, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(kept / (1 - kept)))


def _read(
    model: Model, photograph: LabelledPhotograph
) -> Iterator[tuple[float, NDArray[np.float32], int]]:
    pyramid = Pyramid(open_photo(photograph.path))
    seen = look(model.networks[FINDER], pyramid, _FAINTEST)
    if seen:
        figures = model.networks[READER](crops(pyramid, seen))[:, :FACE_CLASSES]
        truths = _truths(photograph, seen)
        yield from zip((peak.score for peak in seen), figures, truths, strict=True)


def _truths(photograph: LabelledPhotograph, seen: list[Peak]) -> list[int]:
    truths = [0] * len(seen)
    detections = [Detection(UNREADABLE, peak.score, peak.box, 0.0) for peak in seen]
    for die, place in match(photograph.dice, detections, whole=photograph.whole):
        truths[place] = photograph.dice[die].value
    return truths
