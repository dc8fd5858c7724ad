"""What the tiles of one table say of each other: their placement, their size, how they are seen."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.read.fake_networks import FakeNetwork
from tests.vision.read.tile_readings import LENGTH, MIDDLE, WIDTH, lying, reading
from vision.capture.frame import Pyramid
from vision.read.detection import Candidate
from vision.read.tile_neighbours import (
    TilePlacement,
    adjacent_tiles,
    nudged,
    of_one_box,
    placement_at,
    stood_upright,
)
from vision.read.tile_readings import TileReading, contested
from vision.read.tile_views import (
    from_the_front,
    legible,
    overview_of,
    seen_from_above,
    turned,
    without_hearts,
)

BLANK = Pyramid(np.full((480, 640, 3), 120, np.uint8))


@dataclass
class GreyReader(FakeNetwork):
    """Says what a crop's middle is by its grey, sure or not; 120 is no tile."""

    faces: dict[int, TileReading]
    asked: list[int] = field(default_factory=list)

    def answer(self, pixels: Any) -> np.ndarray:
        self.asked.append(len(pixels))
        return np.stack([self._figures(int(crop[28, 20, 0])) for crop in pixels])

    def _figures(self, grey: int) -> np.ndarray:
        told = self.faces.get(grey)
        if told is None:
            return np.zeros(21, np.float32)
        return np.array([*told.kinds, *told.inks, told.over, told.present], np.float32)


def table(*spots: tuple[Candidate, int]) -> Pyramid:
    """A picture with grey squares there."""
    image = np.full((480, 640, 3), 120, np.uint8)
    for spot, grey in spots:
        cv2.fillConvexPoly(image, spot.quad.astype(np.int32), (grey,) * 3)
    return Pyramid(image)


def row(text: str) -> list[TileReading]:
    """Tiles side by side, with a gap where there is a dash."""
    return [each for each, told in zip(lying(text), text.split(), strict=True) if told != "K0"]


def test_tiles_lean_as_their_neighbours_do() -> None:
    """Where a tile may stand, and where one may be missing, slants as much."""
    sure = [replace(each.candidate, shear=0.4) for each in lying("K1 K2 K3 K4")]
    placement = placement_at(sure[0], sure[1:])
    assert placement is not None
    places = [
        *placement.fitted(sure[0]),
        *(way for ways in placement.adjacent(sure[0]) for way in ways),
    ]
    assert {each.shear for each in places} == {0.4}


def test_the_nearest_sure_tiles_tell_how_a_tile_stands() -> None:
    """Their mean turn and median size; none where they lie anyhow."""
    places = [each.candidate for each in lying("K1 K2 K3 K4")]
    askew = replace(places[0], angle=40.0)
    placement = placement_at(askew, places[1:])
    assert placement is not None
    assert (placement.width, placement.height) == (WIDTH, LENGTH)
    assert placement.turn == pytest.approx(0, abs=0.1)
    assert placement.off(askew) == pytest.approx(40)
    strewn = [
        replace(each, angle=angle) for each, angle in zip(places, (0, 90, 200, 300), strict=True)
    ]
    assert placement_at(askew, strewn) is None
    assert placement_at(askew, places[:1]) is None


def test_a_six_on_its_head_among_upright_tiles_is_no_nine() -> None:
    """It is read again the right way up, though the 9 was sure; a 9 that stands stays."""
    tiles = lying("K1 K2 K9 K4 K5")
    over = replace(tiles[2], candidate=tiles[2].candidate.turned_over())
    sure = {30: reading("K6")}
    fake = GreyReader(sure)
    network = fake.network
    picture = table((over.candidate, 30))
    told = stood_upright(network, picture, [*tiles[:2], over, *tiles[3:]])
    assert [each.label for each in told] == ["K1", "K2", "K6", "K4", "K5"]
    assert told[2].candidate.turn == pytest.approx(0, abs=0.1)
    assert stood_upright(network, picture, tiles) == tiles
    assert sum(fake.asked) == 2


