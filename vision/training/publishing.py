"""From trained networks to `models/dice/`: calibrated, exported, described and evaluated."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import torch
from torch import nn

from vision.evaluation import TOGETHER, PhotoScore, SourceScore, score_photos, summarise
from vision.labels import LabelledPhotograph, Source, read_sources
from vision.photo import open_photo
from vision.recognisers.dice import FINDER, NAME, READER, DiceRecogniser
from vision.training.calibrating import Calibration, calibrated
from vision.training.export import export_finder, export_reader
from vision.training.networks import Finder, Reader
from vision.training.report import evaluation_page, table
from vision.weights import CARD, load_model

EVALUATION: Final = "evaluation.md"
DEV: Final = "dev"
TRAIN: Final = "train"

# Chosen on the dev photographs of the sources that were trained on: few needless questions first.
_THRESHOLDS: Final = {
    "candidate": 0.12,
    "present": 0.4,
    "absent": 0.2,
    "sure": 0.7,
    "readable": 0.4,
    "leaning": 0.5,
    "cocked": 0.8,
    "smallest_pixels": 11.0,
    "smallest_share": 0.0135,
}
_LICENCES: Final = {
    "Epanemu__GameDiceRecognition": "CC BY 4.0",
    "N3VERS4YDIE__dice-recognition": "CC BY 4.0 (Roboflow, “Rune55”)",
    "matteop65__Dice_Detection_Recognition": "MIT",
    "nell-byler__dice_detection": "BSD-3-Clause",
}


def publish(data: Path, cache: Path, models: Path, command: str, without: str = "") -> str:
    """Write the networks of the checkpoints into `models`/dice, with card and evaluation.

    Returns the table of the sources' dev photographs; of the source left out, all count.
    """
    folder = models / NAME
    sources = [each for each in read_sources(data) if each.name != without and trained_on(each)]
    export_finder(_restored(Finder(), cache / "finder.pt"), folder / FINDER)
    reader = _restored(Reader(), cache / "reader.pt")
    calibration = _calibrated(reader, sources, models)
    rows = _scores(sources, models) + _strangers(data, without, models)
    _write_card(folder, command, calibration, rows)
    page = folder / EVALUATION
    page.write_text(evaluation_page(rows, page, without), encoding="utf-8")
    return table(rows)


def trained_on(source: Source) -> bool:
    """Whether the source has photographs to train on; the others are for the record alone."""
    return any(each.split == TRAIN for each in source.photographs)


def _restored(network: nn.Module, checkpoint: Path) -> nn.Module:
    state = torch.load(checkpoint, weights_only=True)
    network.load_state_dict(state["average"])
    return network.eval()


def _calibrated(reader: nn.Module, sources: Sequence[Source], models: Path) -> Calibration:
    """Export the reader twice: to calibrate it, then calibrated."""
    folder = models / NAME
    export_reader(reader, folder / READER)
    _write_card(folder, "", Calibration(), ())
    photographs = [photograph for source in sources for photograph in _kept_out(source)]
    calibration = calibrated(load_model(NAME, folder=models), photographs)
    export_reader(reader, folder / READER, calibration.temperature)
    _write_card(folder, "", calibration, ())
    return calibration


def _kept_out(source: Source) -> list[LabelledPhotograph]:
    return [photograph for photograph in source.photographs if photograph.split == DEV]


def _scores(sources: Sequence[Source], models: Path) -> tuple[SourceScore, ...]:
    recogniser = DiceRecogniser(load_model(NAME, folder=models))
    scored = [
        (each.name, score_photos(each, DEV, recogniser, open_photo))
        for each in sources
        if _kept_out(each)
    ]
    every: list[PhotoScore] = [score for _, scores in scored for score in scores]
    return (*(summarise(*each) for each in scored), summarise(TOGETHER, every))


def _strangers(data: Path, without: str, models: Path) -> tuple[SourceScore, ...]:
    recogniser = DiceRecogniser(load_model(NAME, folder=models))
    return tuple(
        summarise(f"{each.name} (left out)", score_photos(each, None, recogniser, open_photo))
        for each in read_sources(data)
        if each.name == without
    )


def _write_card(
    folder: Path, command: str, calibration: Calibration, rows: Sequence[SourceScore]
) -> None:
    errors = {row.source: round(1 - row.right, 4) for row in rows}
    checksums = {
        file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in (FINDER, READER)
    }
    sections = [
        _HEAD.format(made=datetime.now(UTC).date(), command=command),
        _section("checksums", checksums),
        _section("calibration", asdict(calibration)),
        _section("thresholds", _THRESHOLDS),
        _section("measured_error", errors),
        _section("sources", _LICENCES),
    ]
    (folder / CARD).write_text("\n".join(sections), encoding="utf-8")


_HEAD: Final = """\
# The dice reader's model card; written by the training command.
name = "dice"
made = {made}
command = "{command}"
input = "a picture of any size, bytes in the order blue, green, red"
finder = "1 x H x W x 3 bytes, H and W multiples of 32 -> score, offsets, log sizes at stride 4"
reader = "N x 48 x 48 x 3 bytes -> 7 probabilities, cosine and sine of four times the angle"
labels = ["?", "1", "2", "3", "4", "5", "6"]
"""


def _section(name: str, entries: dict[str, str] | dict[str, float]) -> str:
    lines = (f'"{key}" = {_toml(value)}' for key, value in entries.items())
    return "\n".join([f"[{name}]", *lines, ""])


def _toml(value: str | float) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
