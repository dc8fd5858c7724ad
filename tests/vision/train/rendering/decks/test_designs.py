"""The made-up designs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from scoreboard.games.tongtong.cards import CARD_COLOURS, deck
from vision.train.rendering.decks.designs import ALL_DESIGNS, WIDTH, Design


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
