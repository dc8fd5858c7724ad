"""What single tiles show: faces, either end up, and inks compared with those of others."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from scoreboard.games.rummikub.tiles import COLOURS, JOKER, Tile
from tests.vision.read.fake_networks import FakeReader, table_with
from tests.vision.read.tile_readings import INKS, reading
from vision.capture.frame import Pyramid
from vision.read.detection import TILE_HEIGHT, TILE_WIDTH, Candidate
from vision.read.tile_readings import KINDS, Ink, TileReading, compared, inks_of, read_tiles

LYING = Candidate(1.0, 240.0, 190.0, 70.0, 100.0, 130.0)


def test_an_upright_tile_is_read_once() -> None:
    """What it shows, how sure that is, and which end is up."""
    reader = FakeReader()
    (reading,) = read_tiles(reader.network, Pyramid(table_with(LYING)), [LYING])
    assert reading.piece == Tile("R", 7)
    assert reading.likelihood == pytest.approx(0.72)
    assert reading.candidate == LYING
    assert len(reader.crops) == 1


def test_a_tile_upside_down_is_turned_over_and_read_again() -> None:
    """A 6 is a 9 from the other end: only the upright reading counts."""
    reader = FakeReader()
    picture = Pyramid(table_with(LYING))
    (reading,) = read_tiles(reader.network, picture, [LYING.turned_over()])
    assert reading.piece == Tile("R", 7)
    assert reading.candidate.angle == pytest.approx(LYING.angle)
    assert len(reader.crops) == 2


def test_a_joker_has_no_colour() -> None:
    """However sure the reader is of an ink."""
    kinds = (0.0,) * (KINDS - 1) + (0.9,)
    joker = TileReading(LYING, kinds, (0.1, 0.6, 0.2, 0.1), 0.0, 1.0, (-1.5, -1.5, -0.3))
    assert joker.piece == JOKER
    assert joker.likelihood == 0.9


def test_nothing_is_read_where_nothing_was_found() -> None:
    """An empty table."""
    assert read_tiles(FakeReader().network, Pyramid(table_with(LYING)), []) == []


@pytest.mark.parametrize("light", [1.0, 0.5])
def test_the_ink_is_reported_by_its_own_face(light: float) -> None:
    """The same in half the light: only their ratio counts."""
    crop = np.full((TILE_HEIGHT, TILE_WIDTH, 3), 220, np.uint8)
    cv2.putText(crop, "7", (10, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (40, 30, 180), 3)
    ((blue, green, red),) = inks_of((crop[None] * light).astype(np.uint8))
    assert (blue, green, red) == pytest.approx(np.log(np.array([40, 30, 180]) / 220), abs=0.15)


EVEN = 0.25
WARM: Ink = (-0.4, -0.1, 0.05)  # lamplight takes blue from every ink alike


def tile(colour: str, sure: float = 0.97, light: Ink = (0.0, 0.0, 0.0)) -> TileReading:
    """A seven in that colour, in whose colour the reader trusts so much."""
    place = COLOURS.index(colour)
    inks = tuple(sure if at == place else (1 - sure) / 3 for at in range(4))
    blue, green, red = (ink + shade for ink, shade in zip(INKS[place], light, strict=True))
    return replace(reading("K7"), inks=inks, ink=(blue, green, red))


def colour_of(told: TileReading) -> str:
    """Which colour is likeliest."""
    return COLOURS[told.inks.index(max(told.inks))]


def test_a_doubtful_ink_is_reported_by_its_likeness_to_the_others() -> None:
    """The reader cannot tell; the picture's other tiles can, in any light."""
    for colour in COLOURS:
        for light in ((0.0, 0.0, 0.0), WARM):
            others = [tile(each, light=light) for each in COLOURS * 3]
            unsure = replace(tile(colour, light=light), inks=(EVEN,) * 4)
            told = compared([*others, unsure])
            assert colour_of(told[-1]) == colour
            assert max(told[-1].inks) > 0.5
            assert [colour_of(each) for each in told[:-1]] == [*COLOURS * 3]


def test_a_sure_colour_is_not_overruled_by_pixels() -> None:
    """What the reader is sure of stays, even where the ink looks like another's."""
    others = [tile(each) for each in COLOURS * 3]
    odd = replace(tile("R", sure=0.9999), ink=INKS[COLOURS.index("O")])
    assert colour_of(compared([*others, odd])[-1]) == "R"


def wood(colour: str, read_as: str, sure: float) -> TileReading:
    """A seven on brown wood, under which red and orange are near to each other."""
    hue = {"R": (-0.9, -1.0, -0.3), "O": (-0.7, -0.6, -0.25)}[colour]
    return replace(tile(read_as, sure), ink=hue)


def test_two_groups_of_hues_part_red_from_orange() -> None:
    """Orange ones that the reader takes for red, not quite surely, are told by their hue."""
    readings = [wood("R", "R", 0.999)] * 4 + [wood("O", "R", 0.97)] * 3 + [wood("O", "O", 0.97)]
    told = compared(readings)
    assert [colour_of(each) for each in told] == [*"RRRROOOO"]
    assert max(told[5].inks) <= 0.91
    surely = [wood("R", "R", 0.999)] * 4 + [wood("O", "R", 0.9999)] * 4
    assert [colour_of(each) for each in compared(surely)] == [*"RRRRRRRR"]


def test_inks_of_a_set_of_its_own_are_told_by_what_was_taught() -> None:
    """Green in place of red: the reader takes it for black, and most sets' inks are no help."""
    green = (-1.15, -0.45, -1.2)
    readings = [replace(tile("K"), inks=(0.52, 0.48, 0.0, 0.0), ink=green) for _ in range(6)]
    assert {colour_of(each) for each in compared(readings)} == {"K"}
    own = np.array([INKS[0], green, *INKS[2:]])
    assert {colour_of(each) for each in compared(readings, own)} == {"R"}


def test_glare_does_not_make_a_red_tile_orange() -> None:
    """It thins the ink: green comes nearer to red, but so does blue."""
    sure = [tile("R", 0.999)] * 4 + [tile("O", 0.999)] * 4
    glared = replace(tile("R", 0.98), ink=(-0.42, -0.45, -0.08))
    assert colour_of(compared([*sure, glared])[-1]) == "R"


def test_one_colour_is_not_parted() -> None:
    """Red tiles alone, a little darker and lighter, stay red."""
    readings = [replace(tile("R", 0.9), ink=(-1.2, -1.0 - shade / 25, -0.2)) for shade in range(8)]
    assert {colour_of(each) for each in compared(readings)} == {"R"}


def test_too_few_tiles_tell_nothing_about_each_other() -> None:
    """On a picture of four tiles each is judged alone."""
    few = [tile(each, sure=0.6) for each in COLOURS]
    assert compared(few) == few


def test_jokers_and_blanks_keep_their_word() -> None:
    """They neither count nor change."""
    others = [tile(each) for each in COLOURS * 2]
    joker = reading("J")
    assert compared([*others, joker])[-1] == joker
