"""Messages and items come back from JSON as they went; what is none is refused by name."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.games import GAMES
from scoreboard.games.engine.transcript import (
    UNKNOWN,
    RecordedEvent,
    Retraction,
    TranscriptError,
)
from scoreboard.message import message
from scoreboard.tournament.protocol.documents import (
    MOST_ITEMS,
    WireError,
    document_of,
    text_of,
    value_from_text,
    value_of,
)
from scoreboard.tournament.protocol.hub_update import (
    Challenge,
    Greeting,
    HubUpdate,
    Joined,
    JoinRequest,
    LocalizedText,
    Proof,
    Refused,
    proof_of,
)
from scoreboard.tournament.protocol.items import (
    KINDS,
    Delivery,
    EventItem,
    Item,
    Opened,
    PhotoReceipt,
    Receipt,
    StoredItems,
    Unknown,
    body_of,
    item_of,
)
from scoreboard.tournament.protocol.throttle import Throttle
from tests.scoreboard.tournament.protocol.messages import AT, contents, messages

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


@given(
    st.sampled_from((JoinRequest, Delivery, Receipt, Greeting, HubUpdate)),
    st.binary(max_size=60) | st.text(max_size=60),
)
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


RULEBOOK = GAMES["yahtzee"].kinds


@given(contents)
def test_every_body_comes_back(one: Any) -> None:
    """What an item tells is what its body says, through JSON."""
    assert item_of(json.loads(json.dumps(body_of(one)))) == one


def test_a_recorded_event_comes_back_by_its_rulebook() -> None:
    """The table's record is the hub's record."""
    record = RecordedEvent("g", 4, AT, "button", 3, Retraction(2))
    assert EventItem.of(record, RULEBOOK).record("g", RULEBOOK) == record


def test_who_confirmed_an_event_stays_at_its_table() -> None:
    """The hub's protocol and its signed record know no devices."""
    record = RecordedEvent("g", 4, AT, "page", 3, Retraction(2), "phone-1")
    item = EventItem.of(record, RULEBOOK)
    assert "phone-1" not in json.dumps(body_of(item))
    assert item.record("g", RULEBOOK) == replace(record, confirmed_by=UNKNOWN)


def test_an_event_of_another_rulebook_is_refused() -> None:
    """An event that the rulebook does not know cannot be read."""
    with pytest.raises(TranscriptError, match="No event"):
        EventItem(1, AT, "page", 1, {"kind": "sneezed"}).record("g", RULEBOOK)


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
        "{a:{b}}",
        "{a:{a}}",
        "x" * 1001,
    ],
)
def test_what_is_more_than_a_gap_is_refused(template: str) -> None:
    """A hub that one does not know may not have a table build what it likes."""
    with pytest.raises(WireError):
        value_of(LocalizedText, {"template": template, "values": {"a": "b", "0": "c", "": "d"}})


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_turns_are_parted() -> None:
    """The first turn comes at once, the second after the rest, and one that comes late at once."""
    clock = Clock()
    resting = Throttle(0.5, lambda: clock.now, clock.sleep)
    turns = []
    for _ in range(3):
        resting.rest()
        turns.append(clock.now)
    clock.now = 107.0
    resting.rest()
    assert turns == [100.0, 100.5, 101.0]
    assert clock.now == 107.0


def test_those_who_come_together_wait_one_after_another() -> None:
    """Each gets a turn of its own."""
    slept: list[float] = []
    resting = Throttle(0.5, lambda: 100.0, slept.append)
    for _ in range(3):
        resting.rest()
    assert slept == [0.5, 1.0]


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
