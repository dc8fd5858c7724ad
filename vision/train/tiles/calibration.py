"""How sure the tile reader may be, fitted on scenes that it was trained without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace

import numpy as np

from scoreboard.games.rummikub.tiles import COLOURS, Tile, piece
from vision.read.confidence import Thresholds
from vision.read.observation import UNREADABLE
from vision.read.tiles import KINDS, TileReading, compared
from vision.train.probability_fit import (
    Floats,
    at_temperature,
    even_weights,
    logistic,
    logit,
    temperature,
)
from vision.train.tiles.cross_validation import Place, SeenPhotograph
from vision.train.tiles.export import Temperatures


@dataclass(frozen=True, slots=True)
class Calibration:
    """What turns the networks' figures into probabilities; see `vision.read.confidence.Belief`."""

    temperatures: Temperatures = field(default_factory=Temperatures)
    bias: float = 0.0
    finder: float = 0.5
    reader: float = 0.5
    face: float = 0.0
    size: float = 0.0
    offset: float = 0.0
    slope: float = 1.0

    @property
    def entries(self) -> dict[str, float]:
        """As the card has it."""
        return {name: value for name, value in asdict(self).items() if name != "temperatures"}

    def limits(self, thresholds: dict[str, float]) -> Thresholds:
        """The limits of a card with this calibration."""
        return Thresholds(**self.entries, **thresholds)


def calibrated(seen: Sequence[SeenPhotograph], thresholds: dict[str, float]) -> Calibration:
    """Fit what a model exported at temperature 1 saw; every scene weighs the same."""
    truths = [truth for each in seen for truth in each.truths()]
    told = [at for at, truth in enumerate(truths) if truth != UNREADABLE]
    truths = [truths[at] for at in told]
    if not any(truths):
        return Calibration()
    places = [place for each in seen for place in each.places]
    scenes = [each.photograph.scene for each in seen for _ in each.places]
    weights = even_weights([scenes[at] for at in told])
    temperatures = _temperatures([places[at].once for at in told], truths, weights)
    weighed = [place for each in seen for place in softened(each.places, temperatures)]
    softer = [weighed[at] for at in told]
    found = Calibration(temperatures, *_presence(softer, truths))
    offset, slope = _platt(softer, truths, weights, found.limits(thresholds))
    return replace(found, offset=offset, slope=slope)


def softened(places: Sequence[Place], temperatures: Temperatures) -> tuple[Place, ...]:
    """The places of a photograph as they are read at those temperatures, inks compared."""
    once = compared([_softer(place.once, temperatures) for place in places])
    closely = compared([_softer(place.closely, temperatures) for place in places])
    return tuple(map(Place, once, closely))


def _softer(reading: TileReading, temperatures: Temperatures) -> TileReading:
    kinds, inks = (
        tuple(float(each) for each in at_temperature(np.array([chances]), warmth)[0])
        for chances, warmth in (
            (reading.kinds, temperatures.kinds),
            (reading.inks, temperatures.inks),
        )
    )
    return replace(reading, kinds=kinds, inks=inks)


def _temperatures(
    readings: Sequence[TileReading], truths: Sequence[str | None], weights: Floats
) -> Temperatures:
    named = [None if truth is None else piece(truth) for truth in truths]
    tiles = [at for at, each in enumerate(named) if each is not None]
    coloured = [at for at, each in enumerate(named) if isinstance(each, Tile)]
    kinds = [each.number if isinstance(each := named[at], Tile) else KINDS - 1 for at in tiles]
    inks = [COLOURS.index(each.colour) for at in coloured if isinstance(each := named[at], Tile)]
    return Temperatures(
        temperature(
            np.array([readings[at].kinds for at in tiles]), np.array(kinds), weights[tiles]
        ),
        temperature(
            np.array([readings[at].inks for at in coloured]), np.array(inks), weights[coloured]
        ),
    )


def _presence(places: Sequence[Place], truths: Sequence[str | None]) -> tuple[float, ...]:
    """Fit it on close readings, as all that is in doubt is read so."""
    readings = [place.closely for place in places]
    scores = logit(np.array([each.candidate.score for each in readings]))
    present = logit(np.array([each.present for each in readings]))
    faces = logit(np.array([each.likelihood for each in readings]))
    sizes = np.log(np.maximum([each.candidate.width for each in readings], 1) / 32)
    said = np.stack([scores, present, faces, sizes], axis=1)
    return logistic(said, np.array([truth is not None for truth in truths]), np.ones(len(truths)))


def _platt(
    places: Sequence[Place], truths: Sequence[str | None], weights: Floats, limits: Thresholds
) -> tuple[float, ...]:
    """Fit how often a reading that would be told is right."""
    readings = [place.under(limits) for place in places]
    told = np.array([limits.is_piece(each) for each in readings])
    right = np.array(
        [str(each.piece) == truth for each, truth in zip(readings, truths, strict=True)]
    )
    both = np.array([limits.presence(each) * each.likelihood for each in readings])
    return logistic(logit(both[told])[:, None], right[told], weights[told])
