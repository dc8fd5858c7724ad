"""Four-cornered outlines."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.learn.drawn_set import Lying, photograph
from vision.capture.frame import Pyramid
from vision.learn.quads import (
    AREA,
    Format,
    Outline,
    Quad,
    covered,
    cut,
    fitted,
    in_reading_order,
    overlap,
    proportion,
    turned,
)


def outline(quad: Quad, rounded: int = 0) -> Outline:
    """The outline of a filled shape, its corners rounded by a soft edge."""
    mask: NDArray[np.uint8] = np.zeros((300, 300), np.uint8)
    cv2.fillConvexPoly(mask, quad.round().astype(np.int32), 255)
    if rounded:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (rounded, rounded))
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), np.uint8)
    (found,), _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(found, np.int32)


@pytest.mark.parametrize("turn", [0, 20, 65, 110])
def test_a_piece_is_fitted_to_a_pixel_however_it_lies(turn: float) -> None:
    """Each corner is the true one, though round corners were cut off."""
    quad = Lying("R1", 150, 150, turn).quad()
    found = fitted(outline(quad, rounded=15))
    assert found is not None
    near = np.linalg.norm(found[:, None] - quad[None], axis=2).min(axis=1)
    assert near.max() < 1.6


def test_corners_run_clockwise_from_the_top_left() -> None:
    """The first corner is the one nearest to the picture's top left."""
    found = fitted(outline(Lying("R1", 150, 150).quad()))
    assert found is not None
    assert np.abs(found - Lying("R1", 150, 150).quad()).max() < 1.6


def test_a_slanted_look_keeps_its_four_corners() -> None:
    """A piece seen aslant is no rectangle, and is fitted all the same."""
    quad = np.array([(90, 60), (200, 70), (230, 240), (60, 230)], np.float32)
    found = fitted(outline(quad))
    assert found is not None
    assert np.abs(found - quad).max() < 2


def test_what_covers_what() -> None:
    """A quad overlaps itself wholly, and covers a smaller one within it wholly."""
    large = np.array([(0, 0), (100, 0), (100, 100), (0, 100)], np.float32)
    small = large / np.float32(2)
    assert overlap(large, large) == pytest.approx(1)
    assert overlap(large, small) == pytest.approx(0.25)
    assert covered(large, small) == pytest.approx(1)
    assert proportion(Lying("R1", 0, 0, 30).quad()) == pytest.approx(3, abs=0.01)


def test_shapes_that_all_but_coincide_cover_each_other() -> None:
    """Two looks at one card, an edge of which they share but for rounding."""
    one = [(93.00001, 289.31354), (160.18002, 282.99612), (164.9114, 518.2036), (93, 525.7631)]
    other = [(93.00001, 289.4269), (160.08585, 283.031), (164.76845, 518.05597), (93, 525.4782)]
    quads = [np.array(each, np.float32) for each in (one, other)]
    quads[0][3, 0] = quads[1][3, 0] = np.float32(92.99999)
    assert overlap(*quads) > 0.99
    assert covered(*quads) > 0.99


def test_reading_order_goes_line_by_line_even_if_a_line_is_slanted() -> None:
    """A row that sinks to the right is one line still."""
    places = [(300, 150), (80, 100), (190, 125), (80, 320), (300, 370)]
    quads = [Lying("R1", x, y).quad() for x, y in places]
    assert in_reading_order(quads) == [1, 2, 0, 3, 4]


def test_all_formats_have_about_as_many_pixels() -> None:
    """A strip is as finely seen as a square."""
    for wanted in (1.0, 1.4, 3.0, 4.0):
        size = Format.of(wanted)
        assert 0.9 < size.width * size.height / AREA < 1.1
        assert abs(size.proportion - wanted) < 0.15


def test_a_strip_lies_two_ways_and_a_square_four() -> None:
    """What is nearly square may lie any way; of a strip the ends are all that is open."""
    strip = Lying("R1", 100, 200).quad()
    square = np.array([(0, 0), (50, 0), (50, 52), (0, 52)], np.float32)
    assert Format.of(3.0).turns(strip) == (0, 2)
    assert Format.of(3.0).turns(turned(strip, 1)) == (1, 3)
    assert Format.of(1.0).turns(square) == (0, 1, 2, 3)


def test_a_piece_is_cut_out_upright() -> None:
    """The bar at a face's top is at the top of its crop, however the piece lies."""
    one = Lying("R1", 300, 240, 70)
    (crop,) = cut(Pyramid(photograph((one,), 0)), [one.quad()], Format.of(3.0))
    dark = (crop.min(axis=2) < 120).mean(axis=1)
    assert dark[8:14].max() > 0.5
    assert dark[-14:-8].max() < 0.5


def test_no_quads_give_no_crops() -> None:
    """An empty table is cut into nothing."""
    size = Format.of(1.0)
    assert cut(Pyramid(photograph((), 0)), [], size).shape == (0, size.height, size.width, 3)
