"""Who may ask for what: host, origin, size, headers."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.table_fake import FakeTable, FakeUploads, view_of
from web.shared.security import LARGEST_FORM_BYTES, LARGEST_PHOTO_BYTES, host_name

OWN = {"Origin": "http://localhost"}


def client_of(fake: FakeTable, **changes: Any) -> FlaskClient:
    """A browser that sends nothing by itself."""
    return fake.app(**changes).test_client()


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("localhost", "localhost"),
        ("LOCALHOST:8000", "localhost"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[::1]:8000", "::1"),
        ("", ""),
        ("[::1", ""),
        ("dice.local.:8000", "dice.local"),
        ("evil.example@localhost", ""),
        ("127.0.0.1#x", ""),
        ("127.0.0.1/x", ""),
        ("127.0.0.1:80:90", ""),
        ("a" * 5000, ""),
    ],
)
def test_the_name_in_a_host_header(host: str, name: str) -> None:
    """Neither port, case, brackets nor a closing dot count; what is more than those is none."""
    assert host_name(host) == name


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "localhost.evil.example"])
def test_a_name_that_is_not_ours_is_refused(host: str) -> None:
    """Somebody else's name server may point a name here, and gets nothing (DNS rebinding)."""
    for path in ("/", "/live", "/picture/latest.jpg", "/static/table.js"):
        answer = client_of(FakeTable()).get(path, headers={"Host": host})
        assert answer.status_code == 421, path
        assert "does not answer to this address" in answer.text


@pytest.mark.parametrize("host", ["a" * 5000, "a" * 100, "evil@127.0.0.1", "127.0.0.1:80:90"])
def test_a_host_that_is_none_is_reported_in_words(host: str) -> None:
    """Also where no page can be drawn for it."""
    answer = client_of(FakeTable()).get("/", headers={"Host": host})
    assert answer.status_code == 421
    assert "does not answer to this address" in answer.text


@pytest.mark.parametrize(
    ("host", "came_by", "status"),
    [
        ("192.0.2.7:8000", "192.0.2.7", 200),
        ("192.0.2.7:8000", "::ffff:192.0.2.7", 200),
        ("[2001:DB8::7]:8000", "2001:db8:0::7", 200),
        ("192.0.2.7:8000", "192.0.2.8", 421),
        ("evil.example:8000", "192.0.2.7", 421),
    ],
)
def test_the_address_that_a_request_came_by_is_answered(
    host: str, came_by: str, status: int
) -> None:
    """A network may come after the start; an address cannot be pointed elsewhere as a name can."""
    client = client_of(FakeTable())
    answer = client.get("/", headers={"Host": host}, environ_overrides={"SERVER_NAME": came_by})
    assert answer.status_code == status


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:81"},
        {"Origin": "https://localhost"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Referer": "http://localhost/"},
    ],
)
def test_a_change_from_elsewhere_is_refused(headers: dict[str, str]) -> None:
    """Only a page of this very host may change anything."""
    for path in ("/press", "/setup", "/games/g1/delete", "/photo", "/abandon"):
        fake = FakeTable(view_of())
        form = {"action": "keep", "seen": fake.seen}
        answer = client_of(fake).post(path, headers=headers, data=form)
        assert answer.status_code == 403, path
        assert fake.messages == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://localhost"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "same-origin"},
    ],
)
def test_our_own_page_may_change_things(headers: dict[str, str]) -> None:
    """Origin says so, or Sec-Fetch-Site where a browser leaves Origin out."""
    fake = FakeTable(view_of())
    form = {"action": "keep", "seen": fake.seen}
    assert client_of(fake).post("/press", headers=headers, data=form).status_code == 303
    assert len(fake.messages) == 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),
        ({"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, 200),
        ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}, 200),
    ],
)
def test_other_sites_may_link_here_and_no_more(headers: dict[str, str], status: int) -> None:
    """Another site can neither show our pictures nor take a viewer's place."""
    assert client_of(FakeTable()).get("/", headers=headers).status_code == status


def test_every_answer_is_hardened() -> None:
    """No inline script or style, nothing from elsewhere, no frames, no guessing, no cookies."""
    for path in ("/", "/setup", "/games", "/about", "/nowhere", "/static/base.css"):
        with client_of(FakeTable()).get(path) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert "frame-ancestors 'none'" in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "same-origin"
            assert "Set-Cookie" not in answer.headers


def test_no_page_has_anything_inline() -> None:
    """What the policy would block is not there in the first place."""
    for path in ("/", "/setup", "/games", "/about", "/leave", "/abandon"):
        text = client_of(FakeTable(view_of())).get(path).text
        assert "style=" not in text
        assert "<style" not in text
        assert " onclick" not in text
        assert text.count("<script") == text.count('<script src="/static/')
        assert "http://" not in text.replace("http://www.w3.org", "")


def test_names_are_escaped_everywhere() -> None:
    """A player called like a script is shown as such."""
    name = "<script>alert(1)</script>"
    client = client_of(FakeTable(view_of(players=(name, "South"))))
    for path in ("/", "/setup", "/leave"):
        text = client.get(path).text
        assert "<script>alert" not in text
        assert "&lt;script&gt;" in text


def test_a_form_that_is_too_large_is_refused() -> None:
    """Nobody needs a form of more than 64 KiB."""
    fake = FakeTable(view_of())
    form = {"action": "keep", "seen": "x" * LARGEST_FORM_BYTES}
    answer = client_of(fake).post("/press", headers=OWN, data=form)
    assert answer.status_code == 413
    assert "too large" in answer.text


def test_a_photo_has_its_own_larger_limit() -> None:
    """25 MB of photo are taken, more are not read."""
    fake = FakeTable(view_of())
    client = client_of(fake, uploads=FakeUploads(fake))
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="dice.jpg"\r\n\r\n'
    for size, status in ((LARGEST_FORM_BYTES * 2, 303), (LARGEST_PHOTO_BYTES, 413)):
        body = head + b"." * size + b"\r\n--x--\r\n"
        kind = "multipart/form-data; boundary=x"
        answer = client.post("/photo", headers=OWN, data=body, content_type=kind)
        assert answer.status_code == status
    assert [len(photo) for photo in fake.uploaded] == [LARGEST_FORM_BYTES * 2]
