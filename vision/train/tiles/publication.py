"""From trained networks to `models/tiles/`: exported, calibrated, described and evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from vision.capture.photo import open_photo
from vision.evaluate.labels import LabelledPhotograph, Source, read_sources
from vision.evaluate.scoring import ScoredSource, score_photos, together
from vision.read.networks import CARD, FINDER, READER, Model, load_model
from vision.read.tiles import NAME, TilesRecogniser
from vision.train.card import checksums, measured_errors, section
from vision.train.descent import restored
from vision.train.export import export_finder
from vision.train.quantisation import quantise
from vision.train.report import Wording, evaluated, evaluation_page, table
from vision.train.tiles.album import Album
from vision.train.tiles.calibration import Calibration, calibrated, softened
from vision.train.tiles.cross_validation import SeenPhotograph, read_seen, see, write_seen
from vision.train.tiles.export import Temperatures, export_tile_reader
from vision.train.tiles.finder import example_scenes
from vision.train.tiles.labels import held_back
from vision.train.tiles.networks import TileFinder, TileReader
from vision.train.tiles.reader import example_crops
from vision.train.tiles.thresholds import FIRST, chosen, score_by_scene

EVALUATION: Final = "evaluation.md"
SEEN: Final = "seen.jsonl"
_SOURCES: Final = {
    "conner-replogle__rummikub-detector": "CC BY 4.0 (Roboflow, “rummikub-nvypk”)",
    "rendered": "made by `python -m vision.train.rendering tiles`",
    "drawn": "made by `vision.train.tiles.drawn`",
}
WORDING: Final = Wording(
    title="How well the tile reader reads",
    about="""\
Scored as `tablescore evaluate --pieces tiles` does: found and right (number and colour, or joker)
are shares of the labelled tiles; exact, silent (wrong without a doubt) and needless (doubted though
exact) are shares of the photos. Written by the training command, from the dev photographs: other
scenes of the tile set that was trained on.
""",
    left_out="""\
## Scenes left out

Each scene in turn was left out of the training and then read whole. All are of one tile set: how
other editions are read tell rendered photographs that no training saw (the scene "rendered", harder
than most tables) and the readings for the record.
""",
    worst="""\
## The worst photographs

