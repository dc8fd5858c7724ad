"""The reader of taught sets."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from tests.vision.learn.drawn_set import WIDE, Lying, foreign, learned, photograph
from vision.capture.frame import Frame, Image, PlayArea, Pyramid
from vision.learn.piece_finder import FoundPiece
from vision.learn.prototypes import Likeness
from vision.learn.quads import Format, overlap
from vision.learn.taught_reader import TaughtRecogniser, aligned, distances_together, read_found
from vision.learn.taught_sets import TaughtSet
from vision.read.observation import Observation

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def observed(image: Image, *, trusted: bool = True, area: PlayArea | None = None) -> Observation:
    """What the reader of the drawn deck says of a picture."""
    taught = TaughtSet("Drawn", learned(), trusted, NOON)
    return TaughtRecogniser(taught)(Frame(7, NOON, image, area=area))


def test_pieces_are_reported_in_reading_order_with_corners_and_turn() -> None:
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


def test_a_piece_outside_of_the_play_area_is_left_out() -> None:
    """A stranger there is nobody's question."""
    laid = (Lying("R4", 120, 150), Lying("B1", 330, 150))
    photo = photograph(laid, 2)
    right = 220 / photo.shape[1]
    seen = observed(photo, area=PlayArea(((0.0, 0.0), (right, 0.0), (right, 1.0), (0.0, 1.0))))
    assert seen.labels == ("R4",)
    assert seen.doubts == ()


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


ONE = Lying("B4", 320, 240, 20)


@pytest.mark.parametrize("corners", [[0, 3], [1], [0, 1, 2, 3]])
def test_an_outline_that_is_too_small_grows_to_the_piece(corners: list[int]) -> None:
    """A side, a corner or all of it was lost in the table."""
    whole = ONE.quad()
    middle = whole.mean(axis=0)
    found = whole.copy()
    found[corners] += 0.12 * WIDE * np.sign(middle - whole[corners])
    better = aligned(Pyramid(photograph((ONE,), 1)), found, learned())
    assert overlap(better, whole) > max(overlap(found, whole), 0.92)


def test_a_piece_whose_outline_was_sought_is_reported_with_a_doubt() -> None:
    """Half a piece looks like a stranger; its face is told all the same, and asked about."""
    whole = ONE.quad()
    found = whole.copy()
    found[[0, 3]] += 0.25 * (whole[[1, 2]] - whole[[0, 3]])
    (read,) = read_found(photograph((ONE,), 1), [FoundPiece(found, 1.0)], learned())
    assert overlap(read.quad, whole) > overlap(found, whole)
    assert read.verdict.face == "B4"
    assert not read.verdict.sure


SIDE, LIGHT = np.eye(2, dtype=np.float32)


def line() -> Likeness:
    """Four faces in a row, three steps apart, along the way that light drifts."""
    places = np.array([[0, 0], [0, 3], [20, 0], [20, 3]], np.float32)
    shared = np.array([0, 9], np.float32)
    return Likeness(
        ("R1", "Y1", "R2", "Y2"),
        Format(20, 60),
        np.zeros(2, np.float32),
        np.eye(2, dtype=np.float32),
        places,
        shared,
        usual=1.0,
    )


def told(figures: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> list[str]:
    """The nearest faces, the photograph's pieces judged together."""
    likeness = line()
    return [likeness.faces[at] for at in distances_together(figures, likeness).argmin(axis=1)]


def test_others_tell_what_the_light_does() -> None:
    """A red one under a light that makes it nearly yellow, beside three that say how yellow."""
    faces = np.array([[0, 0], [0, 3], [20, 3], [20, 3]], np.float32)
    drifted = faces + np.float32(1.7) * LIGHT - np.array([[0, 0], [0, 0], [0, 0], [0, 1]])
    lone = line().distances(drifted.astype(np.float32)).argmin(axis=1)
    assert line().faces[int(lone[0])] == "Y1"
    assert told(drifted.astype(np.float32)) == ["R1", "Y1", "Y2", "Y2"]


def test_a_lone_piece_is_judged_as_ever() -> None:
    """Nothing is known of its light."""
    figures = np.array([[0.3, 1.4]], np.float32)
    np.testing.assert_allclose(
        distances_together(figures, line()), line().distances(figures), rtol=1e-6
    )
