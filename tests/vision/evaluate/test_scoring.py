"""Scoring: what counts as found, right, false, exact, silent and needless."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.message import message
from tests.vision.evaluate.test_labels import write_source
from vision.capture.frame import Frame, Image, PlayArea
from vision.errors import LabelError
from vision.evaluate.labels import LabelledPhotograph, LabelledPiece, read_sources
from vision.evaluate.scoring import (
    BARS,
    BINS,
    Judged,
    JudgedDetection,
    JudgedPiece,
    Pair,
    PhotoScore,
    ScoredSource,
    auroc,
    confusions,
    equal_mass_bins,
    evaluate,
    histogram,
    match,
    reliability,
    score,
    score_photos,
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


def scored(
    label: LabelledPhotograph,
    *detections: Detection,
    doubted: bool = False,
    milliseconds: float = 1.0,
) -> PhotoScore:
    """The score of those detections."""
    seen = Observation(0, "fake", detections, (DOUBT,) if doubted else ())
    return score(label, seen, milliseconds)


def found_in(result: PhotoScore) -> int:
    """How many pieces were found."""
    return sum(piece.found for piece in result.judged)


DIE = LabelledPiece((0, 0, 20, 10), "4")


@pytest.mark.parametrize(("shift", "found"), [(0.0, 1), (4.9, 1), (5.0, 0), (9.0, 0)], ids=str)
def test_centres_less_than_half_the_shorter_side_apart_belong_together(
    shift: float, found: int
) -> None:
    """The shorter side here is 10."""
    seen = detection("4", (shift, 0, 20 + shift, 10))
    result = scored(photograph(DIE), seen)
    assert (found_in(result), result.false) == (found, 1 - found)


def test_a_top_face_belongs_to_the_detection_that_holds_its_centre() -> None:
    """The pips' box is much smaller than the die and off its middle."""
    pip = LabelledPiece((2, 2, 4, 4), "1")
    seen = detection("1", (0, 0, 60, 60))
    assert scored(photograph(pip, whole=False), seen).exact
    assert not scored(photograph(pip), seen).exact


@pytest.mark.parametrize(
    ("seen", "right", "found", "false", "exact"),
    [
        ("535", 3, 3, 0, True),
        ("536", 2, 3, 0, False),
        ("53", 2, 2, 0, False),
        ("5365", 3, 3, 1, False),
    ],
)
def test_dice_of_which_only_the_values_are_known_are_scored_by_them(
    seen: str, right: int, found: int, *, false: int, exact: bool
) -> None:
    """A reading counts for a die of its value first, wherever it lies, then for another."""
    dice = tuple(LabelledPiece((0, 0, 0, 0), value) for value in "355")
    label = LabelledPhotograph(Path("a.jpg"), "", dice, whole=False, placed=False)
    boxes = ((40.0 * at, 0.0, 40.0 * at + 20, 20.0) for at in range(len(seen)))
    result = scored(label, *map(detection, seen, boxes))
    assert (result.right, found_in(result), result.false) == (right, found, false)
    assert result.exact == exact


def test_the_closest_pairs_are_taken_first() -> None:
    """A detection between two dice goes to the nearer one, and each has but one."""
    dice = [LabelledPiece((0, 0, 20, 20), "1"), LabelledPiece((12, 0, 32, 20), "2")]
    seen = [detection("2", (8, 0, 28, 20)), detection("2", (11, 0, 31, 20))]
    assert match(dice, seen, whole=True) == [(1, 1), (0, 0)]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("4",), (1, 1, 0, True)),
        (("5",), (1, 0, 0, False)),
        (("?",), (1, 0, 0, False)),
        ((), (0, 0, 0, False)),
        (("4", "4"), (1, 1, 1, False)),
    ],
    ids=str,
)
def test_one_die_read_in_several_ways(
    labels: tuple[str, ...], expected: tuple[int, int, int, bool]
) -> None:
    """Found, right, false and exact."""
    result = scored(photograph(DIE), *(detection(label, (0, 0, 20, 10)) for label in labels))
    assert (found_in(result), result.right, result.false, result.exact) == expected


@pytest.mark.parametrize("labels", [(), ("3",), ("?",)], ids=str)
def test_a_logo_face_is_neither_required_nor_false(labels: tuple[str, ...]) -> None:
    """Whatever is read there, the photograph is exact."""
    logo = LabelledPiece((0, 0, 20, 20), "?", optional=True)
    seen = [detection(label, (0, 0, 20, 20)) for label in labels]
    result = scored(photograph(logo), *seen)
    assert (result.judged, result.exact) == ((), True)


