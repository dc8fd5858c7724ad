"""The page over https: who is sent where, how a device trusts it, and what it may install."""

from __future__ import annotations

import json
import re
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.table_fake import FACTS, FakeTable, forgetful_access
from web.shared.certificates import TableCertificate

ADDRESS = "192.168.1.20:8000"
PHONE = "192.168.1.50"


@pytest.fixture
def certificate(tmp_path: Path) -> TableCertificate:
    """The certificate of the table under test."""
    return TableCertificate(tmp_path, lambda: {"192.168.1.20"})


def ask(
    client: FlaskClient,
    path: str,
    *,
    scheme: str,
    sender: str = PHONE,
    secret: str = "",
    **request: Any,
) -> Any:
    """Ask as a device on the network does; `secret` is a paired one's."""
    base = f"{scheme}://{ADDRESS}"
    cookie = "; ".join(f"device-{port}={secret}" for port in (80, 443, 8000))
    headers = {"Origin": base, "Cookie": cookie}
    sent = {"REMOTE_ADDR": sender}
    answer = client.open(path, base_url=base, headers=headers, environ_base=sent, **request)
    answer.get_data()
    answer.close()
    return answer


def client_of(fake: FakeTable, certificate: TableCertificate | None) -> FlaskClient:
    """A browser without cookies."""
    return fake.app(certificate=certificate).test_client()


@pytest.mark.parametrize("path", ["/", "/live", "/about", "/no-such-page", "/manifest.webmanifest"])
def test_over_http_the_network_is_told_how_to_trust_the_table(
    certificate: TableCertificate, path: str
) -> None:
    """It sees nothing of the game, and finds the way to the page that it wanted.

    What this machine asks itself no network carries: `diagnose`, and a browser at the table.
    """
    client = client_of(FakeTable(), certificate)
    answer = ask(client, path, scheme="http")
    assert (answer.status_code, answer.location) == (303, "/certificate")
    for sender in ("127.0.0.1", "192.168.1.20"):
        assert ask(client, "/", scheme="http", sender=sender).status_code == 200


def test_over_http_the_network_changes_nothing(certificate: TableCertificate) -> None:
    """A press in plain text is not done, whatever page it comes from."""
    fake, access = FakeTable(), forgetful_access()
    _, secret = access.devices.add("Phone", "player")
    client = fake.app(certificate=certificate, access=access).test_client(use_cookies=False)
    form = {"action": "keep", "seen": fake.seen}
    for scheme, done in (("http", 0), ("https", 1)):
        ask(client, "/press", scheme=scheme, method="POST", data=form, secret=secret)
        assert len(fake.messages) == done


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_way_to_trust_is_open_both_ways(certificate: TableCertificate, scheme: str) -> None:
    """The page with the fingerprint that the start printed, its style, and the authority itself."""
    client = client_of(FakeTable(), certificate)
    page = ask(client, "/certificate", scheme=scheme)
    assert certificate.authority.fingerprint in page.text
    assert f'href="https://{ADDRESS}/"' in page.text
    assert ask(client, "/static/base.css", scheme=scheme).status_code == 200
    file = ask(client, "/certificate/tablescore.crt", scheme=scheme)
    assert file.mimetype == "application/x-x509-ca-cert"
    assert file.data == certificate.authority.pem
    assert b"PRIVATE" not in file.data


def test_a_cookie_that_came_over_https_never_goes_over_http(
    certificate: TableCertificate,
) -> None:
    """The language too: a flag on all is easier to keep than one on some."""
    for scheme, sender, secure in (("https", PHONE, True), ("http", "127.0.0.1", False)):
        answer = ask(
            client_of(FakeTable(), certificate),
            "/language",
            scheme=scheme,
            sender=sender,
            method="POST",
            data={"language": "ko"},
        )
        assert ("Secure" in answer.headers["Set-Cookie"]) is secure
        # HSTS would lock out every device once the table goes back to plain http
        assert "Strict-Transport-Security" not in answer.headers


def test_without_https_nothing_is_different() -> None:
    """Plain http is the default; the page says what it cannot do, and how to change that."""
    client = client_of(FakeTable(), None)
    assert client.get("/").status_code == 200
    assert client.get("/certificate").status_code == 404
    reached = FakeTable().app(facts=replace(FACTS, open_to_network=True)).test_client()
    assert "The network is not encrypted" in reached.get("/about").text


def test_the_manifest_names_what_is_there() -> None:
    """Icons of the sizes that it states, one of them to be cut to a device's own shape."""
    client = client_of(FakeTable(), None)
    answer = client.get("/manifest.webmanifest")
    assert answer.mimetype == "application/manifest+json"
    manifest = json.loads(answer.text)
    assert client.get(manifest["start_url"]).status_code == 200
    purposes = set()
    for icon in manifest["icons"]:
        purposes.add(icon["purpose"])
        file = client.get(icon["src"], buffered=True)
        assert file.mimetype == icon["type"]
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", file.data[16:24])
            assert icon["sizes"] == f"{width}x{height}"
    assert purposes == {"any", "maskable"}


def test_a_device_keeps_nothing_of_a_game() -> None:
    """The page for when the table is away is all, and everything that it needs is kept with it."""
    fake = FakeTable()
    client = fake.app().test_client()
    script = client.get("/service-worker.js")
    assert script.mimetype == "text/javascript"
    listed = re.search(r"FILES = \[\n(.*?)\];", script.text, re.DOTALL)
    assert listed is not None
    files = re.findall(r'"(.*)",', listed[1])
    assert files[0] == "/not-reached"
    page = client.get("/not-reached").text
    assert set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page)) == set(files[1:])
    assert fake.live.run not in page
    assert [client.get(file, buffered=True).status_code for file in files] == [200] * len(files)
