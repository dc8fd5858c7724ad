"""Scoring: what counts as found, right, false, exact, silent and needless."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scoreboard.message import message
from tests.vision.evaluate.test_labels import write_source
from vision.capture.frame import Frame, Image
from vision.errors import LabelError
from vision.evaluate.labels import LabelledPhotograph, LabelledPiece
from vision.evaluate.scoring import (
    JudgedDetection,
    JudgedPiece,
    PhotoScore,
    ScoredSource,
    evaluate,
    match,
    score,
    summarise,
    together,
)
from vision.read.observation import Box, Detection, Observation

DOUBT = message("A die is blurred.")


def detection(label: str, box: Box) -> Detection:
    """A sure detection."""
    return Detection(label, 0.99, box, 0.0)


def photograph(*dice: LabelledPiece, whole: bool = True) -> LabelledPhotograph:
    """A label of a photograph that nobody opens."""
    return LabelledPhotograph(Path("a.jpg"), "dev", dice, whole)


def scored(label: LabelledPhotograph, *detections: Detection, doubted: bool = False) -> PhotoScore:
    """The score of those detections."""
    return score(label, Observation(0, "fake", detections, (DOUBT,) if doubted else ()), 1.0)


DIE = LabelledPiece((0, 0, 20, 10), "4")


@pytest.mark.parametrize(("shift", "found"), [(0.0, 1), (4.9, 1), (5.0, 0), (9.0, 0)], ids=str)
def test_centres_less_than_half_the_shorter_side_apart_belong_together(
    shift: float, found: int
) -> None:
    """The shorter side here is 10."""
    seen = detection("4", (shift, 0, 20 + shift, 10))
    result = scored(photograph(DIE), seen)
    assert (result.found, result.false) == (found, 1 - found)


def test_a_top_face_belongs_to_the_detection_that_holds_its_centre() -> None:
    """The pips' box is much smaller than the die and off its middle."""
    pip = LabelledPiece((2, 2, 4, 4), "1")
    seen = detection("1", (0, 0, 60, 60))
    assert scored(photograph(pip, whole=False), seen).exact
    assert not scored(photograph(pip), seen).exact


def test_the_closest_pairs_are_taken_first() -> None:
    """A detection between two dice goes to the nearer one, and each has but one."""
    dice = [LabelledPiece((0, 0, 20, 20), "1"), LabelledPiece((12, 0, 32, 20), "2")]
    seen = [detection("2", (8, 0, 28, 20)), detection("2", (11, 0, 31, 20))]
    assert match(dice, seen, whole=True) == [(1, 1), (0, 0)]


@pytest.mark.parametrize(
    ("labels", "doubted", "expected"),
    [
        (("4",), False, (1, 1, 0, True)),
        (("5",), False, (1, 0, 0, False)),
        (("?",), True, (1, 0, 0, False)),
        ((), False, (0, 0, 0, False)),
        (("4", "4"), False, (1, 1, 1, False)),
    ],
    ids=str,
)
def test_one_die_read_in_several_ways(
    labels: tuple[str, ...], *, doubted: bool, expected: tuple[int, int, int, bool]
) -> None:
    """Found, right, false and exact."""
    seen = [detection(label, (0, 0, 20, 10)) for label in labels]
    result = scored(photograph(DIE), *seen, doubted=doubted)
    assert (result.found, result.right, result.false, result.exact) == expected


@pytest.mark.parametrize("labels", [(), ("3",), ("?",)], ids=str)
def test_a_logo_face_is_neither_required_nor_false(labels: tuple[str, ...]) -> None:
    """Whatever is read there, the photograph is exact."""
    logo = LabelledPiece((0, 0, 20, 20), "?", optional=True)
    seen = [detection(label, (0, 0, 20, 20)) for label in labels]
    result = scored(photograph(logo), *seen)
    assert (result.pieces, result.found, result.exact) == (0, 0, True)


def test_a_source_is_summed_up() -> None:
    """Shares of dice and of photographs, a mean of false ones, median and 95th percentile."""
    photos = [
        PhotoScore(2, 2, 2, 0, needs_review=False, milliseconds=10),
        PhotoScore(1, 1, 1, 0, needs_review=True, milliseconds=20),
        PhotoScore(1, 1, 0, 1, needs_review=False, milliseconds=30),
    ]
    row = summarise("kitchen", photos)
    assert (row.photos, row.pieces, row.found, row.right) == (3, 4, 1.0, 0.75)
    assert row.false_per_photo == pytest.approx(1 / 3)
    assert (row.exact, row.silent, row.needless) == pytest.approx((2 / 3, 1 / 3, 1 / 3))
    assert (row.median_milliseconds, row.p95_milliseconds) == pytest.approx((20, 29))


