"""The training set on disk, with a studio that draws nothing."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.train.rendering.staging import (
    FROM_ABOVE,
    TURNED_UP,
    bare_table,
    flat,
    seen_from_above,
    stage,
    white_set,
)
from vision.train.rendering.__main__ import main
from vision.train.rendering.arrangement import Falling
from vision.train.rendering.camera import any_lens
from vision.train.rendering.clutter import thing
from vision.train.rendering.dice_set import DiceSet
from vision.train.rendering.evening import read_picture, spread
from vision.train.rendering.geometry import LEFT_HANDED, Layout, Pose, about, quaternion
from vision.train.rendering.studio import DiceStage, Shot, StagedDie, Studio
from vision.train.rendering.training_photos import (
    LabelledDie,
    Photograph,
    keep,
    label_dice,
    label_picture,
    missing,
    take_dice,
    top_contrast,
)


class FakeStudio(Studio):
    """A studio whose every pixel is grey and shows the nearest die's middle, or the table."""

    def __init__(self) -> None:
        self.asked: Counter[int] = Counter()

    def shoot(self, stage: DiceStage, seed: int) -> Shot:
        self.asked[seed] += 1
        shape = (stage.lens.height, stage.lens.width, 3)
        seen = np.full(shape, -1.0, dtype=np.float32)
        for die in stage.dice:
            x, y = stage.lens.pixels(np.array([die.die.pose.position]))[0]
            reach = stage.lens.die_pixels() / 2
            rows = slice(max(int(y - reach), 0), max(int(y + reach), 0))
            seen[rows, max(int(x - reach), 0) : max(int(x + reach), 0)] = die.die.pose.position
        return Shot(np.full(shape, 0.2, dtype=np.float32), seen)


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
    keep(tmp_path / "00002", photograph)
    keep(tmp_path / "00003", photograph)
    (tmp_path / "00003.json").unlink()
    (tmp_path / "00004.jpg.part").write_bytes(b"half")
    assert missing(tmp_path, range(1, 5)) == [1, 3, 4]
    assert (tmp_path / "00002.jpg").read_bytes() == b"a picture"
    assert json.loads((tmp_path / "00002.json").read_text(encoding="utf-8")) == {"dice": []}


