"""A second look at doubtful tiles tells place and turn anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.read.test_crops import table_with
from tests.vision.read.tile_fakes import FakeFinder, FakeReader, OutlineFinder
from tests.vision.read.tile_readings import reading
from vision.capture.image_pyramid import Pyramid
from vision.read.detection import Candidate
from vision.read.tile_readings import read_tiles
from vision.read.tiles import aimed, reconsidered


def tile(angle: float, length: float = 100.0) -> Candidate:
    """Where it really lies."""
    return Candidate(0.9, 240.0, 190.0, 0.7 * length, length, angle)


def test_turn_place_and_size_are_reported_anew() -> None:
    """From a look that was off in all of them; the same end stays up."""
    for angle in (3.0, 40.0, 95.0, 181.0, 300.0):
        for length in (60.0, 180.0):
            true = tile(angle, length)
            off = replace(true, x=true.x + 5, y=true.y - 4, angle=angle + 18, height=1.1 * length)
            (told,) = aimed(OutlineFinder().network, Pyramid(table_with(true)), [off])
            assert (told.turn - angle + 180) % 360 - 180 == pytest.approx(0, abs=2.5)
            assert (told.x, told.y) == pytest.approx((true.x, true.y), abs=max(2, 0.03 * length))
            assert (told.width, told.height) == pytest.approx((true.width, true.height), rel=0.08)
            assert told.score == off.score


def test_what_lies_beside_is_another_tile() -> None:
    """A place where the second look sees nothing stays as it was."""
    beside = replace(tile(0), x=240.0 + 80)
    assert aimed(OutlineFinder().network, Pyramid(table_with(tile(0))), [beside]) == [beside]
    empty = Pyramid(np.full((400, 500, 3), 40, np.uint8))
    assert aimed(FakeFinder((), 500).network, empty, [beside]) == [beside]
    assert aimed(FakeFinder((), 500).network, empty, []) == []


def test_the_likelier_reading_counts() -> None:
    """Seen askew it is a black 5 to the fake reader; aimed anew it is the red 7 that it is."""
    true, picture = tile(40.0), Pyramid(table_with(tile(40.0)))
    reader = FakeReader(sure_of_7=0.95)
    first = read_tiles(reader.network, picture, [replace(true, angle=75.0)])
    assert [str(each.piece) for each in first] == ["K5"]
    (told,) = reconsidered(OutlineFinder().network, reader.network, picture, first)
    assert str(told.piece) == "R7"
    assert told.candidate.angle == pytest.approx(40, abs=2.5)


def test_sure_readings_cost_nothing_more() -> None:
    """Only what is doubtful is looked at again."""
    picture, reader = Pyramid(table_with(tile(40.0))), FakeReader()
    (first,) = read_tiles(reader.network, picture, [tile(40.0)])
    sure = replace(first, kinds=(0.0,) * 7 + (1.0,) + (0.0,) * 7, inks=(0.0, 1.0, 0.0, 0.0))
    finder = FakeFinder((), 500)
    assert reconsidered(finder.network, reader.network, picture, [sure]) == [sure]
    assert finder.looks == []


def test_two_places_of_one_tile_are_one() -> None:
    """The second look brings both to the same tile; the likelier reading stays."""
    true, picture = tile(40.0), Pyramid(table_with(tile(40.0)))
    reader = FakeReader(sure_of_7=0.95)
    twice = [replace(true, angle=75.0), replace(true, x=true.x + 15, y=true.y + 10, angle=10.0)]
    first = read_tiles(reader.network, picture, twice)
    (told,) = reconsidered(OutlineFinder().network, reader.network, picture, first)
    assert str(told.piece) == "R7"


def test_what_lies_half_under_another_is_none() -> None:
    """A rack's lower row hides the feet of the upper; what is hidden more is no tile of its own."""
    picture, finder = Pyramid(table_with(tile(40.0))), FakeFinder((), 500).network
    spots = [tile(0.0), replace(tile(0.0), y=190.0 + 40), replace(tile(0.0), x=240.0 + 62)]
    sure, half_under, beside = (
        replace(reading("R7", spot), present=present)
        for spot, present in zip(spots, (0.99, 0.9, 0.95), strict=True)
    )
    told = reconsidered(finder, FakeReader().network, picture, [half_under, sure, beside])
    assert told == [sure, beside]
