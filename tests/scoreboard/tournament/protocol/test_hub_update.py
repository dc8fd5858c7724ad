"""Sentences for other devices: a phrase comes back as it went, a stranger's gaps are looked at."""

from __future__ import annotations

import pytest

from scoreboard.message import message
from scoreboard.tournament.protocol.documents import WireError, document_of, value_of
from scoreboard.tournament.protocol.hub_update import HubUpdate, LocalizedText

SAID = message("{table}: game {game} at {share}.", table=message("Table 3"), game=2, share=0.5)


def test_a_phrase_comes_back_as_it_went() -> None:
    """With the phrases in its gaps, whatever the way between has made of it."""
    document = document_of(LocalizedText.of(SAID))
    assert value_of(LocalizedText, document).message == SAID
    assert str(value_of(LocalizedText, document).message) == "Table 3: game 2 at 0.5."


def test_an_update_of_an_older_hub_is_read() -> None:
    """It knows of no messages, of no clock and of no life."""
    update = HubUpdate(4, 2, "Winter Open")
    document = document_of(update)
    del document["messages"], document["clock"], document["life"]
    assert value_of(HubUpdate, document) == update


@pytest.mark.parametrize(
    "template",
    [
        "",
        "game {game}",
        "{",
        "a } b",
        "{}",
        "{0}",
        "{a.__class__}",
        "{a[0]}",
        "{a:>999999999}",
        "{a!r}",
        "x" * 1001,
    ],
)
def test_what_is_more_than_a_gap_is_refused(template: str) -> None:
    """A hub that one does not know may not have a table build what it likes."""
    with pytest.raises(WireError):
        value_of(LocalizedText, {"template": template, "values": {"a": "b", "0": "c", "": "d"}})


@pytest.mark.parametrize("template", ["{a:{b}}", "{a:{a}}"])
def test_a_wish_within_a_gap_is_refused(template: str) -> None:
    """Its width would come from what fills another."""
    with pytest.raises(WireError):
        LocalizedText(template, {"a": "x", "b": 10**9})
