"""Sheets of the worst photographs: what is drawn where."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from tests.vision.train.scores import photo_score
from vision.capture.frame import Image
from vision.train.report import CELL_WIDTH, BadPhoto, cell, sheet, worst

GREEN, RED, YELLOW = (80, 200, 60), (60, 60, 255), (0, 230, 255)


def coloured(drawn: Image, colour: tuple[int, int, int]) -> Image:
    """Where a picture has that colour."""
    return np.asarray((drawn == colour).all(axis=2))


@pytest.mark.parametrize(
    ("value", "said", "colour"),
    [(4, "4", GREEN), (4, "5", RED), (4, "?", RED), (None, "2", RED), (4, None, YELLOW)],
    ids=str,
)
def test_each_box_has_the_colour_of_what_came_of_it(
    value: int | None, said: str | None, colour: tuple[int, int, int]
) -> None:
    """Green right, red wrong, yellow missed; drawn at the box's place in the cell's measure."""
    bad = BadPhoto("north", photo_score("a.jpg", [(value, said)]))
    drawn = cell(np.zeros((300, 800, 3), np.uint8), bad)
    assert drawn.shape == (150 + 64, CELL_WIDTH, 3)
    assert [tuple(drawn[corner, corner]) for corner in (0, 20)] == [colour, colour]
    others = {GREEN, RED, YELLOW} - {colour}
    assert not any(coloured(drawn[:150], other).any() for other in others)


def test_cells_lie_in_rows_of_five() -> None:
    """Cells of different heights keep their places; one alone makes no wide sheet."""
    cells = [np.full((height, CELL_WIDTH, 3), 7, np.uint8) for height in (90, 50, 50, 50, 50, 80)]
    laid = sheet(cells)
    assert laid.shape == (180, 5 * CELL_WIDTH, 3)
    assert (laid[90:170, :CELL_WIDTH] == 7).all()
    assert not (laid[90:170, CELL_WIDTH:] == 7).any()
    assert sheet(cells[:1]).shape == (90, CELL_WIDTH, 3)


def write_source(folder: Path, split: str) -> None:
    """A source of one black photograph that claims a die, so that one is missed."""
    (folder / "images").mkdir(parents=True)
    black = cv2.imencode(".png", np.zeros((64, 96, 3), np.uint8))[1]
    (folder / "images" / "a.png").write_bytes(black.tobytes())
    die = {"x": 10, "y": 10, "w": 30, "h": 30, "value": 5}
    line = {"file": "a.png", "split": split, "dice": [die]}
    (folder / "labels.jsonl").write_text(json.dumps(line))


def test_the_command_writes_a_sheet_a_source(tmp_path: Path) -> None:
    """A source without train photographs is kept for the record, and left unread."""
    write_source(tmp_path / "data" / "kitchen", "train")
    write_source(tmp_path / "data" / "strangers", "dev")
    out = tmp_path / "out"
    arguments = ["--data", str(tmp_path / "data"), "--out", str(out)]
    result = CliRunner().invoke(worst, arguments)
    assert result.exit_code == 0
    assert "kitchen  a.png  missed 5" in result.output
    assert [file.name for file in out.iterdir()] == ["worst-kitchen.jpg"]
    refused = CliRunner().invoke(worst, [*arguments, "--source", "strangers"])
    assert refused.exit_code == 1
    assert "No source with train photographs is called strangers" in refused.output