The photographs themselves are not the project's to publish; `python -m vision.train worst
--pieces tiles` draws them, with what was seen, on sheets in an ignored folder.
""",
    record="""\
ronikobrosly's photographs, of another edition and camera, were neither trained on nor used to
choose anything. Each reading of them is logged here by `python -m vision.train record --pieces
tiles`.
""",
)


@dataclass(frozen=True, slots=True)
class Trained:
    """Where the checkpoints lie, and the pictures that they were trained on."""

    cache: Path
    album: Album


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a model's card states, and the photographs that it was chosen on."""

    calibration: Calibration
    thresholds: Mapping[str, float]
    left_out: Sequence[ScoredSource]


def photographs(data: Path, split: str) -> list[LabelledPhotograph]:
    """The photographs of a split, of the sources that have some to train on."""
    return [
        photograph
        for source in read_sources(data)
        if any(each.split == "train" for each in source.photographs)
        for photograph in source.photographs
        if photograph.split == split
    ]


def see_left_out(data: Path, rendered: Path, trained: Trained, scene: str) -> Path:
    """Read the scene left out with the model so trained, and keep what it saw.

    A share of the rendered photographs that were held back goes with each scene.
    """
    model = write_uncalibrated(trained, trained.cache / "models")
    left_out = [each for each in photographs(data, "train") if each.scene == scene]
    scenes = sorted({each.scene for each in photographs(data, "train")})
    share = held_back(rendered)[scenes.index(scene) :: len(scenes)]
    file = trained.cache / SEEN
    write_seen(file, see(model, [*left_out, *share]))
    return file


def write_uncalibrated(trained: Trained, models: Path) -> Model:
    """Write the networks so trained as they are, and load them: to choose by, not to ship."""
    _export(trained, models / NAME, Temperatures())
    _write_card(models / NAME, "", Judgement(Calibration(), FIRST, ()), ())
    return load_model(NAME, folder=models)


def judge(data: Path, rendered: Path, left_out: Sequence[Path]) -> Judgement:
    """Calibrate and choose by what was seen of each scene by a model trained without it."""
    known = [*photographs(data, "train"), *held_back(rendered)]
    seen = [each for file in left_out for each in read_seen(file, known)]
    calibration = calibrated(seen, dict(FIRST))
    softer = [_softened(each, calibration.temperatures) for each in seen]
    thresholds = chosen(softer, calibration)
    return Judgement(calibration, thresholds, score_by_scene(softer, calibration, thresholds))


def _softened(seen: SeenPhotograph, temperatures: Temperatures) -> SeenPhotograph:
    return replace(seen, places=softened(seen.places, temperatures))


def publish(data: Path, trained: Trained, models: Path, command: str, judgement: Judgement) -> str:
    """Write the networks so trained into `models`/tiles, with card and evaluation.

    Returns the table of the dev photographs' scenes.
    """
    folder = models / NAME
    _export(trained, folder, judgement.calibration.temperatures)
    _write_card(folder, command, judgement, ())
    scored = dev_scores(data, models)
    _write_card(folder, command, judgement, scored)
    page = folder / EVALUATION
    evaluation = evaluated(
        scored, judgement.left_out, judgement.thresholds, [_apart(scored)], WORDING
    )
    page.write_text(evaluation_page(evaluation, page), encoding="utf-8")
    return table(evaluation.rows)


def dev_scores(data: Path, models: Path) -> list[ScoredSource]:
    """Score the model in that folder on each scene of the dev photographs."""
    recogniser = TilesRecogniser(load_model(NAME, folder=models))
    dev = photographs(data, "dev")
    scenes = [
        Source(scene, tuple(each for each in dev if each.scene == scene))
        for scene in dict.fromkeys(each.scene for each in dev)
    ]
    return [
        ScoredSource(each.name, tuple(score_photos(each, None, recogniser, open_photo)))
        for each in scenes
    ]


def _apart(scored: Sequence[ScoredSource]) -> str:
    """Numbers and colours counted apart."""
    numbers, colours = together(scored).confusions
    shares = [
        sum(confusion.counts.get((value, value), 0) for value in confusion.values)
        / max(1, sum(sum(confusion.row(value)) for value in confusion.values))
        for confusion in (numbers, colours)
    ]
    return f"Number right {shares[0]:.1%}, colour right {shares[1]:.1%} of the labelled tiles."


def _export(trained: Trained, folder: Path, temperatures: Temperatures) -> None:
    finder = restored(TileFinder(), trained.cache / "finder.pt")
    reader = restored(TileReader(), trained.cache / "reader.pt")
    export_finder(finder, folder / FINDER)
    export_tile_reader(reader, folder / READER, temperatures)
    quantise(folder / FINDER, example_scenes(trained.album))
    quantise(folder / READER, example_crops(trained.album))


def _write_card(
    folder: Path, command: str, judgement: Judgement, scored: Sequence[ScoredSource]
) -> None:
    calibration = judgement.calibration
    sections = [
        _HEAD.format(made=datetime.now(UTC).date(), command=command),
        section("checksums", checksums(folder, (FINDER, READER))),
        section("temperatures", asdict(calibration.temperatures)),
        section("calibration", calibration.entries),
        section("thresholds", judgement.thresholds),
        section("measured_error", measured_errors(scored, judgement.left_out)),
        section("sources", _SOURCES),
    ]
    (folder / CARD).write_text("\n".join(sections), encoding="utf-8")


_HEAD: Final = """\
# The tile reader's model card; written by the training command.
name = "tiles"
made = {made}
command = "{command}"
input = "a picture of any size, bytes in the order blue, green, red"
finder = "1 x H x W x 3 bytes, H and W multiples of 32 -> score, offsets, log sizes, cosine and \
sine of twice the angle, at stride 4"
reader = "N x 56 x 40 x 3 bytes -> 15 probabilities of kinds, 4 of inks, of upside down, of a tile"
labels = ["?", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "J"]
inks = ["K", "R", "B", "O"]
"""
