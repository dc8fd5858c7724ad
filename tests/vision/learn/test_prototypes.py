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
from vision.capture.image_pyramid import Pyramid
from vision.learn.prototypes import learn, upright
from vision.learn.quads import overlap
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
