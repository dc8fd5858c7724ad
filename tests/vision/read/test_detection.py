"""The finder's passes, the candidates in its maps, each piece once, and the crops of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.read.fake_networks import FakeFinder, FakeNetwork, table_with, tile_maps
from vision.capture.frame import PlayArea, Pyramid
from vision.read.detection import (
    DICE,
    DIE_MARGIN,
    DIE_SIDE,
    TILE_HEIGHT,
    TILE_WIDTH,
    TILES,
    Candidate,
    Detector,
    Maps,
    candidates,
    die_crops,
    distinct,
    tile_crops,
)


class Session(FakeNetwork):
    """A finder that sees what it is told to at each length of the longer side, in cells."""

    def __init__(self, seen: dict[int, tuple[int, int, float]]) -> None:
        self.seen = seen
        self.looks: list[int] = []

    def answer(self, pixels: Any) -> Maps:
        _, height, width, _ = pixels.shape
        self.looks.append(max(height, width))
        maps = np.zeros((1, 5, height // 4, width // 4), np.float32)
        if self.looks[-1] in self.seen:
            row, column, size = self.seen[self.looks[-1]]
            maps[0, 0, row, column] = 0.9
            maps[0, 3:, row, column] = np.log(size / 16)
        return maps


PHOTO = np.zeros((960, 1280, 3), np.uint8)


@pytest.mark.parametrize(
    ("seen", "looks", "size"),
    [
        ({448: (20, 30, 40)}, [448], 114),
        ({896: (43, 64, 20)}, [448, 896], 29),
        ({448: (20, 30, 13), 992: (47, 66, 30)}, [448, 992], 39),
        ({448: (20, 30, 8), 1280: (61, 86, 24)}, [448, 1280], 24),
    ],
    ids=["usual", "unseen at first", "small", "dots"],
)
def test_dice_are_looked_for_at_the_scales_that_they_ask_for(
    seen: dict[int, tuple[int, int, float]], looks: list[int], size: int
) -> None:
    """The nearest pass names the die in the photo's own pixels."""
    session = Session(seen)
    *_, peak = Detector(session.network, DICE, 0.5).find_from_near(Pyramid(PHOTO))
    assert session.looks == looks
    assert peak.size == pytest.approx(size, rel=0.13)


@pytest.mark.parametrize(("left", "found"), [(0.0, 1), (0.4, 0)])
def test_what_lies_outside_of_the_play_area_is_not_found(left: float, found: int) -> None:
    """Nor does it ask for another pass, or for a person."""
    area = PlayArea(((left, 0.1), (0.9, 0.1), (0.9, 0.9), (left, 0.9)))
    session = Session({448: (20, 30, 40)})  # a die at a quarter of the width
    detector = Detector(session.network, DICE, 0.5)
    assert len(detector.find_from_near(Pyramid(PHOTO, area))) == found


def test_an_empty_table_is_looked_at_nearer_before_it_is_called_empty() -> None:
    """Dice may be too small for the first pass."""
    session = Session({})
    assert Detector(session.network, DICE, 0.5).find_from_near(Pyramid(PHOTO)) == []
    assert session.looks == [448, 896]


def test_from_far_dice_of_every_size_are_found() -> None:
    """A die of 40 pixels of the photo as well as one that fills it."""
    for size, wanted in ((8, 40), (60, 300)):
        detector = Detector(Session({256: (20, 30, size)}).network, DICE, 0.5)
        (peak,) = detector.find(Pyramid(PHOTO))
        assert peak.size == pytest.approx(wanted, rel=0.01)


@pytest.mark.parametrize("shape", [(1, 1), (40, 2000), (2000, 40), (33, 47)], ids=str)
def test_every_shape_of_picture_can_be_looked_at(shape: tuple[int, int]) -> None:
    """A stripe or a dot is a picture too."""
    picture = Pyramid(np.zeros((*shape, 3), np.uint8))
    detector = Detector(Session({}).network, DICE, 0.5)
    assert detector.find_from_near(picture) == detector.find(picture) == []


PYRAMID = Pyramid(np.full((960, 1280, 3), 90, np.uint8))


def tile(x: float, y: float, length: float) -> Candidate:
    """A tile that lies a little turned."""
    return Candidate(0.9, x, y, length * 0.7, length, 20.0)


def test_large_tiles_need_no_nearer_look() -> None:
    """320 and 640 pixels are enough; places and sizes are told in the picture's own."""
    finder = FakeFinder((tile(300, 200, 120), tile(800, 600, 110)), 1280)
    found = Detector(finder.network, TILES, 0.3).find(PYRAMID)
    assert finder.looks == [320, 640]
    assert [(spot.x, spot.y, spot.height) for spot in found] == [
        pytest.approx((300, 200, 120), rel=0.01),
        pytest.approx((800, 600, 110), rel=0.01),
    ]


