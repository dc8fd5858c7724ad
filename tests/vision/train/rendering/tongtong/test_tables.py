"""Where the cards of the match lie, and what the camera sees of them."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from vision.learn.quads import overlap
from vision.train.rendering.tongtong import BUNTING, HASTY, LENS, ShownCards, tables, the_match

MARGIN = 25.0


@pytest.fixture(scope="module")
def shown() -> dict[str, ShownCards]:
    """Every table by its step."""
    return {each.step: each for each in tables(the_match())}


def test_a_table_for_every_act_that_a_camera_sees(shown: dict[str, ShownCards]) -> None:
    """63 cards in three games, of which two fall together twice, and nine players' piles."""
    plays = sorted(step for step in shown if step.startswith("play"))
    assert (len(plays), len(shown)) == (61, 70)
    assert (plays[0], plays[-1]) == ("play-02", "play-68")
    assert not {"play-10", "play-56"} & set(shown)


def test_the_trick_grows_card_by_card(shown: dict[str, ShownCards]) -> None:
    """Each table shows what was there, and what is fresh last; a card stays where it fell."""
    first = [shown[f"play-{act:02}"] for act in (2, 3, 4)]
    for before, after in pairwise(first):
        assert after.laid[: len(before.laid)] == before.laid
    for step, each in shown.items():
        if step.startswith("play"):
            last = each.laid[-len(each.fresh) :]
            assert [one.face for one in last] == list(map(str, each.fresh)), step


def test_piles_show_every_card_once(shown: dict[str, ShownCards]) -> None:
    """The tops, and beside them the 6s."""
    for step, each in shown.items():
        if step.startswith("piles"):
            assert sorted(one.face for one in each.laid) == sorted(map(str, each.fresh)), step


def test_two_cards_fall_at_once(shown: dict[str, ShownCards]) -> None:
    """Nobody can see which was first: the page must ask."""
    games = the_match()
    for number, at in HASTY:
        act = number * 23 + 2 + at
        assert shown[f"play-{act:02}"].fresh == games[number].played[at : at + 2]


def test_no_card_touches_another(shown: dict[str, ShownCards]) -> None:
    """Seen from above there is table between all of them."""
    for each in shown.values():
        quads = [one.corners(BUNTING.length, 0.05).astype(np.float32) for one in each.laid]
        assert all(overlap(one, other) == 0 for one, other in combinations(quads, 2)), each.step


def test_every_card_is_within_the_picture(shown: dict[str, ShownCards]) -> None:
    """With a little of the table around it."""
    size = np.array([LENS.width, LENS.height])
    for each in shown.values():
        for one in each.laid:
            corners = one.corners(BUNTING.length)
            pixels = LENS.pixels(np.column_stack([corners, np.zeros(4)]))
            assert (pixels > MARGIN).all(), each.step
            assert (pixels < size - MARGIN).all(), each.step