@pytest.mark.parametrize(("command", "folder"), [("dice", "dice"), ("tile", "tiles/images")])
def test_a_sheet_shows_pictures_of_every_shape(tmp_path: Path, command: str, folder: str) -> None:
    """Wide and tall ones from the cache's folder are cut to the places of the sheet."""
    shapes = [(480, 640), (640, 480), (360, 640), (512, 512)]
    for number, (height, width) in enumerate(shapes):
        grey = np.full((height, width, 3), 90, dtype=np.uint8)
        picture = cv2.imencode(".jpg", grey)[1].tobytes()
        keep(tmp_path / folder / f"{number:05}", Photograph(picture, {}))
    sheet = tmp_path / "sheet.jpg"
    arguments = [f"{command}-sheet", "--cache", str(tmp_path), "--out", str(sheet)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    shown = read_picture(sheet)
    assert shown.shape == (156, 9 * 208, 3)
    assert shown[:, : 4 * 208].mean() == pytest.approx(90, abs=2)


def test_spreading_takes_the_first_and_the_last() -> None:
    """So many, evenly; no more than there are."""
    paths = [Path(str(number)) for number in range(10)]
    assert spread(paths, 4) == [paths[0], paths[3], paths[6], paths[9]]
    assert spread(paths[:2], 4) == paths[:2]


def labels(die: StagedDie, dice_set: DiceSet | None = None) -> list[LabelledDie]:
    """The label of a die on a table that is seen from above."""
    staged = stage([die], dice_set)
    return label_dice(staged, seen_from_above(staged))


@pytest.mark.parametrize("place", range(1, 7))
def test_a_level_die_seen_from_above(place: int) -> None:
    """Its box and top face are squares around its place, its value is what is up."""
    (label,) = labels(flat(place, 2.0, 1.0))
    side = FROM_ABOVE.focal_pixels / 19.5
    assert label.value == place
    middle = (160 + 2 * side, 120 - side)
    assert np.mean(label.quad, axis=0) == pytest.approx(middle, abs=0.01)
    corners = np.array(label.quad)
    steps = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    assert steps == pytest.approx(np.full(4, side), rel=1e-3)
    assert label.box[0] <= middle[0] - side / 2 + 0.5
    assert label.lean_degrees == pytest.approx(0, abs=1e-3)
    assert label.visible > 0.9
    assert label.top_visible > 0.95


@pytest.mark.parametrize("place", [3, 4])
def test_a_left_handed_die_has_three_and_four_the_other_way(place: int) -> None:
    """Where the Western die shows three, a left-handed one shows four."""
    (label,) = labels(flat(place, 0, 0), white_set(Layout(numbers=LEFT_HANDED)))
    assert label.value == 7 - place


@pytest.mark.parametrize(("degrees", "leaning"), [(2, False), (12, True), (35, True)])
def test_a_tilted_die_leans(degrees: float, leaning: bool) -> None:  # noqa: FBT001
    """A die on uneven ground doesn't lean, a cocked one does."""
    turned = about(np.array([1.0, 0, 0]), np.radians(degrees))
    die = StagedDie(Falling(Pose((0, 0, 0.6), quaternion(turned))), 0)
    staged = stage([die])
    seen = bare_table(FROM_ABOVE)
    seen[90:150, 130:190] = (0, 0, 0.6)
    (label,) = label_dice(staged, seen)
    assert label.as_json()["leaning"] is leaning
    assert label.lean_degrees == pytest.approx(degrees)


def test_a_die_cut_by_the_edge_is_partly_visible() -> None:
    """Half of its top is in the picture, and its box reaches outside."""
    left_edge = FROM_ABOVE.ground(np.array([[0.0, 120.0]]), 1.0)[0]
    (label,) = labels(flat(2, float(left_edge[0]), 0.0))
    assert label.box[0] < 0
    assert 0.25 < label.visible < 0.6
    assert label.top_visible == pytest.approx(0.5, abs=0.06)


def test_a_hidden_die_has_no_label() -> None:
    """Where all pixels show the table, nothing is told."""
    staged = stage([flat(2, 0, 0)])
    assert label_dice(staged, bare_table(FROM_ABOVE)) == []


def test_a_picture_tells_of_its_clutter() -> None:
    """Coins and all are listed with their boxes, dice or not."""
    coin = thing("coin", np.random.default_rng(1), np.array([0.0, 0.0]), 0.0)
    staged = stage([], things=[coin])
    grey = np.full((240, 320, 3), 128, dtype=np.uint8)
    told = label_picture(staged, bare_table(FROM_ABOVE), grey, 7, {"jpeg_quality": 80})
    assert (told["width"], told["height"], told["seed"]) == (320, 240, 7)
    assert told["dice"] == []
    (clutter,) = told["clutter"]
    assert clutter["kind"] == "coin"
    left, top, right, bottom = clutter["box"]
    assert left < 160 < right
    assert top < 120 < bottom
    assert told["camera"]["jpeg_quality"] == 80


def test_a_faces_contrast_is_that_of_its_pips() -> None:
    """A white face with a black pip has nearly all there is, a blown-out one none."""
    face = np.full((60, 60), 240, dtype=np.uint8)
    quad = [(10.0, 10.0), (50.0, 10.0), (50.0, 50.0), (10.0, 50.0)]
    assert top_contrast(face, quad) == pytest.approx(0)
    face[25:36, 25:36] = 20
    face[:10] = 0
    assert top_contrast(face, quad) == pytest.approx(220, abs=5)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32 - 1), st.sampled_from(list(TURNED_UP)), st.floats(0.03, 0.3))
def test_the_top_face_lies_in_the_box(seed: int, place: int, share: float) -> None:
    """Whatever the camera, a rounded die's box holds the middle of its top face's edges."""
    lens = any_lens(np.random.default_rng(seed), share)
    staged = stage([flat(place, 0.0, 0.0)], lens=replace(lens, target=(0.0, 0.0, 0.5)))
    seen = np.zeros((lens.height, lens.width, 3), dtype=np.float32)
    seen[:] = (0, 0, 0.5)
    (label,) = label_dice(staged, seen)
    corners = np.array(label.quad)
    edges = (corners + np.roll(corners, 1, axis=0)) / 2
    left, top, right, bottom = label.box
    slack = 0.05 * label.side_pixels
    assert (edges >= np.array([left, top]) - slack).all()
    assert (edges <= np.array([right, bottom]) + slack).all()