def test_small_tiles_ask_for_a_nearer_look() -> None:
    """Near enough that they are of a comfortable size, and each is told once."""
    finder = FakeFinder(tuple(tile(100 + 90 * at, 300, 40) for at in range(8)), 1280)
    found = Detector(finder.network, TILES, 0.3).find(PYRAMID)
    assert finder.looks[:2] == [320, 640]
    assert 1200 <= finder.looks[2] <= 1600
    assert len(found) == 8


def test_the_upper_end_is_taken_for_the_top() -> None:
    """A tile that leans a little to the left is told as nearly upright, not as upside down."""
    leaning = Candidate(0.9, 400.0, 300.0, 84.0, 120.0, 175.0)
    (found,) = Detector(FakeFinder((leaning,), 1280).network, TILES, 0.3).find(PYRAMID)
    assert found.angle == pytest.approx(355.0, abs=0.1)


def test_an_empty_table_is_looked_at_nearer() -> None:
    """Nearer: tiles may be too small for the first looks."""
    finder = FakeFinder((), 1280)
    assert Detector(finder.network, TILES, 0.3).find(PYRAMID) == []
    assert finder.looks == [320, 640, 1280]


def test_a_small_picture_is_not_looked_at_from_nearer_than_it_is() -> None:
    """More pixels than there are show nothing more."""
    small = Pyramid(np.full((240, 320, 3), 90, np.uint8))
    finder = FakeFinder((), 320)
    Detector(finder.network, TILES, 0.3).find(small)
    assert finder.looks == [320, 640]


def test_parts_of_a_tile_that_fills_the_picture_are_none() -> None:
    """What seems to lie on a tile is its own word or number; what lies beside it is a tile."""
    whole, word, other = tile(500, 450, 600), tile(520, 560, 90), tile(1100, 300, 90)
    found = Detector(FakeFinder((whole, word, other), 1280).network, TILES, 0.3).find(PYRAMID)
    assert sorted(round(spot.height) for spot in found) == [90, 600]


def die_maps(*places: tuple[int, int, float]) -> Maps:
    """Maps of 12 x 16 cells with dice of 16 pixels at those rows and columns, so strong."""
    maps = np.zeros((5, 12, 16), np.float32)
    for row, column, score in places:
        maps[0, row, column] = score
    return maps


def test_a_peak_lies_where_the_maps_say() -> None:
    """The middle is the cell's middle and the offset, four pixels a cell; sizes are 16 * exp."""
    maps = die_maps((3, 4, 0.9))
    maps[1:, 3, 4] = (0.25, -0.5, math.log(2), math.log(0.5))
    (peak,) = candidates(maps, 0.5, DICE)
    assert (peak.x, peak.y) == pytest.approx((19.0, 12.0))
    assert (peak.width, peak.height, peak.size) == pytest.approx((32.0, 8.0, 32.0))
    assert peak.box == pytest.approx((3.0, 8.0, 35.0, 16.0))


def test_neighbouring_cells_are_one_die_and_the_best_comes_first() -> None:
    """A slope has one top."""
    found = candidates(die_maps((3, 4, 0.6), (3, 5, 0.7), (8, 12, 0.9)), 0.5, DICE)
    assert [peak.score for peak in found] == pytest.approx([0.9, 0.7])


@pytest.mark.parametrize(
    ("other", "kept"),
    [
        (Candidate(0.5, 53, 50, 20, 20), 1),
        (Candidate(0.5, 70, 50, 20, 20), 2),
        (Candidate(0.5, 60, 60, 20, 20), 2),
        (Candidate(0.7, 55, 52, 5, 5), 1),
        (Candidate(0.7, 80, 52, 5, 5), 2),
    ],
    ids=["the same", "beside it", "touching corners", "one of its pips", "a small die beside it"],
)
def test_each_die_is_kept_once(other: Candidate, kept: int) -> None:
    """What shows the same die, or a part of it, goes."""
    assert len(distinct([Candidate(0.8, 50, 50, 20, 20), other], DICE)) == kept


def test_a_faint_large_box_does_not_swallow_the_dice_in_it() -> None:
    """A tray is no die, though it is square."""
    dice = [Candidate(0.9, 30, 30, 10, 10), Candidate(0.9, 70, 70, 10, 10)]
    assert distinct([*dice, Candidate(0.2, 50, 50, 90, 90)], DICE)[:2] == dice


@given(st.floats(0.1, 10), st.floats(0.1, 10))
def test_scaling_there_and_back_is_nothing(across: float, down: float) -> None:
    """A peak means the same in a picture of another size."""
    peak = Candidate(0.5, 10, 20, 30, 40)
    back = peak.scaled(across, down).scaled(1 / across, 1 / down)
    assert back.box == pytest.approx(peak.box)