def test_a_doubtful_tile_is_read_with_a_longer_foot() -> None:
    """Its top stays where it was; the new look counts only where it is surer."""
    tiles = lying("K1 K2 R8@60 K4 K5")
    short = replace(tiles[2].candidate, y=tiles[2].candidate.y - 12, height=LENGTH - 24, angle=12.0)
    tiles[2] = replace(tiles[2], candidate=short)
    surer = GreyReader({200: reading("R8")}).network
    told = stood_upright(surer, table((short, 200)), tiles)[2]
    assert told.likelihood > 0.98
    assert told.candidate.turn == pytest.approx(0, abs=0.1)
    unsure = GreyReader({200: reading("R8@40")}).network
    assert stood_upright(unsure, table((short, 200)), tiles) == tiles
    another = GreyReader({200: reading("R3@80")}).network
    assert stood_upright(another, table((short, 200)), tiles) == tiles


def test_another_face_that_was_likely_leaves_a_doubt() -> None:
    """Two looks that see different faces are no surer than both together."""
    better, other = reading("K4"), reading("K9@90")
    assert contested(better, other).likelihood < 0.6
    assert contested(better, replace(better, present=0.9)) == better
    assert contested(better, reading("K9@40")) == better


def test_a_tile_that_was_missed_in_a_row_is_found() -> None:
    """A gap, and the place after the last, are looked at; what is no tile there is none."""
    tiles = row("K1 K2 K0 K4 K5")
    gap = Candidate(0.9, 100 + 2 * WIDTH, 100, WIDTH, LENGTH, 0)
    network = GreyReader({200: reading("R8")}).network
    told = adjacent_tiles(network, table((gap, 200)), tiles, lambda each: each.present > 0.3)
    (found,) = told[4:]
    assert found.label == "R8"
    assert math.hypot(found.candidate.x - gap.x, found.candidate.y - gap.y) < 0.1 * WIDTH
    assert adjacent_tiles(network, BLANK, tiles, lambda _: True) == tiles


def test_a_heart_in_a_dish_is_no_tile_but_the_tile_before_another_is() -> None:
    """Small or turned within a tile; as large and as upright on the next step of a rack."""
    tiles = lying("K1 K2 K3 K4 K5 K6")
    under = replace(tiles[1].candidate, y=tiles[1].candidate.y + 0.3 * LENGTH)
    lying_4 = reading("K4@80", replace(under, width=30.0, height=40.0, angle=90.0))
    before = reading("K7@80", replace(under, y=under.y + 0.1 * LENGTH))
    assert of_one_box([*tiles, lying_4]) == tiles
    assert of_one_box([*tiles, before]) == [*tiles, before]


def test_what_has_not_the_size_of_tiles_there_is_none() -> None:
    """A playing card among them; nearer tiles may be larger, as the others are."""
    tiles = [
        reading("K7", Candidate(0.9, 60.0 * at, 90.0 * row, 40 + 4 * row, 56 + 6 * row, 0.0))
        for row in range(1, 5)
        for at in range(1, 5)
    ]
    card = reading("R11", Candidate(0.9, 330.0, 220.0, 100.0, 140.0, 0.0))
    assert of_one_box([*tiles, card]) == tiles
    assert of_one_box([*tiles[:2], card]) == [*tiles[:2], card]


def test_a_place_in_a_raised_view_is_one_in_the_photo() -> None:
    """A tile of the table, a rectangle from above, is the slanting one that the photo shows."""
    tile = Candidate(0.9, 420.0, 300.0, 40.0, 56.0, 0.0)
    view = overview_of(BLANK.image, [tile], turned(np.radians([30.0, 0.0, 0.0])))
    assert view is not None
    corners = cv2.perspectiveTransform(tile.quad[None].astype(np.float64), view.warp)[0]
    x, y = corners.mean(axis=0)
    (width, height), angle = np.ptp(corners, axis=0), 0.0
    placed = view.placed(Candidate(0.9, float(x), float(y), float(width), float(height), angle))
    assert (placed.x, placed.y) == pytest.approx((420, 300), abs=2)
    assert placed.height < 56
    ends = [replace(tile, y=470.0), replace(tile, y=10.0)]
    assert overview_of(BLANK.image, ends, turned(np.radians([75.0, 0.0, 0.0]))) is None


