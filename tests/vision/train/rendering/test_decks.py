"""The made-up designs, their pieces laid on a table, and the page of what was measured."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from scoreboard.games.tongtong.cards import CARD_COLOURS, deck
from vision.learn.quads import covered
from vision.learn.taught_reader import judge
from vision.train.rendering.decks.designs import ALL_DESIGNS, TUNING, WIDTH, Design
from vision.train.rendering.decks.measurement import Measured, Tally, page
from vision.train.rendering.decks.photo_session import Laid, in_rows, piece, scattered


@pytest.mark.parametrize("design", ALL_DESIGNS, ids=lambda design: design.name)
def test_no_two_faces_of_a_design_look_alike(design: Design) -> None:
    """Each face has paint of its own, of the design's size."""
    faces = {face: design.paint(face) for face in design.faces}
    sizes = {paint.shape for paint in faces.values()}
    assert sizes == {(round(WIDTH * design.length), WIDTH, 3)}
    small = {face: paint[::12, ::12].astype(int) for face, paint in faces.items()}
    for one, other in combinations(faces, 2):
        assert np.abs(small[one] - small[other]).mean() > 0.2, (one, other)


def test_the_decks_have_tong_tongs_cards() -> None:
    """Their faces are named in the cards' own notation."""
    cards = {str(card) for card in deck(CARD_COLOURS)}
    assert all(set(design.faces) == cards for design in ALL_DESIGNS if not design.is_die)


def test_three_decks_and_one_set_of_dice_were_never_tuned_on() -> None:
    """Most of what is measured had no say in how sets are read."""
    fresh = [design for design in ALL_DESIGNS if not design.tuned_on]
    assert sum(not design.is_die for design in fresh) >= 3
    assert any(design.is_die for design in fresh)


CARDS = TUNING[0]


def test_scattered_pieces_touch_none_other() -> None:
    """Seen from above, no piece covers any of another."""
    laid = scattered(np.random.default_rng(3), CARDS, CARDS.faces[:8], (5.6, 3.6))
    assert [one.face for one in laid] == list(CARDS.faces[:8])
    corners = [one.corners(CARDS.length)[::-1].astype(np.float32) for one in laid]
    assert all(covered(one, other) == 0 for one, other in combinations(corners, 2))


def test_a_table_that_is_too_small_is_told() -> None:
    """Rather than laying fewer."""
    with pytest.raises(RuntimeError, match="too small"):
        scattered(np.random.default_rng(3), CARDS, CARDS.faces[:8], (0.5, 0.5))


def test_a_row_runs_from_left_to_right_and_on_below() -> None:
    """In reading order, as the labels tell it."""
    laid = in_rows(np.random.default_rng(3), CARDS, CARDS.faces[:4], 2)
    assert laid[0].x < laid[1].x
    assert laid[2].y < laid[0].y - CARDS.length


def test_corners_begin_at_the_top_left_and_run_clockwise() -> None:
    """As the reader of taught sets tells them."""
    corners = Laid("R1", 1, 2, 0.0).corners(4.0)
    assert corners.tolist() == [[0.5, 4], [1.5, 4], [1.5, 0], [0.5, 0]]


@pytest.mark.parametrize("design", [ALL_DESIGNS[0], ALL_DESIGNS[-1]], ids=lambda one: one.name)
def test_a_piece_stands_on_the_table(design: Design) -> None:
    """From the table's plane up to its height, a die too."""
    thing = piece(design, Laid(design.faces[0], 0, 0, 0.3), 0.5)
    assert thing.mesh.points[:, 2].min() == pytest.approx(0, abs=1e-6)
    assert thing.mesh.points[:, 2].max() == pytest.approx(design.height, abs=1e-6)


FACES = ("R1", "B1")


def test_a_tally_counts_right_sure_silent_refused_and_missed() -> None:
    """A stranger is right to refuse, and never right to name."""
    tally = Tally()
    sure = judge(FACES, np.array([1, 9], np.float32))
    doubtful = judge(FACES, np.array([1, 1.1], np.float32))
    strange = judge(FACES, np.array([9, 30], np.float32))
    for face, verdict in (
        *(("R1", each) for each in (sure, doubtful, strange, None)),
        ("B1", sure),
        (None, sure),
        (None, strange),
    ):
        tally.add(face, verdict)
    assert tally == Tally(pieces=7, right=2, sure=1, silent=2, refused=2, missed=1)


def test_the_page_tells_tuned_sets_from_fresh_ones() -> None:
    """Shares are told to a tenth of a per cent; fewer photographs stand in a table of their own."""
    own = Tally(pieces=200, right=199, sure=190, refused=1)
    others = Tally(pieces=400, refused=398, missed=2)
    measured = [
        Measured("framed", 3, 0, own, others, Tally(pieces=25, refused=20, silent=5)),
        Measured("framed", 1, 0, own, Tally(), Tally()),
    ]
    text = page(["framed"], measured)
    assert "| framed (tuned on) | 3 | 200 | 99.5% | 95.0% | 0 | 1 | 0 | 0 |" in text
    assert "| framed | 400 | 100.0% | 0 | 25 | 80.0% |" in text
    assert text.index("## Fewer photographs") > text.index("## Strangers")
