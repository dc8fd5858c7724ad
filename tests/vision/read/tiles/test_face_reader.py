"""A tile is read_tiles with its top up, whichever end the finder took for it."""

from __future__ import annotations

import pytest

from scoreboard.games.rummikub.tiles import JOKER, Tile
from tests.vision.read.tiles.fakes import FakeReader
from tests.vision.read.tiles.test_crops import table_with
from vision.capture.image_pyramid import Pyramid
from vision.read.detection import Candidate
from vision.read.tiles import KINDS, TileReading, read_tiles

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
