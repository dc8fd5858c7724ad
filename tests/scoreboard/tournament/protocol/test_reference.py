"""The page on the protocol says what the code says."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest

from scoreboard.games import GAMES
from scoreboard.tournament.protocol.documents import document_of, value_of
from scoreboard.tournament.protocol.hub_update import (
    Challenge,
    Greeting,
    HubUpdate,
    Joined,
    JoinRequest,
    Proof,
    Refused,
    proof_of,
)
from scoreboard.tournament.protocol.items import (
    KINDS,
    Delivery,
    EventItem,
    PhotoReceipt,
    Receipt,
    body_of,
    item_of,
)

PAGE: Final = (Path(__file__).parents[4] / "docs" / "reference" / "hub-protocol.md").read_text(
    encoding="utf-8"
)
EXAMPLES: Final = re.findall(r"<!-- (\w+) -->\n```json\n(.*?)```", PAGE, re.DOTALL)
MESSAGES: Final = {
    kind.__name__: kind
    for kind in (
        *(JoinRequest, Joined, Challenge, Proof, Greeting, Delivery, Receipt, PhotoReceipt),
        *(HubUpdate, Refused),
    )
}


def test_every_message_and_item_has_an_example() -> None:
    """None is missing, none is unknown, and no example stands there unread."""
    assert {name for name, _ in EXAMPLES} == MESSAGES.keys() | KINDS.keys()
    assert len(EXAMPLES) == PAGE.count("```json")


@pytest.mark.parametrize(("name", "text"), EXAMPLES)
def test_an_example_is_a_whole_message(name: str, text: str) -> None:
    """It is read, and names every member: written again it is the same."""
    document = json.loads(text)
    if name in MESSAGES:
        assert document_of(value_of(MESSAGES[name], document)) == document
    else:
        content: Any = item_of(document)
        assert type(content) is KINDS[name]
        assert body_of(content) == document


def test_the_proof_is_that_of_the_tables_token() -> None:
    """Of the token with which the page's table joins, at the address in its QR code."""
    joins, challenge, proof = (
        json.loads(next(text for name, text in EXAMPLES if name == wanted))
        for wanted in ("JoinRequest", "Challenge", "Proof")
    )
    known = sha256(joins["token"].encode()).hexdigest()
    assert proof["proofs"] == [proof_of(known, challenge["nonce"], "10.0.0.7:8100")]


def test_the_items_of_the_delivery_are_a_game() -> None:
    """Its bodies are read too, its event by the rulebook that it names."""
    text = next(text for name, text in EXAMPLES if name == "Delivery")
    opened, happened = (item_of(item.body) for item in value_of(Delivery, json.loads(text)).items)
    assert isinstance(happened, EventItem)
    rulebook = GAMES[getattr(opened, "game", "")]
    assert str(happened.record("g", rulebook.kinds).event)
