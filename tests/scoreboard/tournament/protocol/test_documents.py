"""Messages come back from JSON as they went, and what is no message is refused by name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.protocol.documents import (
    MOST_ITEMS,
    WireError,
    document_of,
    text_of,
    value_from_text,
    value_of,
)
from scoreboard.tournament.protocol.hub_update import (
    Greeting,
    HubUpdate,
    JoinRequest,
)
from scoreboard.tournament.protocol.items import Delivery, Item, Receipt, StoredItems
from tests.scoreboard.tournament.protocol.messages import messages

KINDS = (JoinRequest, Delivery, Receipt, Greeting, HubUpdate)
TOKEN = "t" * 32


@given(messages)
def test_every_message_comes_back_as_it_went(message: Any) -> None:
    """Each value is what its document says, which is JSON, and what its text says."""
    document = json.loads(json.dumps(document_of(message)))
    assert value_of(type(message), document) == message
    assert value_from_text(type(message), text_of(message)) == message


@given(messages)
def test_members_of_a_newer_version_are_passed_over(message: Any) -> None:
    """A member that this version does not know changes nothing."""
    newer = {**document_of(message), "of a later version": [1, {"two": None}]}
    assert value_of(type(message), newer) == message


@given(st.sampled_from(KINDS), st.binary(max_size=60) | st.text(max_size=60))
def test_anything_else_is_refused(kind: type[Any], text: bytes | str) -> None:
    """Bytes that are no message give the error of the protocol, never another."""
    with pytest.raises(WireError):
        value_from_text(kind, text)


@pytest.mark.parametrize(
    ("kind", "document"),
    [
        (JoinRequest, {"code": "", "table": "Corner", "token": TOKEN}),
        (JoinRequest, {"code": "ABCD", "table": "Corner", "token": "short"}),
        (JoinRequest, {"code": "ABCD", "table": "Corner"}),
        (Delivery, {"game_id": "../up", "items": []}),
        (Delivery, {"game_id": "g", "items": [{"sequence": 0, "body": {}}]}),
        (Delivery, {"game_id": "g", "items": [{"sequence": 2**31, "body": {}}]}),
        (Delivery, {"game_id": "g", "items": [{"sequence": "1", "body": {}}]}),
        (Delivery, {"game_id": "g", "items": [{"sequence": 1, "body": []}]}),
        (Delivery, {"game_id": "g", "items": [{"sequence": 1, "body": {}}] * (MOST_ITEMS + 1)}),
        (Receipt, {"held": {"through": 3, "gaps": [{"first": 5}]}}),
        (Greeting, {"games": {"g": -1}}),
        (Greeting, {"games": {"g": 2**31}}),
        (HubUpdate, {"version": 1, "place": 0, "title": "Open"}),
    ],
)
def test_what_is_out_of_bounds_is_refused(kind: type[Any], document: dict[str, Any]) -> None:
    """A member that is missing, of a wrong type or out of bounds is refused."""
    with pytest.raises(WireError, match="no message of the hub protocol"):
        value_of(kind, document)


def test_a_refusal_names_the_member() -> None:
    """Who reads the error finds the place in the message."""
    with pytest.raises(WireError, match=r"items\[0\]\.sequence"):
        value_of(Delivery, {"game_id": "g", "items": [{"sequence": "1", "body": {}}]})


def test_a_nest_without_end_is_refused() -> None:
    """A text that nests too deep is no message."""
    with pytest.raises(WireError):
        value_from_text(Delivery, '{"game_id": "g", "items": ' + "[" * 100_000)


def test_what_may_be_left_out() -> None:
    """A receipt without disputes and a greeting that heard nothing are short."""
    assert value_of(Receipt, {"held": {}}) == Receipt(StoredItems())
    assert value_of(Greeting, {"games": {}}) == Greeting({})
    assert Delivery("g", (Item(1, {}),)) == value_of(
        Delivery, {"game_id": "g", "items": [{"sequence": 1, "body": {}}]}
    )


ROOT = Path(__file__).parents[4]
TRIES = 6  # one in three ended when nothing was done about it
PROGRAM = """
import sys
from threading import Barrier, Thread
from scoreboard.tournament.protocol.documents import text_of, value_from_text, value_of
from scoreboard.tournament.protocol.hub_update import SeatUpdate, SeatingUpdate
from scoreboard.tournament.protocol.hub_update import Greeting, HubUpdate

SITTING = SeatingUpdate(1, "running", 1, 1, "yahtzee", {}, (SeatUpdate(1, "Anna"),))
WORD, GREETING = text_of(HubUpdate(1, 1, "Open", SITTING)), {"games": {"g": 3}, "heard": 1}
together = Barrier(16)

def read(number: int) -> None:
    together.wait()
    for _ in range(20):
        value_from_text(HubUpdate, WORD) if number % 2 else value_of(Greeting, GREETING)

sys.setswitchinterval(1e-6)
threads = [Thread(target=read, args=(number,)) for number in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def test_the_first_messages_may_come_together() -> None:
    """None of many processes dies of it."""
    for _ in range(TRIES):
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
