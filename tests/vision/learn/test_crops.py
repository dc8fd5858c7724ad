"""Pieces laid flat."""

from __future__ import annotations

import numpy as np

from tests.vision.learn.drawn_set import Lying, photograph
from vision.capture.image_pyramid import Pyramid
from vision.learn.quads import AREA, Format, cut, turned


def test_all_formats_have_about_as_many_pixels() -> None:
    """A strip is as finely seen as a square."""
    for proportion in (1.0, 1.4, 3.0, 4.0):
        size = Format.of(proportion)
        assert 0.9 < size.width * size.height / AREA < 1.1
        assert abs(size.proportion - proportion) < 0.15


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
