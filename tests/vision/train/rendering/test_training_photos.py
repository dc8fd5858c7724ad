"""The training set on disk, with a studio that draws nothing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from vision.train.rendering.__main__ import main
from vision.train.rendering.evening import read_picture, spread
from vision.train.rendering.studio import DiceStage, Shot, Studio
from vision.train.rendering.training_photos import Photograph, keep, missing, take_dice


class FakeStudio(Studio):
    """A studio whose every pixel is grey and shows the nearest die's middle, or the table."""

    def __init__(self) -> None:
        self.asked: Counter[int] = Counter()

    def shoot(self, stage: DiceStage, seed: int) -> Shot:
        """A shot without tracing."""
        self.asked[seed] += 1
        shape = (stage.lens.height, stage.lens.width, 3)
        seen = np.full(shape, -1.0, dtype=np.float32)
        for die in stage.dice:
            x, y = stage.lens.pixels(np.array([die.die.pose.position]))[0]
            reach = stage.lens.die_pixels() / 2
            rows = slice(max(int(y - reach), 0), max(int(y + reach), 0))
            seen[rows, max(int(x - reach), 0) : max(int(x + reach), 0)] = die.die.pose.position
        return Shot(np.full(shape, 0.2, dtype=np.float32), seen)


@pytest.fixture(autouse=True)
def _physics() -> None:
    pytest.importorskip("pybullet", reason="needs the training extra: pip install .[training]")


def test_a_photograph_follows_from_its_seed_and_number() -> None:
    """The same twice, another one for another number or seed."""
    studio = FakeStudio()
    first = take_dice(3, 8, studio)
    assert take_dice(3, 8, studio) == first
    assert take_dice(3, 9, studio).labels != first.labels
    assert take_dice(4, 8, studio).labels != first.labels


@pytest.mark.parametrize("number", range(4))
def test_labels_are_what_training_reads(number: int) -> None:
    """Every field is there, values are 1 to 6, boxes have a size, shares are shares."""
    photograph = take_dice(1, number, FakeStudio())
    labels = photograph.labels
    picture = cv2.imdecode(np.frombuffer(photograph.picture, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (labels["height"], labels["width"], 3)
    assert json.loads(json.dumps(labels)) == labels
    for die in labels["dice"]:
        left, top, right, bottom = die["box"]
        assert min(right - left, bottom - top) == pytest.approx(die["side_px"], abs=0.02)
        assert die["value"] in range(1, 7)
        assert len(die["quad"]) == 4
        assert 0 < die["visible"] <= 1
        assert 0 <= die["top_visible"] <= 1
        assert die["leaning"] == (die["lean_degrees"] >= 5)
        assert die["style"]


def test_pictures_are_made_once(tmp_path: Path) -> None:
    """What is whole is not missing; a picture without labels, or half written, is."""
    photograph = Photograph(b"a picture", {"dice": []})
    keep(tmp_path, 2, photograph)
    keep(tmp_path, 3, photograph)
    (tmp_path / "00003.json").unlink()
    (tmp_path / "00004.jpg.part").write_bytes(b"half")
    assert missing(tmp_path, range(1, 5)) == [1, 3, 4]
    assert (tmp_path / "00002.jpg").read_bytes() == b"a picture"
    assert json.loads((tmp_path / "00002.json").read_text(encoding="utf-8")) == {"dice": []}


def test_a_sheet_shows_pictures_of_every_shape(tmp_path: Path) -> None:
    """Wide and tall ones are cut to the sheet's tiles."""
    shapes = [(480, 640), (640, 480), (360, 640), (512, 512)]
    for number, (height, width) in enumerate(shapes):
        grey = np.full((height, width, 3), 90, dtype=np.uint8)
        picture = cv2.imencode(".jpg", grey)[1].tobytes()
        keep(tmp_path / "dice", number, Photograph(picture, {}))
    sheet = tmp_path / "sheet.jpg"
    result = CliRunner().invoke(main, ["dice-sheet", "--cache", str(tmp_path), "--out", str(sheet)])
    assert result.exit_code == 0, result.output
    shown = read_picture(sheet)
    assert shown.shape == (156, 9 * 208, 3)
    assert shown[:, : 4 * 208].mean() == pytest.approx(90, abs=2)


def test_spreading_takes_the_first_and_the_last() -> None:
    """So many, evenly; no more than there are."""
    paths = [Path(str(number)) for number in range(10)]
    assert spread(paths, 4) == [paths[0], paths[3], paths[6], paths[9]]
    assert spread(paths[:2], 4) == paths[:2]