def test_a_source_is_summed_up() -> None:
    """Shares of dice and of photographs, a mean of false ones, median and 95th percentile."""
    die, wrong = detection("4", DIE.box), detection("5", DIE.box)
    other, lonely = LabelledPiece((100, 0, 120, 10), "4"), detection("1", (300, 0, 320, 10))
    photos = [
        scored(photograph(DIE, other), die, detection("4", other.box), milliseconds=10),
        scored(photograph(DIE), die, doubted=True, milliseconds=20),
        scored(photograph(DIE), wrong, lonely, milliseconds=30),
    ]
    row = ScoredSource("kitchen", tuple(photos)).row
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
        JudgedDetection("4", 0.99, boxes[0], "4"),
        JudgedDetection("3", 0.99, boxes[1], "5"),
        JudgedDetection("?", 0.99, (400, 0, 420, 20)),
    )
    assert [each.right for each in result.detections] == [True, False, False]


def test_dice_of_20_pixels_and_more_have_a_share_of_their_own() -> None:
    """A small die that is missed does not count; a small box around pips does."""
    small, large = LabelledPiece((0, 0, 19.9, 40), "4"), LabelledPiece((100, 0, 120, 20), "2")
    seen = detection("2", (100, 0, 120, 20))
    row = ScoredSource("kitchen", (scored(photograph(small, large), seen),)).row
    assert (row.right, row.pieces_of_20px, row.right_of_20px) == (0.5, 1, 1.0)
    pips = ScoredSource("kitchen", (scored(photograph(small, large, whole=False), seen),)).row
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

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:  # noqa: ARG002
        return Observation(frame.sequence, self.name, (detection("4", (0, 0, 20, 10)),))


def blank(path: Path) -> tuple[Image, float]:
    """Stand in for a decoder."""
    assert path.is_file()
    return np.zeros((30, 40, 3), np.uint8), 1.0


def line(split: str, value: int) -> dict[str, object]:
    """A label line of one die."""
    die = {"x": 0, "y": 0, "w": 20, "h": 10, "value": value}
    return {"file": "a.jpg", "split": split, "dice": [die]}


def source(folder: Path, *lines: dict[str, object]) -> None:
    """Write a source whose photographs all are one empty file."""
    write_source(folder, *lines)
    (folder / "images").mkdir()
    (folder / "images" / "a.jpg").touch()


def test_a_photo_decoded_smaller_is_scored_in_its_own_pixels(tmp_path: Path) -> None:
    """The label's box is twice as large as the one in the half picture, and so is its area."""
    die = {"x": 0, "y": 0, "w": 40, "h": 20, "value": 4}
    source(tmp_path, {"file": "a.jpg", "split": "dev", "dice": [die]})
    areas = []

    def half(path: Path) -> tuple[Image, float]:
        return blank(path)[0], 2.0

    def seeing(frame: Frame, expected: int | None = None) -> Observation:
        areas.append(frame.area)
        return OneFour()(frame, expected)

    (kitchen,) = read_sources(tmp_path)
    (found,) = score_photos(kitchen, None, seeing, half, within=True)  # type: ignore[arg-type]
    assert found.exact
    assert areas == [PlayArea.around_boxes([(0, 0, 40, 20)], (80, 60))]


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


def test_what_cannot_be_scored_is_named(tmp_path: Path) -> None:
    """A split that nobody has is an error, not an empty table; so is a picture that is gone."""
    source(tmp_path / "a", line("dev", 4))
    with pytest.raises(LabelError, match="no photographs of the split test"):
        evaluate(tmp_path, "test", OneFour(), blank)
    (tmp_path / "a" / "images" / "a.jpg").unlink()
    with pytest.raises(LabelError, match=r"a\.jpg is missing"):
        evaluate(tmp_path, "dev", OneFour(), blank)


@pytest.mark.parametrize(
    ("pair", "cell"),
    [
        (("5", "3"), ("5", "3")),
        (("6", "?"), ("6", "?")),
        (("1", None), ("1", "not found")),
        ((None, "2"), ("nothing", "2")),
        ((None, "?"), ("nothing", "?")),
    ],
    ids=str,
)
def test_each_pair_has_its_cell(pair: Pair, cell: tuple[str, str]) -> None:
    """A missed die and a die where none lies have a column and a row of their own."""
    (faces,) = confusions([pair] * 3)
    assert faces.counts == {cell: 3}
    assert faces.row(cell[0])[faces.read_as.index(cell[1])] == 3
    assert sum(map(sum, map(faces.row, faces.shown))) == 3


