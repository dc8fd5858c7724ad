"""Result slips are found in photographs, and read or asked about; never silently misread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.read.slip_photos import (
    FINE,
    Tally,
    drawn_slip,
    person_hand,
    photo_of_sheet,
    photo_of_slip,
)
from vision.read.slip_layout import (
    DIGITS,
    HEIGHT,
    MARK_SIDE,
    MARKS,
    MOST_SEATS,
    QR_AREA,
    QR_MODULES,
    ROWS,
    WIDTH,
    Area,
    SlipCode,
    SlipLayout,
)
from vision.read.slips import (
    CODE_SCALE,
    LABELS,
    SURROUNDINGS,
    SlipReader,
    SlipRow,
    added_up,
    load_slip_reader,
    restored_code,
)

MODEL = Path(__file__).parents[3] / "models" / "slips"
CODE = SlipCode("QK3F", 12, 105, 1, 2, 4, "7HGQ2")


@cache
def reader() -> SlipReader:
    """The shipped reader."""
    return load_slip_reader()


def test_the_model_stays_small() -> None:
    """Its network takes at most a megabyte."""
    assert sum(file.stat().st_size for file in MODEL.glob("*.onnx")) <= 1_000_000


def test_a_code_is_read_as_it_is_printed() -> None:
    """It comes back whole, from 38 characters at most: what a QR code of that size holds."""
    assert SlipCode.parse(str(CODE)) == CODE
    longest = SlipCode("QK3F", 999, 9999, 999, 9, 9, "7HGQ2")
    assert SlipCode.parse(str(longest)) == longest
    assert len(str(longest)) <= 38


@pytest.mark.parametrize("text", ["", "https://example.org", f"{CODE} ", str(CODE).lower()])
def test_another_code_is_no_slip(text: str) -> None:
    """A poster's code is not taken for a slip's."""
    assert SlipCode.parse(text) is None


def test_every_box_has_its_own_place() -> None:
    """On the fullest slip no box lies over another, over a mark or the code, or beside the slip."""
    for seats, kind in product(range(1, MOST_SEATS + 1), ROWS):
        layout = SlipLayout(SlipLayout.most_games(seats, kind), seats, kind)
        places = product(range(layout.games), range(layout.filled))
        rows = [layout.boxes(game, row) for game, row in places]
        areas = [
            QR_AREA,
            *(Area(x, y, MARK_SIDE, MARK_SIDE) for x, y in MARKS),
            *(box for row in rows for box in row),
        ]
        for at, one in enumerate(areas):
            assert 0 <= one.x <= WIDTH - one.width
            assert 0 <= one.y <= HEIGHT - one.height
            assert not any(overlap(one, other) for other in areas[:at])
        assert SlipLayout.most_games(MOST_SEATS + 1, kind) == 0


def test_one_game_fills_the_paper() -> None:
    """Its rows spread to the lower marks; those of an earlier version's slip stay in place."""
    for seats in range(1, MOST_SEATS + 1):
        layout = SlipLayout(1, seats)
        assert layout.heading(1) == pytest.approx(127.5)
        assert SlipLayout(1, seats, "X").boxes(0, seats - 1)[0].y == 24.5 + 10 * seats
    assert SlipCode.parse(str(replace(CODE, rows="X"))) == replace(CODE, rows="X")
    assert str(replace(CODE, rows="X")) == "TS1/QK3F/12/105/1/2X4/7HGQ2"


def overlap(one: Area, other: Area) -> bool:
    """Whether two areas share some paper."""
    across = one.x < other.x + other.width and other.x < one.x + one.width
    return across and one.y < other.y + other.height and other.y < one.y + one.height


@pytest.mark.parametrize(
    ("seen", "score"),
    [
        ("__207", 207),
        ("_207_", 207),
        ("-___3", -3),
        ("____0", 0),
        ("_____", None),
        ("_2_7_", None),
        ("__2?7", None),
        ("-____", None),
        ("7_207", None),
        ("__-12", None),
    ],
)
def test_a_row_is_a_number_or_a_question(seen: str, score: int | None) -> None:
    """A sign, then digits without a gap, wherever they begin; all else is asked."""
    row = read_row(seen)
    assert row.is_sure == (score is not None)
    if score is not None:
        assert row.score == score
        assert all(box.is_sure for box in row.boxes)


def test_an_empty_row_is_no_question() -> None:
    """A game that was not played leaves it empty: it has no score, and nothing is in doubt."""
    row = read_row("_____")
    assert row.score is None
    assert all(box.is_sure for box in row.boxes)


