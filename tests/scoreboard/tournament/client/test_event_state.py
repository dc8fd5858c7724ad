"""What a table shows of what its hub says."""

from __future__ import annotations

import pytest

from scoreboard.message import message
from scoreboard.tournament.client.event_state import notice_of
from scoreboard.tournament.protocol.hub_update import HubUpdate, LocalizedText

SAID = message("Game {game} is disputed: the referee settles it. Play on.", game=2)


@pytest.mark.parametrize(
    ("update", "shown"),
    [
        (HubUpdate(1, 2, "Winter Open"), "None"),
        (HubUpdate(1, 2, "Winter Open", notice="Lunch"), "The hub says: Lunch"),
        (HubUpdate(1, 2, "Winter Open", notice="Lunch", said=LocalizedText.of(SAID)), str(SAID)),
    ],
)
def test_the_hubs_sentence_is_shown(update: HubUpdate, shown: str) -> None:
    """In parts where it told them, else in its own words."""
    assert str(notice_of(update)) == shown
