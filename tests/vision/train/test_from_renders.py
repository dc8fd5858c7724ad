"""From the renderer to a model: a few pictures, two steps, export, and the model reads one back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

for needed in ("torch", "onnx", "mitsuba", "pybullet"):
    pytest.importorskip(needed, reason="needs the training extra")


def test_a_few_renders_train_a_model_that_reads_them(tmp_path: Path) -> None:
    """What the renderer writes is what the training reads, and photographs are not needed."""
    from vision.capture.frame import Frame  # noqa: PLC0415 - after the skips
    from vision.capture.photo import open_photo  # noqa: PLC0415
    from vision.read.dice import DiceRecogniser  # noqa: PLC0415
    from vision.train.dice.lessons import DiceLessons  # noqa: PLC0415
    from vision.train.dice.photographs import DicePictures, read_rendered  # noqa: PLC0415
    from vision.train.dice.piece import DiceKind  # noqa: PLC0415
    from vision.train.publication import Trained, write_uncalibrated  # noqa: PLC0415
    from vision.train.rendering.__main__ import main  # noqa: PLC0415
    from vision.train.training import plan_of, train_finder, train_reader  # noqa: PLC0415

    arguments = ["dice", "--cache", str(tmp_path), "--count", "3", "--workers", "1"]
    rendered = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert rendered.exit_code == 0
    pictures = DicePictures(read_rendered(tmp_path / "dice", most=3))
    assert len(list(pictures)) == 3
    lessons = DiceLessons(pictures)
    train_finder(lessons, plan_of("finder", 2, tmp_path), seed=1)
    train_reader(lessons, plan_of("reader", 2, tmp_path), seed=1)
    model = write_uncalibrated(DiceKind(), Trained(tmp_path, lessons), tmp_path / "models")
    photo = open_photo(tmp_path / "dice" / "00000.jpg")
    assert DiceRecogniser(model)(Frame(3, datetime.now(UTC), photo)).frame == 3