def seen_aside(degrees: float) -> list[TileReading]:
    """Two rows of tiles, the left of which a camera of 640 x 480 sees turned away."""
    turn, _ = cv2.Rodrigues(np.radians([0.0, degrees, 0.0]))
    lens = np.array([(512.0, 0, 320), (0, 512, 240), (0, 0, 1)])
    front = lens @ turn @ np.linalg.inv(lens)
    tiles = []
    for x, y in itertools.product(range(-3, 4), (-1, 1)):
        place = Candidate(0.9, 320 + 40.0 * x, 240 + 40.0 * y, 40.0, 56.0, 0.0)
        corners = cv2.perspectiveTransform(place.quad[None].astype(np.float64), front)[0]
        tiles.append(reading("K7@60", Candidate.of_corners(corners, 0.9)))
    return tiles


@pytest.mark.parametrize("degrees", [40.0, -30.0])
def test_rows_seen_from_aside_are_looked_at_from_the_front(degrees: float) -> None:
    """Then their tiles are as large at both ends, and stand straight."""
    tiles = seen_aside(degrees)
    turn = from_the_front((480, 640), tiles)
    assert turn is not None
    view = overview_of(BLANK.image, [each.candidate for each in tiles], turn)
    assert view is not None
    quads = [each.candidate.quad[None].astype(np.float64) for each in tiles]
    found = [
        Candidate.of_corners(cv2.perspectiveTransform(each, view.warp)[0], 1) for each in quads
    ]
    sizes = [each.width * each.height for each in found]
    assert max(sizes) < 1.15 * min(sizes)
    assert max(abs((each.turn + 180) % 360 - 180) for each in found) < 3
    assert max(abs(each.shear) for each in found) < 0.06


def test_level_few_and_strewn_tiles_are_not_looked_at_from_aside() -> None:
    """There is no row that runs away."""
    strewn = [
        replace(each, candidate=replace(each.candidate, angle=70.0 * at))
        for at, each in enumerate(seen_aside(40.0))
    ]
    for tiles in (lying("K1 K2 K3, K4 K5 K6"), seen_aside(40.0)[:2], strewn, []):
        assert from_the_front((480, 640), tiles) is None


def test_more_doubtful_tiles_are_not_less_legible() -> None:
    """Those that are found only where hearts are painted over speak for that."""
    few = lying("K1 K2 K3")
    assert legible([*few, reading("K4@30")]) == legible(few)
    assert legible([*few, reading("K4")]) > legible(few)


def test_a_sure_table_is_not_looked_at_again_and_a_doubtful_one_is() -> None:
    """What another view reads more surely stands, at its place in the photo."""
    seen = lying("K1 K2 K3@50 K4@50")
    views: list[Pyramid] = []

    def look(view: Pyramid) -> list[TileReading]:
        views.append(view)
        return []

    assert seen_from_above(look, BLANK.image, lying("K1 K2 K3 K4"), lambda _: True) is not None
    assert not views
    assert seen_from_above(look, BLANK.image, seen, lambda _: True) == seen
    assert views


def test_hearts_are_painted_over_and_numerals_stay() -> None:
    """A small blot below the number goes, a stroke as long as a numeral does not."""
    image = np.full((300, 300, 3), 230, np.uint8)
    tile = Candidate(0.9, 150.0, 140.0, 100.0, 140.0, 0.0)
    cv2.rectangle(image, (140, 85), (160, 145), (40, 40, 200), -1)
    bare_of_hearts = image.copy()
    cv2.circle(image, (150, 185), 12, (40, 40, 200), -1)
    painted, share = without_hearts(Pyramid(image), [tile])
    assert share == 1.0
    assert np.abs(painted.astype(int) - bare_of_hearts).max() < 10
    same, share = without_hearts(Pyramid(bare_of_hearts), [tile])
    assert share == 0.0
    assert np.array_equal(same, bare_of_hearts)


