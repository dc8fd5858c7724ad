"""What the finder's passes name becomes dice, each once and all of nearly one size."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.read.fake_networks import FakeNetwork
from tests.vision.read.test_confidence import DICE_LIMITS
from vision.capture.frame import Frame, Image, Pyramid
from vision.read.detection import Candidate, Maps
from vision.read.dice import (
    UNSHARP,
    DiceRecogniser,
    DieReading,
    by_size,
    distinct_dice,
    read_tops,
    seen_again,
)
from vision.read.networks import FINDER, READER, Model, load_model
from vision.read.observation import Observation

BLACK = np.zeros((960, 1280, 3), np.uint8)
BESIDE = Candidate(0.9, 300, 150, 60, 60)


def reading(place: Candidate, likelihood: float = 0.98) -> DieReading:
    """A three there, as surely as that."""
    rest = 1 - likelihood
    chances = (rest, 0.0, 0.0, likelihood, 0.0, 0.0, 0.0)
    return DieReading(place, chances, 0.0, 0.0, likelihood)


def die(x: float, y: float, side: float, score: float = 0.9) -> Candidate:
    """A square place."""
    return Candidate(score, x, y, side, side)


@pytest.mark.parametrize(
    "other",
    [die(205, 150, 60, 0.5), die(200, 160, 20, 0.5), die(215, 165, 100, 0.3)],
    ids=["the same", "a pip", "die and shadow"],
)
def test_what_overlaps_a_surer_die_is_dropped(other: Candidate) -> None:
    """The reader is asked which of two is there, whichever the finder named first."""
    surer = reading(die(200, 150, 60))
    doubtful = reading(other, 0.5)
    far = reading(BESIDE, 0.6)
    assert distinct_dice([doubtful, far, surer], DICE_LIMITS) == [surer, far]


def test_a_pip_that_the_finder_prefers_does_not_hide_its_die() -> None:
    """A nearly bare face: the finder is surest of the pip, the reader of the die."""
    pip, whole = reading(die(200, 150, 20, 0.95), 0.3), reading(die(200, 150, 80, 0.6), 0.99)
    assert distinct_dice([pip, whole], DICE_LIMITS) == [whole]


def test_dice_that_touch_are_both_kept() -> None:
    """Side by side, or one a little behind another."""
    dice = [reading(die(200, 150, 60)), reading(die(258, 150, 60)), reading(die(215, 105, 60))]
    assert distinct_dice(dice, DICE_LIMITS) == dice


@pytest.mark.parametrize(("side", "kept"), [(25, False), (35, True), (110, True), (130, False)])
def test_what_has_not_the_size_of_the_sure_dice_is_none(side: float, *, kept: bool) -> None:
    """From half to twice their median, 60 pixels; what is doubtful does not count for it."""
    sure = [reading(die(100 * at, 50, 60)) for at in (1, 2, 3)]
    other = reading(die(200, 300, side), 0.6)
    alike, others = by_size([*sure, other], DICE_LIMITS)
    assert alike == [*sure, *([other] if kept else [])]
    assert others == ([] if kept else [other])
    assert by_size([other], DICE_LIMITS) == ([other], [])
    surely = reading(die(200, 300, side), 0.999)
    assert by_size([*sure, surely], DICE_LIMITS) == ([*sure, surely], [])
    speck = reading(die(200, 300, 14), 0.6)
    assert by_size([*sure, speck], DICE_LIMITS) == (sure, [])


@pytest.mark.parametrize(("side", "kept"), [(44, False), (46, True), (68, True), (70, False)])
def test_several_sure_dice_show_better_what_sizes_others_have(side: float, *, kept: bool) -> None:
    """From three quarters of the smallest to a little more than the largest, here 60 pixels."""
    sure = [reading(Candidate(0.999, 100 * at, 50, 60, 60), 0.9999) for at in (1, 2, 3)]
    other = reading(die(200, 300, side), 0.6)
    assert by_size([*sure, other], DICE_LIMITS)[0] == [*sure, *([other] if kept else [])]


@pytest.mark.parametrize(
    ("trace", "longer", "kept"), [(True, 1280, True), (False, 1280, False), (False, 2560, True)]
)
def test_a_weak_die_without_a_trace_from_far_is_none(
    *, trace: bool, longer: int, kept: bool
) -> None:
    """It is asked about; where it is too small to be seen from far it is believed."""
    sure, weak = reading(die(100, 50, 60)), reading(die(200, 300, 60), 0.7)
    far = [reading(die(202, 301, 64), 0.5)] if trace else []
    dice, lost = seen_again([sure, weak], far, DICE_LIMITS, longer)
    assert (dice, lost) == (([sure, weak], []) if kept else ([sure], [weak]))


@dataclass
class Dice(FakeNetwork):
    """A finder that names, at each length of the longer side, dice of these sides in a row.

    The sides are pixels of that length; of those below none there is but a trace.
    """

    sides: dict[int, tuple[float, ...]]
    passes: list[int] = field(default_factory=list)

    def answer(self, pixels: Any) -> Maps:
        _, height, width, _ = pixels.shape
        self.passes.append(width)
        maps = np.zeros((1, 5, height // 4, width // 4), np.float32)
        for at, side in enumerate(self.sides.get(width, ())):
            maps[0, 0, height // 8, (1 + 2 * at) * width // 32] = 0.95 if side > 0 else 0.201
            maps[0, 3:, height // 8, (1 + 2 * at) * width // 32] = np.log(abs(side) / 16)
        return maps


@dataclass
class Reader(FakeNetwork):
    """A reader that sees a three wherever it is asked, so surely."""

    sure: float

    def answer(self, pixels: Any) -> Maps:
        """Seven chances, the turn, leaning and presence."""
        one = [1 - self.sure, 0, 0, self.sure, 0, 0, 0, 1, 0, 0, self.sure]
        return np.array([one] * len(pixels), np.float32)


def observed(
    finder: Dice,
    sure: float = 0.999,
    expected: int | None = None,
    *,
    single: bool = False,
    image: Image = BLACK,
) -> Observation:
    """What a picture of 1280 x 960 then shows."""
    networks = {FINDER: finder.network, READER: Reader(sure).network}
    frame = Frame(0, datetime.now(UTC), image, single=single)
    return DiceRecogniser(Model(networks, load_model("dice").card))(frame, expected)


def read(finder: Dice, sure: float = 0.999, expected: int | None = None) -> int:
    """How many dice it then has."""
    return len(observed(finder, sure, expected).detections)


@pytest.mark.parametrize(("side", "dice"), [(60, 3), (30, 2)], ids=["large", "small"])
def test_the_far_pass_adds_a_large_die_of_which_there_is_a_trace(side: float, dice: int) -> None:
    """Its nearly bare face is missed from near. It costs a fifth of a reading: so not always."""
    finder = Dice({448: (side, side, -3.6), 256: (0.57 * side,) * 3})
    assert read(finder, sure=0.99) == dice
    assert finder.passes == [448, 256][: 1 if dice == 2 else 2]


ONE, TWO, THREE = (60,), (60, 60), (60, 60, 60)  # of 448 pixels, and the same dice at others:
FAR, FIRST, NEAR = (34, 34, 34), (26, 26, 26), (86, 86, 86)


@pytest.mark.parametrize(
    ("sides", "expected", "dice", "passes"),
    [
        ({448: TWO}, None, 2, [448]),
        ({192: FIRST, 448: THREE}, 3, 3, [192]),
        ({192: FIRST[1:], 448: THREE}, 3, 3, [192, 448]),
        ({448: TWO, 256: FAR}, 3, 3, [192, 448, 256]),
        ({448: TWO, 640: NEAR}, 3, 3, [192, 448, 256, 192, 128, 640]),
        ({448: ONE}, None, 1, [448, 128]),
        ({128: (60,)}, None, 1, [448, 896, 256, 192, 128]),
    ],
    ids=["clear", "as many as known", "one more", "far", "near", "one alone", "none from near"],
)
def test_each_look_is_made_where_it_is_due(
    sides: dict[int, tuple[float, ...]], expected: int | None, dice: int, passes: list[int]
) -> None:
    """What is clear is not looked at again; where dice are missing, they are looked for."""
    finder = Dice(sides)
    assert read(finder, expected=expected) == dice
    assert finder.passes == passes


@pytest.mark.parametrize(("single", "looks"), [(True, 3), (False, 1)])
def test_dice_that_touch_are_looked_at_from_nearer_in_a_photo(*, single: bool, looks: int) -> None:
    """One of a pair is easily lost; of a watched table more pictures follow."""
    finder = Dice({448: (120, 120)})
    observed(finder, single=single)
    assert len(finder.passes) == looks


def chequered() -> Image:
    """Black and white fields."""
    fields = np.indices((960, 1280)).sum(axis=0) // 80 % 2
    return np.repeat(255 * fields[:, :, None], 3, axis=2).astype(np.uint8)


def blurred() -> Image:
    """The same out of focus."""
    return np.asarray(cv2.GaussianBlur(chequered(), (0, 0), 16), np.uint8)


@pytest.mark.parametrize(
    ("image", "single", "asked"),
    [(chequered(), True, False), (blurred(), True, True), (blurred(), False, False)],
    ids=["sharp", "blurred", "watched"],
)
def test_a_photo_that_shows_no_dice_may_be_out_of_focus(
    image: Image, *, single: bool, asked: bool
) -> None:
    """There dice are found nowhere. A watched table may be empty, and its focus is told of."""
    doubts = observed(Dice({}), single=single, image=image).doubts
    assert doubts == ((UNSHARP,) if asked else ())


@pytest.mark.parametrize(("expected", "label"), [(None, "?"), (1, "3")])
def test_the_likeliest_face_is_told_of_a_die_that_must_lie_there(
    expected: int | None, label: str
) -> None:
    """The number vouches for the die; its face is asked about."""
    seen = observed(Dice({448: (6.5,)}), sure=0.17, expected=expected)
    assert [each.label for each in seen.detections] == [label]
    assert seen.doubts


def test_one_die_alone_is_not_taken_for_the_pip_of_a_larger_one() -> None:
    """A die that fills the picture is seen whole from far alone."""
    (die,) = observed(Dice({448: (20,), 128: (100,)})).detections
    assert die.box[2] - die.box[0] > 400


def test_what_only_a_later_look_takes_for_a_die_is_asked_about() -> None:
    """Sure dice do not vouch for what lies beside them. A watched table shows it again."""
    assert observed(Dice({448: ONE, 128: (17,)}), single=True).doubts == ()
    asked = observed(Dice({448: ONE, 128: (17, -1.8)}), single=True)
    assert [each.doubt for each in asked.maybe] == list(asked.doubts) != []
    assert observed(Dice({448: ONE, 128: (17, -1.8)})).doubts == ()


def test_doubtful_dice_ask_for_the_far_pass_and_it_adds_sure_ones_alone() -> None:
    """A faint shape seen from far is nothing."""
    finder = Dice({448: (30, 30), 256: (17, 17, 17)})
    assert read(finder, sure=0.7) == 2
    assert finder.passes[:2] == [448, 256]


class Brightness(FakeNetwork):
    """A reader that sees a five in what is mostly bright, else a two."""

    def answer(self, pixels: Any) -> Maps:
        bright = pixels.mean(axis=(1, 2, 3)) > 127
        chances = np.zeros((len(bright), 11), np.float32)
        chances[np.arange(len(bright)), np.where(bright, 5, 2)] = chances[:, 10] = 1
        return chances


@pytest.mark.parametrize(
    ("width", "height", "value"),
    [(80, 92, 5), (80, 80, 3), (30, 36, 3)],
    ids=["aslant", "from above", "small"],
)
def test_the_top_face_of_a_large_die_seen_aslant_is_read_too(
    width: float, height: float, value: int
) -> None:
    """A side that is larger than the foreshortened top face does not pass for it."""
    image = np.zeros((300, 400, 3), np.uint8)
    image[: round(150 + height * 0.05)] = 255  # more than half is bright in the upper part alone
    whole = reading(Candidate(0.9, 200, 150, width, height), 0.4)
    (read_so,) = read_tops(Brightness().network, Pyramid(image), [whole])
    assert read_so.value == value
    assert read_so.is_low == (value != whole.value)
    assert read_so.candidate == whole.candidate
