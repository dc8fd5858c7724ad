"""The reader of taught sets."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.vision.learn.drawn_set import Lying, foreign, learned, photograph
from vision.capture.frame import Frame, Image
from vision.learn.taught_reader import TaughtRecogniser
from vision.learn.taught_sets import TaughtSet
from vision.read.observation import Observation

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def observed(image: Image, *, trusted: bool = True) -> Observation:
    """What the reader of the drawn deck says of a picture."""
    taught = TaughtSet("Drawn", learned(), trusted, NOON)
    return TaughtRecogniser(taught)(Frame(7, NOON, image))


def test_pieces_are_told_in_reading_order_with_corners_and_turn() -> None:
    """Each has its face, its turn clockwise, and its corners from the top left of its own top."""
    laid = (Lying("R4", 120, 150, 0), Lying("B1", 330, 150, 90), Lying("G7", 330, 330, 270))
    seen = observed(photograph(laid, 2))
    assert (seen.frame, seen.recogniser) == (7, "taught:Drawn")
    assert seen.labels == ("R4", "B1", "G7")
    assert seen.doubts == ()
    for one, detection in zip(laid, seen.detections, strict=True):
        assert detection.angle % 360 == pytest.approx(one.turn, abs=2) or detection.angle > 358
        assert detection.quad[0] == pytest.approx(tuple(one.quad()[0]), abs=4)
        assert detection.confidence > 0.9
        assert detection.readings[0] == (detection.label, detection.confidence)


def test_an_empty_table_is_an_empty_observation() -> None:
    """No pieces, no doubts, no error; not even from a set that is not trusted."""
    seen = observed(photograph((), 1), trusted=False)
    assert seen.detections == ()
    assert not seen.needs_review


def test_an_unknown_card_is_refused_in_a_sentence() -> None:
    """Its label is a question mark, and the player is told of which set it is not."""
    seen = observed(foreign())
    assert seen.labels == ("?",)
    assert seen.detections[0].confidence == 0
    assert [str(doubt) for doubt in seen.doubts] == ["A piece is not of the set “Drawn”."]


def test_a_set_that_is_not_trusted_always_asks() -> None:
    """Right as the reading may be, a person looks at it."""
    seen = observed(photograph((Lying("R4", 120, 150),), 2), trusted=False)
    assert seen.labels == ("R4",)
    assert str(seen.doubts[0]) == "The set “Drawn” has not passed its test: check every piece."


def test_the_same_picture_gives_the_same_observation() -> None:
    """As every recogniser promises."""
    image = photograph((Lying("R4", 120, 150), Lying("B4", 400, 250, 40)), 2)
    assert observed(image) == observed(image)
