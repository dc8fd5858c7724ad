"""What items tell: bodies come back as they went, and a newer table's are passed over."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from scoreboard.games import GAMES
from scoreboard.games.engine.transcript import (
    UNKNOWN,
    GameHeader,
    RecordedEvent,
    Retraction,
    TranscriptError,
)
from scoreboard.tournament.protocol.documents import WireError
from scoreboard.tournament.protocol.items import (
    EventItem,
    Opened,
    SignedBy,
    Unknown,
    body_of,
    item_of,
)
from tests.scoreboard.tournament.protocol.messages import AT, contents

KINDS = GAMES["yahtzee"].kinds


@given(contents)
def test_every_body_comes_back(one: Any) -> None:
    """What an item tells is what its body says, through JSON."""
    assert item_of(json.loads(json.dumps(body_of(one)))) == one


def test_a_recorded_event_comes_back_by_its_rulebook() -> None:
    """The table's record is the hub's record."""
    record = RecordedEvent("g", 4, AT, "button", 3, Retraction(2))
    assert EventItem.of(record, KINDS).record("g", KINDS) == record


def test_who_confirmed_an_event_stays_at_its_table() -> None:
    """The hub's protocol and its signed record know no devices."""
    record = RecordedEvent("g", 4, AT, "page", 3, Retraction(2), "phone-1")
    item = EventItem.of(record, KINDS)
    assert "phone-1" not in json.dumps(body_of(item))
    assert item.record("g", KINDS) == replace(record, confirmed_by=UNKNOWN)


def test_an_event_of_another_rulebook_is_refused() -> None:
    """An event that the rulebook does not know cannot be read."""
    with pytest.raises(TranscriptError, match="No event"):
        EventItem(1, AT, "page", 1, {"kind": "sneezed"}).record("g", KINDS)


def test_an_opening_gives_the_header() -> None:
    """The hub's header of a game is the table's."""
    opened = Opened("yahtzee", ("Anna", "Ben"), AT, 1, 5, 2, (7, 3), {"a": "b"})
    header = GameHeader("g", "yahtzee", ("Anna", "Ben"), AT, {"a": "b"})
    assert opened.header("g") == header


def test_every_player_of_an_opening_is_an_entrant() -> None:
    """Two players and one number do not fit."""
    body = {**body_of(Opened("yahtzee", ("Anna",), AT, 1, 5, 2, (7,))), "entrants": [7, 3]}
    with pytest.raises(WireError, match="an entrant for every player"):
        item_of(body)


def test_a_kind_of_a_newer_table_is_passed_over() -> None:
    """An unknown kind is no fault; whatever else it says is not looked at."""
    assert item_of({"kind": "applauded", "entrant": "who?"}) == Unknown("applauded")


@pytest.mark.parametrize("body", [{}, {"kind": 3}, {"kind": "signed"}, {"kind": "disputed"}])
def test_a_body_without_its_members_is_refused(body: dict[str, Any]) -> None:
    """No kind, or a known kind without what it needs, is no item of the protocol."""
    with pytest.raises(WireError):
        item_of(body)


def test_a_signature_is_short() -> None:
    """As it stands in the reference."""
    assert body_of(SignedBy(7)) == {"kind": "signed", "entrant": 7}
