"""Which photographs were read worst, and what is said of them."""

from __future__ import annotations

from tests.vision.train.scores import photo_score
from vision.evaluate.scoring import ScoredSource
from vision.train.report import worst_photos


def test_what_went_wrong_is_told_in_words() -> None:
    """Misread, unread and missed dice, and dice where none lie; the same ones are counted."""
    pairs = [(5, "3"), (5, "3"), (2, "?"), (4, None), (None, "6"), (None, "?"), (1, "1")]
    (bad,) = worst_photos([ScoredSource("north", (photo_score("a.jpg", pairs),))], 10)
    assert bad.mistakes == 6
    assert str(bad) == "said 3 for 5 (2 times), said ? for 2, missed 4, false 6, false piece"


def test_most_mistakes_come_first_and_silent_ones_before_doubted() -> None:
    """Exact photographs are none of them, and no more are given than wanted."""
    photos = (
        photo_score("exact.jpg", [(1, "1")]),
        photo_score("doubted.jpg", [(1, "2")], doubted=True),
        photo_score("silent.jpg", [(1, "2")]),
        photo_score("two.jpg", [(1, "2"), (3, None)], doubted=True),
    )
    scored = [ScoredSource("north", photos[:2]), ScoredSource("south", photos[2:])]
    assert [each.score.file for each in worst_photos(scored, 10)] == [
        "two.jpg",
        "silent.jpg",
        "doubted.jpg",
    ]
    assert [each.source for each in worst_photos(scored, 1)] == ["south"]
