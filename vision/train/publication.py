"""From trained networks to `models/<name>/`: exported, calibrated, described and evaluated."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from vision.capture.photo import open_to_read
from vision.evaluate.scoring import ScoredSource, score_photos, together
from vision.read.networks import CARD, FINDER, READER, Model, load_model
from vision.train.calibration import (
    calibrated,
    chosen,
    read_seen,
    score_by_group,
    see,
    softened,
    write_seen,
)
from vision.train.descent import restored
from vision.train.networks import export_finder, export_reader, quantise
from vision.train.piece import PieceKind, ProbabilityCalibration, TrainingPaths
from vision.train.report import Evaluation, evaluation_page, table
from vision.train.training import Lessons, example_crops, example_scenes

EVALUATION: Final = "evaluation.md"
SEEN: Final = "seen.jsonl"


@dataclass(frozen=True, slots=True)
class Trained:
    """Where the checkpoints lie, and the lessons that they were trained on."""

    cache: Path
    lessons: Lessons[Any]


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What a model's card states, and the photographs that it was chosen on."""

    calibration: ProbabilityCalibration
    thresholds: Mapping[str, float]
    left_out: Sequence[ScoredSource]


def see_left_out(piece: PieceKind[Any], paths: TrainingPaths, trained: Trained, group: str) -> Path:
    """Read the group left out with the model so trained, and keep what it saw."""
    model = write_uncalibrated(piece, trained, trained.cache / "models")
    file = trained.cache / SEEN
    write_seen(piece, file, see(piece, model, piece.left_out(paths, group)))
    return file


def write_uncalibrated(piece: PieceKind[Any], trained: Trained, models: Path) -> Model:
    """Write the networks so trained as they are, and load them: to choose by, not to ship."""
    as_they_are = ModelFacts(piece.uncalibrated(), piece.first, ())
    _export(piece, trained, models / piece.name, as_they_are.calibration)
    _write_card(piece, models / piece.name, "", as_they_are, ())
    return load_model(piece.name, folder=models)


def judge(piece: PieceKind[Any], paths: TrainingPaths, left_out: Mapping[str, Path]) -> ModelFacts:
    """Calibrate and choose by what was seen of each group by a model trained without it."""
    seen = [
        each
        for group, file in left_out.items()
        for each in read_seen(piece, file, piece.known(paths, group))
    ]
    calibration = calibrated(piece, seen, piece.first)
    temperatures = calibration.temperatures
    softer = [
        replace(
            each,
            places=softened(piece, each.places, temperatures),
            wide=softened(piece, each.wide, temperatures),
        )
        for each in seen
    ]
    thresholds = chosen(piece, softer, calibration)
    return ModelFacts(
        calibration, thresholds, score_by_group(piece, softer, calibration, thresholds)
    )


def publish(  # noqa: PLR0913, PLR0917 -- a model, where it goes, and what is said of it
    piece: PieceKind[Any],
    paths: TrainingPaths,
    trained: Trained,
    models: Path,
    command: str,
    judgement: ModelFacts,
) -> str:
    """Write the networks so trained into `models`/<name>, with card and evaluation.

    Returns the table of the groups' dev photographs.
    """
    folder = models / piece.name
    _export(piece, trained, folder, judgement.calibration)
    _write_card(piece, folder, command, judgement, ())
    roll = piece.roll_section(load_model(piece.name, folder=models), paths)
    _write_card(piece, folder, command, judgement, (), roll)
    scored = dev_scores(piece, paths, models)
    _write_card(piece, folder, command, judgement, scored, roll)
    return _write_page(piece, folder, scored, judgement.left_out, judgement.thresholds)


def _write_page(
    piece: PieceKind[Any],
    folder: Path,
    scored: Sequence[ScoredSource],
    left_out: Sequence[ScoredSource],
    thresholds: Mapping[str, float],
) -> str:
    page = folder / EVALUATION
    evaluation = Evaluation(scored, left_out, thresholds, piece.notes(scored), piece.wording)
    page.write_text(evaluation_page(evaluation, page), encoding="utf-8")
    return table(evaluation.rows)


