"""From trained networks to `models/dice/`: exported, calibrated, described and evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from vision.capture.photo import open_photo
from vision.evaluate.labels import Source, read_sources
from vision.evaluate.scoring import ScoredSource, score_photos
from vision.read.dice import NAME, DiceRecogniser
from vision.read.networks import CARD, FINDER, READER, Model, load_model
from vision.train.calibration import Calibration, calibrated, softened
from vision.train.card import checksums, measured_errors, section
from vision.train.cross_validation import SeenPhotograph, read_seen, see, write_seen
from vision.train.descent import restored
from vision.train.export import export_finder, export_reader
from vision.train.finder import example_scenes
from vision.train.networks import Finder, Reader
from vision.train.photographs import Pictures
from vision.train.quantisation import quantise
from vision.train.reader import example_crops
from vision.train.report import evaluated, evaluation_page, table
from vision.train.thresholds import FIRST, chosen, score_by_source

EVALUATION: Final = "evaluation.md"
DEV: Final = "dev"
TRAIN: Final = "train"
SEEN: Final = "seen.jsonl"

_LICENCES: Final = {
    "Epanemu__GameDiceRecognition": "CC BY 4.0",
    "N3VERS4YDIE__dice-recognition": "CC BY 4.0 (Roboflow, “Rune55”)",
    "matteop65__Dice_Detection_Recognition": "MIT",
    "nell-byler__dice_detection": "BSD-3-Clause",
    "conner-replogle__rummikub-detector": "CC BY 4.0",  # tables without dice
    "rendered": "made by `python -m vision.train.rendering dice`",
}


@dataclass(frozen=True, slots=True)
class Trained:
    """Where the checkpoints lie, and the pictures that they were trained on."""

    cache: Path
    pictures: Pictures


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a model's card states, and the photographs that it was chosen on."""

    calibration: Calibration
    thresholds: Mapping[str, float]
    left_out: Sequence[ScoredSource]


def trained_on(folder: Path) -> list[Source]:
    """The sources that have photographs to train on; others are for the record alone."""
    return [
        source
        for source in read_sources(folder)
        if any(each.split == TRAIN for each in source.photographs)
    ]


def see_left_out(data: Path, trained: Trained, without: str) -> Path:
    """Read the source left out with the model so trained, and keep what it saw."""
    model = write_uncalibrated(trained, trained.cache / "models")
    (source,) = (each for each in trained_on(data) if each.name == without)
    file = trained.cache / SEEN
    write_seen(file, see(model, source))
    return file


def write_uncalibrated(trained: Trained, models: Path) -> Model:
    """Write the networks so trained as they are, and load them: to choose by, not to ship."""
    _export(trained, models / NAME, 1.0)
    _write_card(models / NAME, "", Judgement(Calibration(), FIRST, ()), ())
    return load_model(NAME, folder=models)


def judge(data: Path, left_out: Mapping[str, Path]) -> Judgement:
    """Calibrate and choose by what was seen of each source by a model trained without it."""
    sources = {each.name: each for each in trained_on(data)}
    seen = [each for name, file in left_out.items() for each in read_seen(file, sources[name])]
    calibration = calibrated(seen, dict(FIRST))
    softer = [_softened(each, calibration.temperature) for each in seen]
    thresholds = chosen(softer, calibration)
    return Judgement(calibration, thresholds, score_by_source(softer, calibration, thresholds))


def _softened(seen: SeenPhotograph, temperature: float) -> SeenPhotograph:
    places, wide = (
        tuple(softened(place, temperature) for place in kind) for kind in (seen.places, seen.wide)
    )
    return replace(seen, places=places, wide=wide)


def publish(data: Path, trained: Trained, models: Path, command: str, judgement: Judgement) -> str:
    """Write the networks so trained into `models`/dice, with card and evaluation.

    Returns the table of the sources' dev photographs.
    """
    folder = models / NAME
    _export(trained, folder, judgement.calibration.temperature)
    _write_card(folder, command, judgement, ())
    scored = dev_scores(trained_on(data), models)
    _write_card(folder, command, judgement, scored)
    page = folder / EVALUATION
    evaluation = evaluated(scored, judgement.left_out, judgement.thresholds)
    page.write_text(evaluation_page(evaluation, page), encoding="utf-8")
    return table(evaluation.rows)


def _export(trained: Trained, folder: Path, temperature: float) -> None:
    finder = restored(Finder(), trained.cache / "finder.pt")
    reader = restored(Reader(), trained.cache / "reader.pt")
    export_finder(finder, folder / FINDER)
    export_reader(reader, folder / READER, temperature)
    quantise(folder / FINDER, example_scenes(trained.pictures))
    quantise(folder / READER, example_crops(trained.pictures))


def dev_scores(sources: Iterable[Source], models: Path) -> list[ScoredSource]:
    """Score the model in that folder on the dev photographs of each source that has some."""
    recogniser = DiceRecogniser(load_model(NAME, folder=models))
    scored = (
        (each.name, tuple(score_photos(each, DEV, recogniser, open_photo))) for each in sources
    )
    return [ScoredSource(name, photos) for name, photos in scored if photos]


def _write_card(
    folder: Path, command: str, judgement: Judgement, scored: Sequence[ScoredSource]
) -> None:
    sections = [
        _HEAD.format(made=datetime.now(UTC).date(), command=command),
        section("checksums", checksums(folder, (FINDER, READER))),
        section("calibration", asdict(judgement.calibration)),
        section("thresholds", judgement.thresholds),
        section("measured_error", measured_errors(scored, judgement.left_out)),
        section("sources", _LICENCES),
    ]
    (folder / CARD).write_text("\n".join(sections), encoding="utf-8")


_HEAD: Final = """\
# The dice reader's model card; written by the training command.
name = "dice"
made = {made}
command = "{command}"
input = "a picture of any size, bytes in the order blue, green, red"
finder = "1 x H x W x 3 bytes, H and W multiples of 32 -> score, offsets, log sizes at stride 4"
reader = "N x 48 x 48 x 3 bytes -> 7 probabilities, cosine and sine of four times the angle, \
probabilities of leaning and of a die"
labels = ["?", "1", "2", "3", "4", "5", "6"]
"""
