"""How sure a reader may be, and from where it is believed: fitted on what it was trained without.

A model trained without a group of photographs reads these, and what it made of them is kept on
disk. From that, confidence is calibrated (Guo et al., "On Calibration of Modern Neural Networks",
2017, and Platt, 1999) and thresholds are chosen: nothing predicts better how a stranger's table is
read.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from statistics import fmean
from typing import Any, Final, Generic

import numpy as np
from numpy.typing import NDArray

from scoreboard.text_files import write_whole
from vision.capture.frame import Pyramid
from vision.capture.photo import open_photo
from vision.evaluate.labels import LabelledPhotograph
from vision.evaluate.scoring import PhotoScore, ScoredSource, match, score
from vision.read.confidence import Thresholds
from vision.read.networks import Model
from vision.read.observation import UNREADABLE, Detection
from vision.train.piece import FoundPlace, Grouped, PieceKind, ProbabilityCalibration, Reading

Floats = NDArray[np.float64]
Chosen = dict[str, float]

_FAINTEST: Final = 0.08
_TEMPERATURES: Final = np.exp(np.linspace(np.log(0.4), np.log(2.5), 60))
_NEWTON_STEPS: Final = 40
_ROUNDS: Final = 2


@dataclass(frozen=True, slots=True)
class SeenPhotograph(Generic[Reading]):
    """A labelled photograph, its height and width, and all places seen on it.

    `group` is what was left out of the training of the model that saw it; `wide` are places of
    another pass, that count where the recogniser would look at them.
    """

    group: str
    photograph: LabelledPhotograph
    shape: tuple[int, int]
    places: tuple[FoundPlace[Reading], ...]
    wide: tuple[FoundPlace[Reading], ...] = ()

    def score(self, piece: PieceKind[Reading], limits: Thresholds) -> PhotoScore:
        places, wide = ([each.under(limits) for each in both] for both in (self.places, self.wide))
        return score(self.photograph, piece.observed(places, wide, self.shape, limits), 0.0)

    def truths(self, optional: str | None) -> list[str | None]:
        """The labels of the pieces at its places, or None."""
        said = [
            Detection(UNREADABLE, 1.0, place.once.candidate.box, place.once.candidate.turn)
            for place in self.places
        ]
        truths: list[str | None] = [None] * len(said)
        pieces = self.photograph.pieces
        for row, place in match(pieces, said, whole=self.photograph.whole):
            truths[place] = optional if pieces[row].optional else pieces[row].label
        return truths


def see(
    piece: PieceKind[Reading], model: Model, photographs: Iterable[Grouped]
) -> Iterator[SeenPhotograph[Reading]]:
    """Look at photographs with a model that was trained without their group."""
    for group, photograph in photographs:
        pyramid = Pyramid(open_photo(photograph.path))
        height, width = pyramid.image.shape[:2]
        places, wide = piece.places(model, pyramid, _FAINTEST)
        yield SeenPhotograph(group, photograph, (height, width), places, wide)


def write_seen(
    piece: PieceKind[Reading], file: Path, seen: Iterable[SeenPhotograph[Reading]]
) -> None:
    """Keep them, a photograph a line; the file before stays until the new one is whole."""
    lines = []
    for each in seen:
        entry: dict[str, Any] = {"file": each.photograph.path.name, "shape": each.shape}
        for kind, places in (("places", each.places), ("wide", each.wide)):
            entry[kind] = [
                [piece.plain(place.once), piece.plain(place.closely)] for place in places
            ]
        lines.append(f"{json.dumps(entry)}\n")
    write_whole(file, "".join(lines).encode(), 0o644)


def read_seen(
    piece: PieceKind[Reading], file: Path, photographs: Iterable[Grouped]
) -> list[SeenPhotograph[Reading]]:
    """Take up what was kept.

    Raises:
        KeyError: it tells of a photograph that is none of these.
    """
    known = {photograph.path.name: (group, photograph) for group, photograph in photographs}
    seen = []
    for line in file.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        height, width = entry["shape"]
        places, wide = (
            tuple(FoundPlace(*map(piece.reading, both)) for both in entry.get(kind, ()))
            for kind in ("places", "wide")
        )
        seen.append(SeenPhotograph(*known[entry["file"]], (height, width), places, wide))
    return seen


def calibrated(
    piece: PieceKind[Reading],
    seen: Sequence[SeenPhotograph[Reading]],
    thresholds: Mapping[str, float],
) -> ProbabilityCalibration:
    """Fit what a model exported at temperature 1 saw; for labels every group weighs the same."""
    truths = [truth for each in seen for truth in each.truths(piece.optional_truth())]
    known = [at for at, truth in enumerate(truths) if truth != UNREADABLE]
    truths = [truths[at] for at in known]
    if not any(truths):
        return piece.uncalibrated()
    places = [place for each in seen for place in each.places]
    groups = [each.group for each in seen for _ in each.places]
    weights = even_weights([groups[at] for at in known])
    once = [places[at].once for at in known]
    temperatures = _temperatures(piece, once, truths, weights)
    softer = [place for each in seen for place in softened(piece, each.places, temperatures)]
    softer = [softer[at] for at in known]
    found = ProbabilityCalibration(temperatures, *_presence(softer, truths))
    offset, slope = _platt(softer, truths, weights, found.limits(thresholds))
    return replace(found, offset=offset, slope=slope)


def softened(
    piece: PieceKind[Reading], places: Sequence[FoundPlace[Reading]], temperatures: Sequence[float]
) -> tuple[FoundPlace[Reading], ...]:
    """The places of one photograph as they are read at those temperatures."""

    def softer(reading: Reading) -> Reading:
        classes = tuple(
            tuple(float(each) for each in at_temperature(np.array([chances]), warmth)[0])
            for chances, warmth in zip(piece.classes_of(reading), temperatures, strict=True)
        )
        return piece.with_classes(reading, classes)

    once = piece.compared([softer(place.once) for place in places])
    closely = piece.compared([softer(place.closely) for place in places])
    return tuple(map(FoundPlace, once, closely))


def _temperatures(
    piece: PieceKind[Reading],
    readings: Sequence[Reading],
    truths: Sequence[str | None],
    weights: Floats,
) -> tuple[float, ...]:
    """The temperature of each group of classes, by the readings whose class in it is known."""
    none = (None,) * len(piece.classes)
    classes = [none if truth is None else piece.truth(truth) for truth in truths]
    found = []
    for group in range(len(piece.classes)):
        rows = [at for at, each in enumerate(classes) if each[group] is not None]
        chances = np.array([piece.classes_of(readings[at])[group] for at in rows])
        right = np.array([classes[at][group] for at in rows], np.int64)
        found.append(temperature(chances, right, weights[rows]))
    return tuple(found)


def _presence(
    places: Sequence[FoundPlace[Reading]], truths: Sequence[str | None]
) -> tuple[float, ...]:
    """Fit it on close readings, as all that is in doubt is read so.

    Every place weighs the same: a group full of what resembles pieces tells the most here.
    """
    readings = [place.closely for place in places]
    scores = logit(np.array([each.candidate.score for each in readings]))
    present = logit(np.array([each.present for each in readings]))
    faces = logit(np.array([each.likelihood for each in readings]))
    sizes = np.log(np.maximum([each.size for each in readings], 1) / 32)
    said = np.stack([scores, present, faces, sizes], axis=1)
    return logistic(said, np.array([truth is not None for truth in truths]), np.ones(len(truths)))


def _platt(
    places: Sequence[FoundPlace[Reading]],
    truths: Sequence[str | None],
    weights: Floats,
    limits: Thresholds,
) -> tuple[float, ...]:
    readings = [place.under(limits) for place in places]
    known = np.array([limits.is_piece(each) for each in readings])
    right = np.array([each.label == truth for each, truth in zip(readings, truths, strict=True)])
    both = np.array([limits.presence(each) * each.likelihood for each in readings])
    return logistic(logit(both[known])[:, None], right[known], weights[known])


def even_weights(groups: Sequence[str]) -> Floats:
    """Weights under which every group counts the same, 1 in the mean."""
    counts = Counter(groups)
    return np.array([1 / counts[each] for each in groups]) * len(groups) / len(counts)


def temperature(chances: Floats, truths: NDArray[np.int64], weights: Floats) -> float:
    """The temperature at which N x C probabilities make the N truths likeliest."""

    def loss(tried: float) -> float:
        right = at_temperature(chances, tried)[np.arange(len(truths)), truths]
        return float(-(np.log(right + 1e-9) * weights).mean())

    best = _TEMPERATURES[int(np.argmin([loss(each) for each in _TEMPERATURES]))]
    return round(float(best), 3)


def at_temperature(chances: Floats, temperature: float) -> Floats:
    """The N x C probabilities that the same logits give at another temperature."""
    softer = np.maximum(chances, 1e-9) ** (1 / temperature)
    return np.asarray(softer / softer.sum(axis=1, keepdims=True))


def logistic(inputs: Floats, outcomes: NDArray[np.bool_], weights: Floats) -> tuple[float, ...]:
    """Fit a logistic regression by Newton's steps: the bias, then a weight for each input."""
    columns = np.hstack([np.ones((len(inputs), 1)), inputs])
    found = np.zeros(columns.shape[1])
    for _ in range(_NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-columns @ found))
        steepness = (chance * (1 - chance) * weights)[:, None]
        curvature = (columns * steepness).T @ columns + 0.1 * np.eye(columns.shape[1])
        slope = columns.T @ (weights * (outcomes - chance)) - 0.1 * found
        found += np.linalg.solve(curvature, slope)
    return tuple(round(float(each), 3) for each in found)


