"""Outlines of one face that are brought to agree."""

from __future__ import annotations

import numpy as np

from tests.vision.learn.drawn_set import Lying, learned, photograph
from vision.capture.image_pyramid import Pyramid
from vision.learn.prototypes import Piece, agreeing
from vision.learn.quads import Quad, overlap

ONE = Lying("B4", 320, 240, 20)


def with_table() -> Quad:
    """The outline with a strip of the table beside it, as wide as a shadow."""
    whole = ONE.quad()
    grown = whole.copy()
    grown[[1, 2]] += 0.2 * (whole[[1, 2]] - whole[[0, 3]])
    return np.asarray(grown, np.float32)


def pieces(*quads: Quad) -> list[Piece]:
    """The same piece in several scenes, each with the outline that it was found with."""
    return [("B4", Pyramid(photograph((ONE,), at)), quad) for at, quad in enumerate(quads)]


def test_an_outline_that_took_a_shadow_in_is_brought_to_what_the_others_show() -> None:
    """Two of three are right, and stay so."""
    whole = ONE.quad()
    agreed = agreeing(pieces(with_table(), whole, whole), learned().size)
    assert overlap(agreed[0], whole) > max(overlap(with_table(), whole), 0.92)
    assert min(overlap(each, whole) for each in agreed[1:]) > 0.9


def test_a_face_that_was_photographed_once_stays_where_it_was_found() -> None:
    """Nothing tells whether its outline is right, least of all another face."""
    other = ("R1", Pyramid(photograph((Lying("R1", 320, 240, 20),), 1)), ONE.quad())
    agreed = agreeing([*pieces(with_table()), other], learned().size)
    np.testing.assert_array_equal(agreed[0], with_table())