def test_a_stance_turns_the_way_along_with_the_tiles() -> None:
    """To the right of a tile that is turned by a quarter is below it."""
    middle = TilePlacement(90.0, 40.0, 56.0, 0.0).moved(
        Candidate(0.9, 10.0, 20.0, 40.0, 56.0, 90.0), 5, 0
    )
    assert (middle.real, middle.imag) == pytest.approx((10, 25))


NEAR = MIDDLE.scaled(1.5)


class CropReader(FakeNetwork):
    """Sees these faces in the crops of a tile, one after the other, over and over."""

    def __init__(self, *faces: TileReading) -> None:
        self.asked: list[int] = []
        self._faces = [[*e.kinds, *e.inks, e.over, e.present] for e in faces]

    def answer(self, pixels: Any) -> np.ndarray:
        self.asked.append(len(pixels))
        return np.array([self._faces[at % len(self._faces)] for at in range(len(pixels))])


def near(text: str, spot: Candidate = NEAR, present: float = 0.99) -> TileReading:
    """A tile seen from near that the reader takes for what is written."""
    return reading(text, spot, present)


def face_of(reader: CropReader, *tiles: TileReading) -> tuple[str, float]:
    """What the first tile is then read as, and how surely."""
    first, *_ = nudged(reader.network, BLANK, tiles, lambda _: True)
    return first.label, max(first.kinds[1:])


DOUBTED = near("K6@60")
HIDDEN = replace(near("K1"), present=0.05)

# why, what the crops show, what the tile is read as, how surely at least and at most, and crops
AGREED = [
    ("all agree", ["K8"], "K8", (0.95, 1.0), [18]),
    ("crops that fit weigh most", ["K8", "K3@40", "K5@40"], "K8", (0.9, 1.0), [18]),
    ("a lucky crop is no proof", ["K8", *["K3@90"] * 17], "K3", (0.6, 0.9), [18, 36]),
    ("they disagree", ["K8", "K3"], "K3", (0.4, 0.6), [18, 36]),
]


@pytest.mark.parametrize(
    ("why", "crops", "label", "surely", "asked"), AGREED, ids=lambda told: str(told)[:30]
)
def test_a_doubtful_tile_is_what_most_good_crops_show(
    why: str, crops: list[str], label: str, surely: tuple[float, float], asked: list[int]
) -> None:
    """Their agreement is the confidence; leaning crops are read only where straight ones differ."""
    reader = CropReader(*map(near, crops))
    found, chance = face_of(reader, DOUBTED)
    assert (found, reader.asked) == (label, asked), why
    assert surely[0] <= chance <= surely[1]


def test_where_no_crop_is_good_a_tile_stays_as_it_was_read() -> None:
    """Nothing is learnt from bad crops."""
    assert face_of(CropReader(HIDDEN), DOUBTED)[0] == "K6"


@pytest.mark.parametrize("tile", [near("K6"), reading("K6@60")], ids=["sure", "far"])
def test_sure_and_far_tiles_are_not_read_again(tile: TileReading) -> None:
    """A clean table costs nothing, and a small tile shows too little."""
    reader = CropReader(near("K8"))
    assert face_of(reader, tile)[0] == "K6"
    assert not reader.asked


OVER = replace(near("K6"), over=0.95)  # a large 9 passes for a 6 on its head


@pytest.mark.parametrize(("neighbours", "label"), [("K1 K2 K3", "K9"), ("", "K6")])
def test_neighbours_tell_which_end_is_up(neighbours: str, label: str) -> None:
    """Among upright tiles shape alone tells 6 from 9; a tile alone stays what it was."""
    tile = near("K6@60", replace(NEAR, y=NEAR.y - 40))
    assert face_of(CropReader(OVER), tile, *lying(neighbours))[0] == label