def test_every_die_and_every_detection_is_judged() -> None:
    """A right, a missed and a misread die, and something where none lies; the logo in neither."""
    dice = (
        LabelledPiece((0, 0, 20, 10), "4"),
        LabelledPiece((100, 0, 130, 40), "2"),
        LabelledPiece((200, 0, 220, 20), "5"),
        LabelledPiece((300, 0, 320, 20), "?", optional=True),
    )
    boxes = ((0.0, 0.0, 20.0, 10.0), (201.0, 0.0, 221.0, 20.0), (300.0, 0.0, 320.0, 20.0))
    seen = [detection(*each) for each in zip("436", boxes, strict=True)]
    lonely = detection("?", (400, 0, 420, 20))
    result = scored(photograph(*dice), *seen, lonely)
    assert result.file == "a.jpg"
    assert result.judged == (
        JudgedPiece("4", dice[0].box, "4", 10),
        JudgedPiece("2", dice[1].box, None, 30),
        JudgedPiece("5", dice[2].box, "3", 20),
    )
    assert [(die.found, die.right, die.large) for die in result.judged] == [
        (True, True, False),
        (False, False, True),
        (True, False, True),
    ]
    assert result.detections == (
        JudgedDetection("4", 0.99, boxes[0], "4", 10),
        JudgedDetection("3", 0.99, boxes[1], "5", 20),
        JudgedDetection("?", 0.99, (400, 0, 420, 20)),
    )
    assert [each.right for each in result.detections] == [True, False, False]


def test_dice_of_20_pixels_and_more_have_a_share_of_their_own() -> None:
    """A small die that is missed does not count; a small box around pips does."""
    small, large = LabelledPiece((0, 0, 19.9, 40), "4"), LabelledPiece((100, 0, 120, 20), "2")
    seen = detection("2", (100, 0, 120, 20))
    row = summarise("kitchen", [scored(photograph(small, large), seen)])
    assert (row.right, row.pieces_of_20px, row.right_of_20px) == (0.5, 1, 1.0)
    pips = summarise("kitchen", [scored(photograph(small, large, whole=False), seen)])
    assert (pips.pieces_of_20px, pips.right_of_20px) == (2, 0.5)


def test_a_source_tells_what_was_said_for_what_and_how_surely() -> None:
    """Confusion counts dice and false detections; reliability every detection."""
    seen = [detection("5", (0, 0, 20, 10)), detection("1", (90, 0, 110, 10))]
    other = LabelledPiece((200, 0, 220, 20), "6")
    source = ScoredSource("kitchen", (scored(photograph(DIE, other), *seen),))
    (faces,) = source.confusions
    assert faces.counts == {("4", "5"): 1, ("6", "not found"): 1, ("nothing", "1"): 1}
    assert source.reliability.calibration_error == pytest.approx(0.99)
    both = together([source, source])
    assert (both.name, both.row.photos, len(both.photos)) == ("all together", 2, 2)


class OneFour:
    """A recogniser that sees one four, always at the same place."""

    name = "one-four"

    def __call__(self, frame: Frame) -> Observation:
        """See it."""
        return Observation(frame.sequence, self.name, (detection("4", (0, 0, 20, 10)),))


def blank(path: Path) -> Image:
    """Stand in for a decoder."""
    assert path.is_file()
    return np.zeros((30, 40, 3), np.uint8)


def line(split: str, value: int) -> dict[str, object]:
    """A label line of one die."""
    die = {"x": 0, "y": 0, "w": 20, "h": 10, "value": value}
    return {"file": "a.jpg", "split": split, "dice": [die]}


def source(folder: Path, *lines: dict[str, object]) -> None:
    """Write a source whose photographs all are one empty file."""
    write_source(folder, *lines)
    (folder / "images").mkdir()
    (folder / "images" / "a.jpg").touch()


def test_sources_are_scored_apart_and_together(tmp_path: Path) -> None:
    """A split is chosen, a source without any of it left out, and the sum comes last."""
    source(tmp_path / "a", line("dev", 4), line("train", 5))
    source(tmp_path / "b", line("dev", 3))
    source(tmp_path / "c", line("train", 3))
    rows = [each.row for each in evaluate(tmp_path, "dev", OneFour(), blank)]
    assert [(row.source, row.photos, row.right) for row in rows] == [
        ("a", 1, 1.0),
        ("b", 1, 0.0),
        ("all together", 2, 0.5),
    ]
    (every,) = evaluate(tmp_path / "a", None, OneFour(), blank)
    assert (every.name, every.row.photos, every.row.right) == ("a", 2, 0.5)


def test_a_missing_photograph_is_named(tmp_path: Path) -> None:
    """A label whose picture is gone ends the evaluation with its name."""
    write_source(tmp_path / "a", line("dev", 4))
    with pytest.raises(LabelError, match=r"a\.jpg is missing"):
        evaluate(tmp_path, "dev", OneFour(), blank)


def test_a_split_that_nobody_has_is_refused(tmp_path: Path) -> None:
    """Nothing to score is an error, not an empty table."""
    source(tmp_path / "a", line("dev", 4))
    with pytest.raises(LabelError, match="no photographs of the split test"):
        evaluate(tmp_path, "test", OneFour(), blank)
