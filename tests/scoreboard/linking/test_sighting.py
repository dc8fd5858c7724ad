"""What a table shows of what its hub says."""

from __future__ import annotations

import pytest

from scoreboard.linking.sighting import said_by
from scoreboard.phrase import phrase
from scoreboard.wire.sentence import Sentence
from scoreboard.wire.word import Word

SAID = phrase("Game {game} is disputed: the referee settles it. Play on.", game=2)


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        (Word(1, 2, "Winter Open"), "None"),
        (Word(1, 2, "Winter Open", notice="Lunch"), "The hub says: Lunch"),
        (Word(1, 2, "Winter Open", notice="Lunch", said=Sentence.of(SAID)), str(SAID)),
    ],
)
def test_the_hubs_sentence_is_shown(word: Word, shown: str) -> None:
    """In parts where it told them, else in its own words."""
    assert str(said_by(word)) == shown
