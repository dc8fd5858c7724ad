"""Where a hub is, as people type it and phones read it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.errors import NotationError
from scoreboard.tournament.client.http_hub import HubAddress


@pytest.mark.parametrize(
    ("typed", "address", "code"),
    [
        ("10.0.0.7:8080", "http://10.0.0.7:8080", ""),
        (" hub.local ", "http://hub.local:8100", ""),
        ("10.0.0.7/join/ACDE-3467", "http://10.0.0.7:8100", "ACDE-3467"),
        ("http://10.0.0.7:8100/join/ACDE%2D3467/", "http://10.0.0.7:8100", "ACDE-3467"),
        ("http://hub.local", "http://hub.local", ""),
        ("hub.local:", "http://hub.local:8100", ""),
        ("https://hub.example/", "https://hub.example", ""),
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
