"""Faces learned from few photographs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.learn.drawn_set import (
    FACES,
    MIDDLE,
    Lying,
    foreign,
    learned,
    photograph,
    specimens,
)
from vision.capture.frame import Pyramid
from vision.learn.prototypes import Piece, agreeing, learn, upright, within_class_variance
from vision.learn.quads import Quad, overlap
from vision.learn.taught_reader import judge, read_pieces, read_quads

LAID = (
    Lying("R4", 110, 140, 100),
    Lying("B1", 320, 120, 280),
    Lying("G7", 520, 220, 15),
    Lying("B4", 200, 350, 250),
)


def test_pieces_are_read_under_another_light_on_another_table() -> None:
    """Every face is right and sure, and lies where it was laid, its top told from its foot."""
    read = read_pieces(photograph(LAID, 2), learned())
    assert len(read) == len(LAID)
    for one in LAID:
        best = max(read, key=lambda each: overlap(each.quad, one.quad()))
        assert best.verdict.face == one.face
        assert best.verdict.sure
        assert np.abs(best.quad - one.quad()).max() < 4


def test_a_card_of_another_deck_is_refused() -> None:
    """What looks like no face is strange, with no confidence at all."""
    read = read_quads(Pyramid(foreign()), learned(), [MIDDLE.quad()])
    assert read[0].verdict.strange
    assert read[0].verdict.confidence == 0
    assert not read[0].verdict.sure


def test_a_forgotten_face_is_not_taken_for_another_without_a_doubt() -> None:
    """A colour that was never taught is told from those that were."""
    one = Lying("G7", 320, 240)
    (read,) = read_quads(Pyramid(photograph((one,), 2)), learned().without("G7"), [one.quad()])
    assert not read.verdict.sure


def test_learning_is_repeatable() -> None:
    """The same photographs always teach the same."""
    first, second = learn(specimens((0,))), learn(specimens((0,)))
    assert np.array_equal(first.prototypes, second.prototypes)


def test_one_face_is_no_set() -> None:
    """There would be nothing to tell apart."""
    with pytest.raises(ValueError, match="at least two faces"):
        learn(specimens()[:1])


def test_specimens_of_a_face_are_turned_the_same_way_up() -> None:
    """The second photograph of a face may lie upside down."""
    one = Lying("R4", 320, 240, 178)
    first = specimens((0,))[FACES.index("R4")]
    other = type(first)("R4", Pyramid(photograph((one,), 1)), one.quad()[[2, 3, 0, 1]], one.quad())
    _, straight = upright([first, other], learned().size)
    bar = straight.quad[:2].mean(axis=0)
    assert np.linalg.norm(bar - one.quad()[:2].mean(axis=0)) < 1


@pytest.mark.parametrize(
    ("distances", "sure", "divided", "faint", "strange"),
    [
        ((1.0, 3.0), True, False, False, False),
        ((1.0, 1.1), False, True, False, False),
        ((4.5, 9.0), False, False, True, False),
        ((8.0, 30.0), False, False, False, True),
    ],
)
def test_what_is_doubted(
    distances: tuple[float, ...], *, sure: bool, divided: bool, faint: bool, strange: bool
) -> None:
    """Near to one face alone is sure; two as near, a far one and a stranger are not."""
    verdict = judge(("R1", "R4"), np.array(distances, np.float32))
    assert (verdict.face, verdict.rival) == ("R1", "R4")
    assert (verdict.sure, verdict.divided) == (sure, divided)
    assert (verdict.faint, verdict.strange) == (faint, strange)


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


PHOTOGRAPHS = np.repeat(np.arange(300), 8)


def test_a_shared_drift_is_reported_from_what_is_a_pieces_own() -> None:
    """Own scatter becomes 1 in every direction; one direction alone is shared, nine times it."""
    random = np.random.default_rng(1)
    own = random.normal(0, [1.0, 2.0, 0.5], (len(PHOTOGRAPHS), 3))
    drift = random.normal(0, 6.0, 300)[PHOTOGRAPHS]
    astray = own + np.stack([np.zeros_like(drift), drift, np.zeros_like(drift)], axis=1)
    whitening, shared = within_class_variance(astray, PHOTOGRAPHS)
    np.testing.assert_allclose((own @ whitening).var(axis=0), 1, atol=0.3)
    assert shared[:2].max() < 0.1
    assert 7 < shared[2] < 11


def test_without_any_drift_nothing_is_shared() -> None:
    """What the means of few pieces owe to chance is no drift."""
    astray = np.random.default_rng(2).normal(size=(len(PHOTOGRAPHS), 3))
    assert within_class_variance(astray, PHOTOGRAPHS)[1].max() < 0.1