@pytest.mark.parametrize("seen", ["_2_7_", "__2?7", "-____", "7_207", "__-12"])
def test_what_is_no_number_shows_where_it_is_in_doubt(seen: str) -> None:
    """It still gives the likeliest number, but the boxes that spoil it are marked."""
    row = read_row(seen)
    assert not all(box.is_sure for box in row.boxes)


def test_a_row_is_believed_as_a_whole() -> None:
    """Boxes that are nearly sure do for one digit, not for four that all have to be right."""
    likely = [0.98 if each == "3" else 0.9999 for each in "____3"]
    assert read_row("____3", likely).is_sure
    row = read_row("_3333", [0.9999, 0.98, 0.98, 0.98, 0.98])
    assert not row.is_sure
    assert row.score == 3333
    assert [box.is_sure for box in row.boxes] == [True, False, False, False, False]
    assert not read_row("____1", likely).is_sure, "it may be a 7 with a short bar"


def read_row(seen: str, likely: Sequence[float] = (0.9999,) * (1 + DIGITS)) -> SlipRow:
    """The row of boxes that show these labels, _ for an empty one, each so likely."""
    others = [(1 - each) / (len(LABELS) - 1) for each in likely]
    shown = np.tile(np.array(others, np.float32)[:, None], len(LABELS))
    for at, (label, each) in enumerate(zip(seen, likely, strict=True)):
        shown[at, LABELS.index(label.replace("_", ""))] = each
    boxes = SlipLayout(1, 1).boxes(0, 0)
    return SlipReader(reader().network, 0.95).row(1, 0, boxes, shown)


@pytest.mark.parametrize(
    ("seen", "likely", "sure"),
    [
        (("___30", "-__10", "-__20", "____0"), 0.8, (True, True, True, True)),
        (("___30", "-__10", "-__20", "_____"), 0.8, (True, True, True, True)),
        (("___30", "-__10", "-__20", "____5"), 0.9999, (False,) * 4),
        (("___31", "-__10", "-__20", "____0"), 0.9999, (False,) * 4),
        (("___30", "-__10", "_____", "_____"), 0.9999, (True, True, False, False)),
        (("___30", "-__10", "-_2_1", "_____"), 0.9999, (True, True, False, False)),
    ],
)
def test_scores_that_add_up_are_believed_together(
    seen: Sequence[str], likely: float, sure: Sequence[bool]
) -> None:
    """Two would have to be misread so that they fit; else those in doubt are asked, or all."""
    boxes = (likely ** (1 / 5),) * 5
    game = [read_row(each, boxes) for each in seen]
    assert tuple(row.is_sure for row in added_up(game)) == sure


def test_a_code_that_moved_is_restored() -> None:
    """A phone that moved by two modules of the code smears it; its finders tell how."""
    page = np.pad(drawn_slip(CODE)[:, :, 0], 5 * FINE, constant_values=255)
    smear = np.ones((1, round(2 * QR_AREA.width / (QR_MODULES + 4) * FINE)), np.float32)
    x, y, width, height = (round(each * FINE) for each in SURROUNDINGS)
    part = cv2.filter2D(page, -1, smear / smear.size)[y + 5 * FINE :, x + 5 * FINE :]
    part = part[:height, :width]
    assert SlipCode.parse(cv2.QRCodeDetector().detectAndDecode(part)[0]) is None
    size = (round(SURROUNDINGS.width * CODE_SCALE), round(SURROUNDINGS.height * CODE_SCALE))
    small = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
    assert restored_code(small) == str(CODE)


def test_a_photograph_without_a_slip() -> None:
    """Grey paper and noise have none."""
    noise = np.random.default_rng(1).integers(0, 255, (600, 800, 3), np.uint8)
    assert reader().read(np.full((600, 800, 3), 127, np.uint8)) == ()
    assert reader().read(noise) == ()


@pytest.mark.slow
def test_slips_filled_in_by_strangers() -> None:
    """Of 40 slips, four a page and one by one, every code is read, and no score silently wrong.

    Nobody's hand was in the training; `python -m tests.vision.read.slip_photos` measures 240.
    """
    tally = Tally()
    for seed in range(5):
        tally.add(reader(), photo_of_sheet(seed))
    for seed in range(14):
        tally.add(reader(), photo_of_slip(seed))
    for seed in range(6):
        tally.add(reader(), photo_of_slip(1000 + seed, person_hand))
    assert tally.slips == 40
    assert tally.found == tally.slips
    assert tally.right >= 0.96 * tally.scores  # 98 % on the machine that measured
    assert tally.silent <= 0.005 * tally.scores
    assert tally.crossed_out_asked == tally.crossed_out
