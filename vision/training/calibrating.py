"""How sure the reader may be: one temperature, fitted on photographs kept out of training.

After Guo et al., "On Calibration of Modern Neural Networks" (2017).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.dice.cropping import crops
from vision.dice.looking import look
from vision.dice.peaks import Peak
from vision.evaluation import match
from vision.labels import LabelledPhotograph
from vision.observation import UNREADABLE, Detection
from vision.photo import open_photo
from vision.recognisers.dice import FINDER, READER
from vision.training.networks import FACE_CLASSES
from vision.weights import Model

Chances = NDArray[np.float64]

_FAINTEST: Final = 0.3
_TEMPERATURES: Final = np.exp(np.linspace(np.log(0.4), np.log(2.5), 60))


def fitted_temperature(model: Model, photographs: list[LabelledPhotograph]) -> float:
    """Fit the temperature of a reader that was exported at temperature 1.

    Every die that the finder finds counts with its label, and what is no die as nothing.
    If it finds nothing at all, the temperature is 1.
    """
    read = [each for photograph in photographs for each in _read(model, photograph)]
    if not read:
        return 1.0
    logs = np.log(np.maximum(np.stack([chances for chances, _ in read]), 1e-9))
    truths = np.array([truth for _, truth in read])
    losses = [_loss(logs / temperature, truths) for temperature in _TEMPERATURES]
    return round(float(_TEMPERATURES[int(np.argmin(losses))]), 3)


def _loss(logits: Chances, truths: NDArray[np.int64]) -> float:
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return float(-np.log(chances[np.arange(len(truths)), truths] + 1e-9).mean())


def _read(model: Model, photograph: LabelledPhotograph) -> Iterator[tuple[Chances, int]]:
    image = open_photo(photograph.path)
    seen = look(model.networks[FINDER], image, _FAINTEST)
    if not seen:
        return
    figures = model.networks[READER](crops(image, seen))[:, :FACE_CLASSES].astype(np.float64)
    truths = _truths(photograph, seen)
    yield from zip(figures, truths, strict=True)


def _truths(photograph: LabelledPhotograph, seen: list[Peak]) -> list[int]:
    truths = [0] * len(seen)
    detections = [Detection(UNREADABLE, peak.score, peak.box, 0.0) for peak in seen]
    for die, place in match(photograph.dice, detections, whole=photograph.whole):
        truths[place] = photograph.dice[die].value
    return truths