def logit(chances: Floats) -> Floats:
    """Give the logarithm of the odds, kept finite."""
    kept = np.clip(chances, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(kept / (1 - kept)))


def chosen(
    piece: PieceKind[Reading],
    seen: Sequence[SeenPhotograph[Reading]],
    calibration: ProbabilityCalibration,
) -> Chosen:
    """Choose the thresholds that lose the players least: one after the other, then all again."""

    def cost(thresholds: Chosen) -> float:
        rows = [each.row for each in score_by_group(piece, seen, calibration, thresholds)]
        # What a player loses: a silent error most, and by the group that fares worst, questions
        most_needless = piece.most_needless
        silent = fmean(row.silent for row in rows)
        wrong = fmean(2 - row.right - row.exact for row in rows)
        needless = fmean(row.needless for row in rows)
        too_many = sum(max(0.0, row.needless - most_needless) for row in rows)
        return 4 * silent + wrong + 0.5 * needless + 2 * too_many

    best = dict(piece.first)
    for _ in range(_ROUNDS):
        for name, values in piece.choices.items():
            best = min((best | {name: value} for value in values), key=cost)
    return best


def score_by_group(
    piece: PieceKind[Reading],
    seen: Sequence[SeenPhotograph[Reading]],
    calibration: ProbabilityCalibration,
    thresholds: Mapping[str, float],
) -> list[ScoredSource]:
    """Score every group under these thresholds."""
    limits = calibration.limits(thresholds)
    by_group = groupby(sorted(seen, key=attrgetter("group")), key=attrgetter("group"))
    return [
        ScoredSource(group, tuple(each.score(piece, limits) for each in photographs))
        for group, photographs in by_group
    ]