def publish_rolls(piece: PieceKind[Any], paths: TrainingPaths, models: Path) -> str:
    """Fit anew what the card states of whole rolls, and write card and page; nothing is trained.

    Returns the table of the groups' dev photographs.
    """
    card = models / piece.name / CARD
    model = load_model(piece.name, folder=models)
    text = _with_section(card.read_text(encoding="utf-8"), "roll", piece.roll_section(model, paths))
    card.write_text(text, encoding="utf-8")
    scored = dev_scores(piece, paths, models)
    errors = {**model.card["measured_error"], **measured_errors(scored, ())}
    card.write_text(_with_section(text, "measured_error", errors), encoding="utf-8")
    return _write_page(piece, card.parent, scored, (), model.card["thresholds"])


def _with_section(card: str, name: str, entries: Mapping[str, float]) -> str:
    """The card with other entries in a section that it has."""
    before, heading, rest = card.partition(f"[{name}]\n")
    lines = "".join(f'"{key}" = {value}\n' for key, value in entries.items())
    return f"{before}{heading}{lines}\n{rest.partition(chr(10) * 2)[2]}"


def dev_scores(piece: PieceKind[Any], paths: TrainingPaths, models: Path) -> list[ScoredSource]:
    """Score the model in that folder on the dev photographs of each group that has some."""
    recogniser = piece.recogniser(load_model(piece.name, folder=models))
    return [
        ScoredSource(
            each.name,
            tuple(score_photos(each, None, recogniser, open_to_read, clock=time.process_time)),
        )
        for each in piece.dev(paths)
    ]


def _export(
    piece: PieceKind[Any], trained: Trained, folder: Path, calibration: ProbabilityCalibration
) -> None:
    lessons, temperatures = trained.lessons, calibration.temperatures
    finder = restored(lessons.finder(), trained.cache / "finder.pt")
    reader = restored(lessons.reader(), trained.cache / "reader.pt")
    export_finder(finder, folder / FINDER)
    export_reader(reader, folder / READER, piece.crop, piece.classes, temperatures)
    quantise(folder / FINDER, example_scenes(lessons))
    quantise(folder / READER, example_crops(lessons))


def _write_card(  # noqa: PLR0913, PLR0917 -- what a card states
    piece: PieceKind[Any],
    folder: Path,
    command: str,
    judgement: ModelFacts,
    scored: Sequence[ScoredSource],
    roll: Mapping[str, float] | None = None,
) -> None:
    sections: dict[str, Mapping[str, str] | Mapping[str, float]] = {
        "checksums": checksums(folder, (FINDER, READER)),
        **piece.calibration_sections(judgement.calibration),
        "thresholds": judgement.thresholds,
        "roll": piece.first_roll if roll is None else roll,
        "measured_error": measured_errors(scored, judgement.left_out),
        "sources": piece.sources,
    }
    head = piece.head.format(made=datetime.now(UTC).date(), command=command)
    lines = [head]
    for name, entries in sections.items():
        if not entries:
            continue
        lines.append(f"[{name}]")
        for key, value in entries.items():
            lines.append(f'"{key}" = "{value}"' if isinstance(value, str) else f'"{key}" = {value}')
        lines.append("")
    (folder / CARD).write_text("\n".join(lines), encoding="utf-8")


def checksums(folder: Path, files: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of each file."""
    return {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in files}


def measured_errors(
    scored: Sequence[ScoredSource], left_out: Sequence[ScoredSource]
) -> dict[str, float]:
    """The share of pieces not read rightly: each source, all together, each one left out."""
    rows = [each.row for each in (*scored, *([together(scored)] if scored else []))]
    errors = {row.source: round(1 - row.right, 4) for row in rows}
    return errors | {f"{each.name} left out": round(1 - each.row.right, 4) for each in left_out}