def test_tiles_are_counted_by_number_and_by_colour() -> None:
    """A joker has no colour; a tile may have the right number in the wrong colour."""
    pairs = [("R6", "R9"), ("O13", "R13"), ("J", "K3"), ("B1", None), (None, "?")]
    numbers, colours = confusions(pairs)
    assert numbers.aspect == "number"
    assert numbers.counts == {
        ("6", "9"): 1,
        ("13", "13"): 1,
        ("J", "3"): 1,
        ("1", "not found"): 1,
        ("nothing", "?"): 1,
    }
    assert colours.aspect == "colour"
    assert colours.counts == {
        ("R", "R"): 1,
        ("O", "R"): 1,
        ("J", "K"): 1,
        ("B", "not found"): 1,
        ("nothing", "?"): 1,
    }


# Few different confidences, so that ties are as common as they are among real readings.
confidences = st.one_of(
    st.floats(0, 1, allow_nan=False), st.sampled_from([0.0, 0.25, 0.5, 0.9999, 1.0])
)
readings = st.lists(st.tuples(confidences, st.booleans()), max_size=80)
some_readings = st.lists(st.tuples(confidences, st.booleans()), min_size=1, max_size=80)


def chance_of_order(judged: list[Judged]) -> float | None:
    """AUROC pair by pair."""
    right = [confidence for confidence, is_right in judged if is_right]
    wrong = [confidence for confidence, is_right in judged if not is_right]
    wins = [1.0 if one > other else 0.5 * (one == other) for one, other in product(right, wrong)]
    return sum(wins) / len(wins) if wins else None


@given(readings)
def test_auroc_is_the_share_of_pairs_in_order(judged: list[Judged]) -> None:
    """Counting all pairs of a right and a wrong reading gives the same; ties count half."""
    expected = chance_of_order(judged)
    assert auroc(judged) == (None if expected is None else pytest.approx(expected))


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 12)), min_size=1, max_size=20))
def test_confidence_that_keeps_its_word_has_no_error(groups: list[tuple[int, int]]) -> None:
    """Of n readings with confidence k/n exactly k are right; however the bins cut them."""
    judged = [
        (min(right, size) / size, each < right) for size, right in groups for each in range(size)
    ]
    assert reliability(judged).calibration_error == pytest.approx(0, abs=1e-9)


@given(readings, st.integers())
def test_order_is_of_no_matter(judged: list[Judged], seed: int) -> None:
    """Shuffled readings are summed up to the same, ties included."""
    shuffled = list(judged)
    Random(seed).shuffle(shuffled)
    assert reliability(shuffled) == reliability(judged)


@given(readings)
def test_every_figure_is_a_share(judged: list[Judged]) -> None:
    """Error, ranking, confidences and shares lie in 0 to 1, up to a rounding in the last digit."""
    summed = reliability(judged)
    figures = [summed.calibration_error, summed.auroc or 0.0]
    figures += [figure for each in summed.bins for figure in (each.confidence, each.right)]
    assert all(-1e-9 <= figure <= 1 + 1e-9 for figure in figures)


@given(some_readings)
def test_bins_are_as_equal_as_can_be(judged: list[Judged]) -> None:
    """All readings are in a bin, in ascending order, and no two bins differ by more than one."""
    bins = equal_mass_bins(judged)
    sizes = [each.readings for each in bins]
    assert sum(sizes) == len(judged)
    assert len(bins) == min(BINS, len(judged))
    assert max(sizes) - min(sizes) <= 1
    edges = [edge for each in bins for edge in (each.least, each.most)]
    assert edges == sorted(edges)
    right = sum(each.right * each.readings for each in bins)
    assert right == pytest.approx(sum(is_right for _, is_right in judged))


@given(readings)
def test_the_bars_hold_every_reading_once(judged: list[Judged]) -> None:
    """Right and wrong ones, and each bar only what lies in it."""
    bars = histogram(judged)
    assert len(bars) == BARS
    assert sum(bar.right for bar in bars) == sum(is_right for _, is_right in judged)
    assert sum(bar.right + bar.wrong for bar in bars) == len(judged)


@pytest.mark.parametrize(
    ("confidence", "place"), [(0.0, 0), (0.0499, 0), (0.05, 1), (0.999, 19), (1.0, 19)], ids=str
)
def test_a_bar_begins_with_its_least(confidence: float, place: int) -> None:
    """A confidence at an edge belongs to the bar above it, and 1 to the last."""
    bars = histogram([(confidence, True)])
    assert [bar.right for bar in bars].index(1) == place


def test_a_boast_is_measured() -> None:
    """Ten readings of confidence 0.9 with half of them right are 0.4 off."""
    summed = reliability([(0.9, each < 5) for each in range(10)])
    assert summed.calibration_error == pytest.approx(0.4)
    assert summed.auroc == 0.5


def test_nothing_read_is_no_error() -> None:
    """No readings: no error, no ranking, no bins, empty bars."""
    summed = reliability([])
    assert (summed.calibration_error, summed.auroc, summed.bins) == (0.0, None, ())
