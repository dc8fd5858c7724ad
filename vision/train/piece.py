"""What differs between dice and tiles when a trained model is judged and published."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from scoreboard.message import message
from vision.capture.frame import Pyramid
from vision.evaluate.labels import LabelledPhotograph, Source
from vision.evaluate.scoring import ScoredSource
from vision.read.confidence import Thresholds
from vision.read.networks import Model
from vision.read.observation import Observation, Recogniser
from vision.train.report import Wording
from vision.train.training import Lessons

A_DOUBT: Final = message("A tile cannot be read.")
Reading = TypeVar("Reading", bound=Any)  # DieReading or TileReading
Classes = tuple[tuple[float, ...], ...]
Grouped = tuple[str, LabelledPhotograph]


@dataclass(frozen=True, slots=True)
class TrainingPaths:
    """Folders of labelled photographs, of rendered pictures, and of photographs without the pieces.

    Of the rendered pictures, the first `most` count.
    """

    data: Path
    rendered: Path
    bare: Path | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class FoundPlace(Generic[Reading]):
    """A place that the finder named, as read once and as read closely."""

    once: Reading
    closely: Reading

    def under(self, limits: Thresholds) -> Reading:
        """The reading that counts under these limits."""
        return self.closely if limits.reads_again(self.once) else self.once


@dataclass(frozen=True, slots=True)
class ProbabilityCalibration:
    """What turns the networks' figures into probabilities.

    `temperatures` divide the reader's logits, one for each of its groups of classes; the others
    are those of `vision.read.confidence.ConfidenceModel`.
    """

    temperatures: tuple[float, ...]
    bias: float = 0.0
    finder: float = 0.5
    reader: float = 0.5
    face: float = 0.0
    size: float = 0.0
    offset: float = 0.0
    slope: float = 1.0

    @property
    def weights(self) -> dict[str, float]:
        return {name: value for name, value in asdict(self).items() if name != "temperatures"}

    def limits(self, thresholds: Mapping[str, float]) -> Thresholds:
        return Thresholds(**self.weights, **thresholds)


class PieceKind(ABC, Generic[Reading]):
    """One kind of pieces: its classes and crop, its card and page, and what it is judged by.

    `classes` are the sizes of the reader's groups of classes, `parts` the fields of a reading that
    hold their probabilities, and `crop` the height and width of what it sees. `first` are the
    thresholds to start from, `first_roll` those of whole rolls, `choices` those that are tried,
    with at most `most_needless` photographs doubted in vain. `head` begins the card, `sources` are
    its licences and `wording` is that of the page. A model is trained without each `group` in turn:
    a source of photographs, or a scene.
    """

    name: str
    recogniser: Callable[[Model], Recogniser]
    classes: tuple[int, ...]
    parts: tuple[str, ...]
    crop: tuple[int, int]
    first: Mapping[str, float]
    first_roll: Mapping[str, float] = MappingProxyType({})
    choices: Mapping[str, tuple[float, ...]]
    most_needless: float
    head: str
    sources: Mapping[str, str]
    wording: Wording

    @abstractmethod
    def lessons(self, paths: TrainingPaths, seed: int, without: str = "") -> Lessons[Any]:
        """All pictures to learn from but those of one group."""

    @abstractmethod
    def rendered_lessons(self, paths: TrainingPaths) -> Lessons[Any]:
        """Rendered pictures alone."""

    @abstractmethod
    def groups(self, paths: TrainingPaths) -> list[str]:
        """The groups that have photographs to train on."""

    @abstractmethod
    def left_out(self, paths: TrainingPaths, group: str) -> list[Grouped]:
        """The photographs that a model trained without a group is judged by, and their groups."""

    def known(self, paths: TrainingPaths, group: str) -> list[Grouped]:
        """The photographs that may have been read by a model trained without a group."""
        return self.left_out(paths, group)

    @abstractmethod
    def dev(self, paths: TrainingPaths) -> list[Source]:
        """The dev photographs by groups."""

    @abstractmethod
    def places(
        self, model: Model, pyramid: Pyramid, threshold: float
    ) -> tuple[tuple[FoundPlace[Reading], ...], tuple[FoundPlace[Reading], ...]]:
        """All places seen on a picture, and those that count where nothing else is believed."""

    def observed(
        self,
        readings: Sequence[Reading],
        wide: Sequence[Reading],
        shape: tuple[int, int],
        limits: Thresholds,
    ) -> Observation:
        """The recogniser's observation of these readings; `wide` are those that count besides.

        The kind of doubt needs the pixels, and does not matter to the score.
        """
        every = [*readings, *(() if any(map(limits.is_piece, readings)) else wide)]
        found = tuple(each.detection(shape, limits) for each in every if limits.is_piece(each))
        asked = any(limits.is_doubtful(each, shape) for each in every)
        return Observation(0, "", found, (A_DOUBT,) if asked else ())

    def classes_of(self, reading: Reading) -> Classes:
        return tuple(getattr(reading, part) for part in self.parts)

    def with_classes(self, reading: Reading, classes: Classes) -> Reading:
        return replace(reading, **dict(zip(self.parts, classes, strict=True)))

    @abstractmethod
    def truth(self, label: str) -> tuple[int | None, ...]:
        """The class of a label in each group, None where it has none."""

    def compared(self, readings: Sequence[Reading]) -> Sequence[Reading]:
        """The readings of one photograph, weighed against each other."""
        return readings

    def optional_truth(self) -> str | None:
        """What is true of a piece that need not be read: "?" leaves its place out."""
        return None

    @abstractmethod
    def plain(self, reading: Reading) -> list[Any]:
        """A reading as JSON values."""

    @abstractmethod
    def reading(self, plain: Sequence[Any]) -> Reading:
        """A reading from JSON values."""

    def calibration_sections(
        self, calibration: ProbabilityCalibration
    ) -> Mapping[str, Mapping[str, float]]:
        """The calibration as sections of the card: temperatures apart where there are several."""
        if len(self.parts) == 1:
            (temperature,) = calibration.temperatures
            return {"calibration": {"temperature": temperature, **calibration.weights}}
        temperatures = dict(zip(self.parts, calibration.temperatures, strict=True))
        return {"temperatures": temperatures, "calibration": calibration.weights}

    def roll_section(self, model: Model, paths: TrainingPaths) -> Mapping[str, float]:  # noqa: ARG002 -- for dice
        """What the card states of whole rolls as that model reads them; nothing of tiles."""
        return {}

    def notes(self, scored: Sequence[ScoredSource]) -> list[str]:  # noqa: ARG002 -- for tiles
        """Further paragraphs of the page."""
        return []

    def uncalibrated(self) -> ProbabilityCalibration:
        return ProbabilityCalibration((1.0,) * len(self.classes))
