"""Who is let in by Home Assistant, and who only says so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.supervisor import PERSON, PREFIX, SUPERVISOR
from tests.web.table_fake import FakeTable, forgetful_access, view_of
from web.shared.certificates import TableCertificate

TABLE = Path(__file__).parents[4] / "web" / "table"
ROOTED = re.compile(r"""(?:["'`]|url\()(/[a-z][\w./-]*)["'`)]""")
HOST = "homeassistant.local:8123"
PASSED_ON = {
    "Host": "172.30.32.1:8000",
    "Origin": f"https://{HOST}",
    "X-Ingress-Path": PREFIX,
    "X-Forwarded-Host": HOST,
    "X-Forwarded-Proto": "https",
    "X-Remote-User-Id": PERSON,
}


def press(
    fake: FakeTable, headers: dict[str, str], caller: str = SUPERVISOR, ingress: str = SUPERVISOR
) -> int:
    """The status of a KEEP with those headers from that address."""
    client = FlaskClient(fake.app(ingress=ingress))
    return client.post(
        "/press",
        headers=headers,
        data={"action": "keep", "seen": fake.seen},
        environ_overrides={"REMOTE_ADDR": caller},
    ).status_code


def test_who_is_signed_in_plays_and_is_led_on_below_the_path() -> None:
    """By a name that only Home Assistant knows, over the https that it ends."""
    fake = FakeTable(view_of())
    client = FlaskClient(fake.app(ingress=SUPERVISOR))
    answer = client.post(
        "/press",
        headers=PASSED_ON,
        data={"action": "keep", "seen": fake.seen},
        environ_overrides={"REMOTE_ADDR": SUPERVISOR},
    )
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"{PREFIX}/"
    assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
    assert len(fake.messages) == 1


@pytest.mark.parametrize("caller", ["192.0.2.9", "127.0.0.1", "172.30.33.4", ""])
def test_nobody_else_is_believed(caller: str) -> None:
    """A stranger's headers change neither who they are nor a link; the name is a foreign one."""
    fake = FakeTable(view_of())
    named = {**PASSED_ON, "Host": "localhost", "Origin": "http://localhost"}
    assert press(fake, named, caller) == 403
    assert press(fake, {**PASSED_ON, "Host": HOST}, caller) == 421
    page = FlaskClient(fake.app(ingress=SUPERVISOR)).get(
        "/", headers=named, environ_overrides={"REMOTE_ADDR": caller}
    )
    assert PREFIX not in page.text
    assert page.headers["X-Frame-Options"] == "DENY"
    assert fake.messages == []


def test_a_table_without_the_setting_believes_no_one() -> None:
    """Also not whoever has the Supervisor's address in another network."""
    named = {**PASSED_ON, "Host": "localhost", "Origin": "http://localhost"}
    assert press(FakeTable(view_of()), named, ingress="") == 403


@pytest.mark.parametrize(
    "changed",
    [
        {"X-Remote-User-Id": ""},
        {"X-Ingress-Path": ""},
        {"X-Ingress-Path": '/"><script>'},
        {"X-Ingress-Path": "//evil.example"},
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"X-Forwarded-Host": "evil@127.0.0.1"},
    ],
)
def test_what_is_not_whole_is_refused(changed: dict[str, str]) -> None:
    """Nobody signed in, no path, another site's page, no host."""
    fake = FakeTable(view_of())
    assert press(fake, PASSED_ON | changed) in {403, 421}
    assert fake.messages == []


def test_owners_are_let_in_as_everywhere() -> None:
    """Home Assistant does not say who administers it: the owner's pages take an owner's device."""
    access = forgetful_access()
    _, secret = access.devices.add("Dana", "owner")
    client = FlaskClient(FakeTable().app(ingress=SUPERVISOR, access=access), use_cookies=False)
    sent = {"REMOTE_ADDR": SUPERVISOR}
    assert client.get("/devices", headers=PASSED_ON, environ_overrides=sent).status_code == 403
    sent["HTTP_COOKIE"] = f"device-80={secret}"
    assert client.get("/devices", headers=PASSED_ON, environ_overrides=sent).status_code == 200


def test_the_cookie_is_the_add_ons_alone() -> None:
    """Home Assistant and its other add-ons have the same host."""
    access = forgetful_access()
    code = access.pairing.new_code()
    client = FlaskClient(FakeTable().app(ingress=SUPERVISOR, access=access))
    headers = {**PASSED_ON, "X-Remote-User-Id": ""}
    form = {"code": code.digits, "name": "Phone"}
    sent = {"REMOTE_ADDR": SUPERVISOR}
    answer = client.post("/pair", headers=headers, data=form, environ_overrides=sent)
    assert f"Path={PREFIX}/" in answer.headers["Set-Cookie"]
    assert "Secure" in answer.headers["Set-Cookie"]


def test_it_is_served_without_a_certificate(tmp_path: Path) -> None:
    """Whoever is signed in has it over Home Assistant's own https, or over none."""
    certificate = TableCertificate(tmp_path, frozenset)
    client = FlaskClient(FakeTable().app(ingress=SUPERVISOR, certificate=certificate))
    sent = {"REMOTE_ADDR": SUPERVISOR}
    plain = {**PASSED_ON, "X-Forwarded-Proto": "http"}
    answer = client.get("/pair", headers=plain, environ_overrides=sent)
    assert "Home Assistant let you in: you may play." in answer.text


def test_no_page_and_no_script_has_a_link_that_begins_at_the_root() -> None:
    """Such a link leaves the add-on for Home Assistant's own pages."""
    files = [each for kind in ("html", "js", "css") for each in TABLE.rglob(f"*.{kind}")]
    assert len(files) > 100
    found = [
        (each.name, link) for each in files for link in ROOTED.findall(each.read_text("utf-8"))
    ]
    assert found == []