UPRIGHT = Candidate(0.9, 100.0, 60.0, 20.0, 30.0, 0.0)
PIXELS = st.integers(0, 80)
PLACED = st.builds(
    Candidate, st.just(0.9), PIXELS, PIXELS, st.integers(1, 40), st.just(60), st.just(0)
)


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, 135.0, 179.0])
def test_a_tile_is_reported_as_it_lies(angle: float) -> None:
    """Middle, both sides and the turn of the longer one; which end is up nobody knows yet."""
    lying = Candidate(0.8, 71.0, 43.0, 18.0, 26.0, angle)
    (found,) = candidates(tile_maps(lying), 0.5, TILES)
    assert found.angle == pytest.approx(angle, abs=0.01)
    told = (found.score, found.x, found.y, found.width, found.height)
    assert told == pytest.approx((0.8, 71.0, 43.0, 18.0, 26.0), rel=1e-4)


def test_the_best_comes_first_and_the_faint_not_at_all() -> None:
    """What scores below the threshold is no candidate."""
    faint, good = Candidate(0.2, 30, 30, 20, 30, 0), Candidate(0.7, 80, 30, 20, 30, 0)
    better = Candidate(0.9, 30, 90, 20, 30, 0)
    seen = candidates(tile_maps(faint, good, better), 0.5, TILES)
    assert [spot.score for spot in seen] == pytest.approx([0.9, 0.7])


def test_one_tile_is_reported_once() -> None:
    """Two middles within a tile are one; touching tiles are two."""
    again, beside = Candidate(0.5, 104, 62, 20, 30, 4.0), Candidate(0.5, 121, 60, 20, 30, 0.0)
    assert distinct([UPRIGHT, again, beside], TILES) == [UPRIGHT, beside]


@given(st.lists(PLACED, max_size=30))
def test_a_place_is_kept_unless_a_better_one_shows_the_same(found: list[Candidate]) -> None:
    """The same as comparing each with all that are kept, however many lie in a heap."""
    kept: list[Candidate] = []
    for spot in found:
        if all(not is_same(spot, other) for other in kept):
            kept.append(spot)
    assert distinct(found, TILES) == kept


def is_same(one: Candidate, other: Candidate) -> bool:
    """Whether two middles lie nearer to each other than 0.45 of the narrower tile."""
    apart = np.hypot(one.x - other.x, one.y - other.y)
    return bool(apart < 0.45 * min(one.width, other.width))


def test_corners_go_clockwise_from_the_top_left() -> None:
    """Upright, turned a quarter, and turned over."""
    assert UPRIGHT.quad.tolist() == [[90, 45], [110, 45], [110, 75], [90, 75]]
    quarter = Candidate(0.9, 100, 60, 20, 30, 90.0).quad
    assert np.allclose(quarter, [[115, 50], [115, 70], [85, 70], [85, 50]], atol=1e-4)
    assert np.allclose(UPRIGHT.turned_over().quad, np.roll(UPRIGHT.quad, 2, axis=0), atol=1e-4)


@pytest.mark.parametrize("size", [8, 60, 300])
def test_the_die_fills_the_middle_of_its_crop(size: int) -> None:
    """A white square on black keeps its share of the crop at every size."""
    image = np.zeros((480, 640, 3), np.uint8)
    left, top = 320 - size // 2, 240 - size // 2
    image[top : top + size, left : left + size] = 255
    (crop,) = die_crops(Pyramid(image), [Candidate(1, 320, 240, size, size)])
    assert crop.shape == (DIE_SIDE, DIE_SIDE, 3)
    assert crop[24, 24].tolist() == [255, 255, 255]
    assert (crop > 128).mean() == pytest.approx(1 / DIE_MARGIN**2, abs=0.12)


@pytest.mark.parametrize("place", [(0, 0), (99, 79), (-30, 40), (150, 90), (50, 200)], ids=str)
def test_beyond_the_picture_its_edge_is_repeated(place: tuple[int, int]) -> None:
    """A die cut by the edge still gives a whole crop."""
    image = np.full((80, 100, 3), 77, np.uint8)
    (crop,) = die_crops(Pyramid(image), [Candidate(1, *place, 20, 20)])
    assert np.unique(crop).tolist() == [77]


def test_a_crop_is_upright() -> None:
    """The red quarter is at the upper left, the table all round."""
    for angle in (0.0, 37.0, 90.0, 200.0, 315.0):
        for length in (60.0, 200.0):
            tile = Candidate(1.0, 240.0, 190.0, length * 0.7, length, angle)
            (crop,) = tile_crops(Pyramid(table_with(tile)), [tile])
            assert crop.shape == (TILE_HEIGHT, TILE_WIDTH, 3)
            red = (crop[:, :, 2] > 150) & (crop[:, :, 0] < 120)
            rows, columns = np.nonzero(red)
            assert (rows.mean() / TILE_HEIGHT, columns.mean() / TILE_WIDTH) == pytest.approx(
                (0.29, 0.29), abs=0.04
            )
            assert crop[0, 0].max() < 90


def test_beyond_the_edge_the_picture_goes_on() -> None:
    """A tile that is cut off is cropped all the same."""
    tile = Candidate(1.0, 5.0, 5.0, 60.0, 90.0, 0.0)
    (crop,) = tile_crops(Pyramid(table_with(tile)), [tile])
    assert crop.shape == (TILE_HEIGHT, TILE_WIDTH, 3)
