"""The client over real HTTP: answers, refusals, silence, and strangers at the address."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.errors import NotationError
from scoreboard.tournament.client.http_hub import (
    AWAY,
    HttpHub,
    HubAddress,
    HubAwayError,
    HubRefusedError,
    NotInvitedError,
)
from scoreboard.tournament.protocol.hub_update import Greeting, Joined, JoinRequest
from scoreboard.tournament.protocol.items import Delivery, Item, Receipt, StoredItems
from tests.scoreboard.tournament.client.fakes import TOKEN, UPDATE, BadWay
from tests.scoreboard.tournament.client.served_hub import served

DELIVERY = Delivery("g1", (Item(1, {"kind": "signed", "entrant": 7}),))


@pytest.fixture
def hub(way: BadWay) -> Iterator[HttpHub]:
    """The client of that hub."""
    with served(way) as address:
        yield HttpHub(address, answer_seconds=10.0)


@contextmanager
def stranger(answer: bytes) -> Iterator[str]:
    """Something at an address that says the same to everyone, once."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def say() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(answer)

        thread = Thread(target=say)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join()


def test_all_four_calls_come_through(hub: HttpHub) -> None:
    """Join, greet, deliver, hear."""
    assert hub.join(JoinRequest("ABCD", "Corner", TOKEN)) == Joined("open", "Autumn Open", 5)
    assert hub.greet(TOKEN, Greeting({})) == UPDATE
    assert hub.deliver(TOKEN, DELIVERY) == Receipt(StoredItems(1))
    assert hub.next_update(TOKEN, 0, 0.01) == UPDATE


def test_calls_one_after_another_share_a_connection(way: BadWay) -> None:
    """So they reach the process of the hub that knows the game; a refusal ends nothing."""
    callers: set[tuple[str, int]] = set()
    with served(way, callers) as address:
        hub = HttpHub(address, answer_seconds=10.0)
        hub.join(JoinRequest("ABCD", "Corner", TOKEN))
        with pytest.raises(NotInvitedError):
            hub.greet("x" * 43, Greeting({}))
        hub.deliver(TOKEN, DELIVERY)
        assert len(callers) == 1


def test_a_spent_code_is_refused_in_the_hubs_words(hub: HttpHub) -> None:
    """The players read what the hub says."""
    hub.join(JoinRequest("ABCD", "Corner", TOKEN))
    with pytest.raises(HubRefusedError, match="The hub says: This code is spent"):
        hub.join(JoinRequest("ABCD", "Window", "u" * 43))


def test_silence_ends_after_its_time() -> None:
    """A hub that takes the call and says nothing is away."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        silent = HttpHub(f"http://127.0.0.1:{listening.getsockname()[1]}", answer_seconds=0.05)
        with pytest.raises(HubAwayError):
            silent.greet(TOKEN, Greeting({}))


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{}",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"",
        b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n",
    ],
)
def test_whatever_else_answers_is_no_hub(answer: bytes) -> None:
    """Other programs do not confuse the table, which does not tell them from a shut port."""
    with stranger(answer) as address, pytest.raises(HubAwayError) as away:
        HttpHub(address).greet(TOKEN, Greeting({}))
    assert away.value.message == AWAY


def test_a_shut_port_has_no_sentence_of_its_own() -> None:
    """So no one learns from a table which ports of the network are open."""
    with socket.socket() as shut:
        shut.bind(("127.0.0.1", 0))
        with pytest.raises(HubAwayError) as away:
            HttpHub(f"http://127.0.0.1:{shut.getsockname()[1]}").greet(TOKEN, Greeting({}))
    assert away.value.message == AWAY


@pytest.mark.parametrize("status", [b"301 Moved", b"302 Found", b"307 Temporary", b"308 Permanent"])
def test_a_ticket_is_not_carried_elsewhere(status: bytes) -> None:
    """A redirection is not followed: whoever it names would get the secret."""
    head = b"HTTP/1.1 " + status + b"\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    with stranger(head) as address, pytest.raises(HubRefusedError, match="No hub answers"):
        HttpHub(address).greet(TOKEN, Greeting({}))


@pytest.mark.parametrize(
    ("typed", "address", "code"),
    [
        ("10.0.0.7:8080", "http://10.0.0.7:8080", ""),
        (" hub.local ", "http://hub.local:8100", ""),
        ("\uff48ttp\uff1a//10\uff0e0.0.7\uff1a\uff18\uff10", "http://10.0.0.7:80", ""),
        ("10.0.0.7/join/ACDE-3467", "http://10.0.0.7:8100", "ACDE-3467"),
        ("http://10.0.0.7:8100/join/ACDE%2D3467/", "http://10.0.0.7:8100", "ACDE-3467"),
        ("http://hub.local", "http://hub.local", ""),
        ("hub.local:", "http://hub.local:8100", ""),
        ("https://hub.example/", "https://hub.example", ""),
        ("https://hub/cup/", "https://hub/cup", ""),
        ("https://hub/cup/join/ACDE-3467", "https://hub/cup", "ACDE-3467"),
        ("https://hub/cup/e/winter/board", "https://hub/cup", ""),
        ("https://hub/e/winter/", "https://hub", ""),
        ("http://hub:8080/join?code=ACDE-3467", "http://hub:8080", "ACDE-3467"),
        ("https://[fd00::1]:8443/join?code=A&code=B", "https://[fd00::1]:8443", "A"),
    ],
)
def test_an_address_is_read_with_the_code_in_it(typed: str, address: str, code: str) -> None:
    """Bare names mean http, and the link behind a QR code tells the code as well."""
    assert HubAddress.parse(typed) == HubAddress(address, code)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "ftp://hub",
        "http://",
        "hub:port",
        "hub:0",
        "http://a b",
        "http://me:secret@hub",
        "http://hub:99999",
        "http://[",
        "file:///etc/passwd",
        "http://٣",
        "http://hub.bücher",
        "http://a%zz",
        "http://" + "a" * 300,
    ],
)
def test_anything_else_is_no_address(typed: str) -> None:
    """The error says how an address is written."""
    with pytest.raises(NotationError, match="no address of a hub"):
        HubAddress.parse(typed)


@given(st.text(max_size=40))
def test_no_text_breaks_the_reader(typed: str) -> None:
    """Whatever is typed is an address with a scheme of ours, or refused."""
    try:
        assert HubAddress.parse(typed).address.startswith(("http://", "https://"))
    except NotationError:
        return
