"""What strangers, watchers, players and owners may ask for: every address, by the one list."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import connect

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from hardware.pins import Pins
from scoreboard.errors import StoreError
from tests.web.process import NEW_GAME, SEEN
from tests.web.rights import declared, listed, page_rules
from tests.web.table_fake import FakeTable, NoDevices, forgetful_access, view_of
from web.shared.clocks import utc_now
from web.shared.plan import Plan
from web.shared.settings import CameraSettings, Settings, TableSettings, Watching
from web.table.camera.tray import FixedTray
from web.table.parts import ROLES, Role, suffices
from web.table.people.access import Access, is_own_program, needed_role, role_named
from web.table.people.devices import Devices, Pairing
from web.wiring import RunningTable

RIGHTS = listed("table")
HTTPS = "https://localhost"
OWN = {"Origin": "http://localhost"}
OWN_HTTPS = {"Origin": HTTPS, "Authorization": "Bearer the key of diagnose"}
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.9"}


def whole_app(access: Access) -> Flask:
    """Every page that a table can have."""
    fake = FakeTable(view_of())
    tray = FixedTray("webcam:0", None)
    parts = dict.fromkeys(("camera", "tournament", "certificate", "phone"), object())
    return fake.app("the key of diagnose", access=access, tray=tray, **parts)


def bare_client(app: Flask) -> FlaskClient:
    """A browser that no link was opened in, wherever it is."""
    return FlaskClient(app, app.response_class)


def addresses(app: Flask) -> list[tuple[str, str]]:
    """Every address of the application, with each of its methods."""
    return [
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]


def filled(rule: str) -> str:
    """The address with something in each of its gaps."""
    return re.sub(r"<(?:any\((\w+)[^>]*|(int):\w+|[^>]*?(\w+))>", _gap, rule)


def _gap(found: re.Match[str]) -> str:
    first, number, name = found.groups()
    return str(first or ("7" if number else "g1" if name != "filename" else "base.css"))


def client_of(app: Flask, access: Access, role: Role) -> FlaskClient:
    """A device of that role on the network; the owner is a paired one, too."""
    client = app.test_client()
    if role in {"player", "owner"}:
        _, secret = access.devices.add("Phone", "owner" if role == "owner" else "player")
        client.set_cookie("device-443", secret)
    if role == "guest":
        client.set_cookie("device-443", access.devices.add("Cousins", "watcher")[1])
    return client


def ask(client: FlaskClient, method: str, path: str) -> TestResponse:
    """A request from somewhere on the network, from a page of ours."""
    return client.open(
        path, method=method, base_url=HTTPS, headers=OWN_HTTPS, environ_overrides=ELSEWHERE
    )


def test_every_address_declares_the_right_that_the_list_names() -> None:
    """A new page has to say who may open it: `rights_of_table.txt` lists them all."""
    assert declared(whole_app(forgetful_access())) == RIGHTS


@pytest.mark.parametrize("role", ROLES)
def test_each_address_is_open_to_whom_the_list_names(role: Role) -> None:
    """And closed to all others, before anything of the page runs."""
    access = forgetful_access("closed" if role == "stranger" else "open")
    app = whole_app(access)
    ran: list[str] = []

    def page(**_gaps: object) -> str:
        ran.append("a page")
        return ""

    app.view_functions = dict.fromkeys(app.view_functions, page)
    client = client_of(app, access, role)
    for method, rule in addresses(app):
        ran.clear()
        answer = ask(client, method, filled(rule))
        allowed = suffices(role, role_named(RIGHTS[f"{method} {rule}"].partition(" ")[0]))
        assert answer.status_code == (200 if allowed else 403), (method, rule)
        assert bool(ran) == allowed, (method, rule)


OF_ITS_GAME = 6  # pages of a game that is on
GAME_ON = "g2"  # of `view_of`


@pytest.mark.parametrize("game_id", [GAME_ON, "g1"])
def test_who_only_watches_sees_the_game_that_is_on(game_id: str) -> None:
    """And earlier ones once an owner opens them; never by a game that another page is of."""
    access = forgetful_access()
    app = whole_app(access)
    app.view_functions = dict.fromkeys(app.view_functions, lambda **_: "")
    stranger = client_of(app, access, "watcher")
    of_game = [rule.rule for rule in page_rules(app) if rule.on_table]
    assert len(of_game) == len(set(of_game)) == OF_ITS_GAME
    earlier = ["/games", f"/games/{game_id}/photos.zip", "/players/g2/photo.jpg", "/evening/g2"]

    def statuses(paths: Iterable[str]) -> set[int]:
        return {ask(stranger, "GET", path).status_code for path in paths}

    paths = [filled(rule.replace("<game_id>", game_id)) for rule in of_game]
    assert statuses(paths) == {200 if game_id == GAME_ON else 403}
    assert statuses(earlier) == {403}
    access.show_earlier(shown=True)
    assert statuses((*paths, *earlier)) == {200}
    access.show_earlier(shown=False)
    assert statuses(earlier) == {403}


def test_that_earlier_games_are_open_outlives_a_restart(tmp_path: Path) -> None:
    """As a file beside the games; where it cannot be written, nothing is opened."""
    file = tmp_path / "games.opened"

    def started(file: Path) -> Access:
        devices = Devices(utc_now, NoDevices())
        return Access(devices, Pairing(devices, utc_now), opened=file)

    started(file).show_earlier(shown=True)
    assert started(file).shows_earlier
    started(file).show_earlier(shown=False)
    assert not started(file).shows_earlier
    lost = started(tmp_path / "gone" / "games.opened")
    with pytest.raises(StoreError, match="give the right to its folder"):
        lost.show_earlier(shown=True)
    assert not lost.shows_earlier


def test_what_no_view_answers_is_the_owners_alone() -> None:
    """Flask answers OPTIONS itself, so that a method may be asked for that no view declares.

    So is what declares no role, or one that there is not.
    """
    assert {role_named(right) for right in (None, "anyone")} == {"owner"}
    press = next(
        rule for rule in page_rules(whole_app(forgetful_access())) if rule.rule == "/press"
    )
    methods = ("POST", "OPTIONS", "DELETE", "GET")
    assert [needed_role(each, press) for each in methods] == ["player", "owner", "owner", "owner"]


@pytest.mark.parametrize(
    ("watching", "by_link", "statuses"),
    [
        ("open", False, (200, 403)),
        ("open", True, (200, 403)),
        ("code", False, (403, 403)),
        ("code", True, (200, 403)),
        ("closed", False, (403, 403)),
        ("closed", True, (403, 403)),
    ],
)
def test_who_may_watch_is_set(
    watching: Watching, *, by_link: bool, statuses: tuple[int, int]
) -> None:  # fmt: skip
    """Open to all, to those with a link, to nobody; a link never lets anybody play."""
    access = forgetful_access(watching)
    client = whole_app(access).test_client()
    if by_link:
        client.set_cookie("device-443", access.devices.add("Cousins", "watcher")[1])
    asked = (("GET", "/"), ("POST", "/press"))
    assert tuple(ask(client, *each).status_code for each in asked) == statuses


def test_no_address_makes_anybody_an_owner() -> None:
    """Proxies and tunnels on this machine come from loopback for whoever sent them."""
    client = bare_client(whole_app(forgetful_access()))
    passed_on = {"X-Forwarded-For": "127.0.0.1"}, {"X-Real-IP": "127.0.0.1"}, {"Via": "1.1 a"}
    for headers in ({}, *passed_on):
        for caller in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "192.0.2.9"):
            sent = {"REMOTE_ADDR": caller}
            answer = client.get("/devices", base_url=HTTPS, headers=headers, environ_overrides=sent)
            assert answer.status_code == 403, (caller, headers)


@pytest.mark.parametrize(("page", "leads_to"), [("", "/"), ("tv", "/tv")])
def test_the_link_of_the_start_text_makes_its_browser_the_tables_own(
    page: str, leads_to: str
) -> None:
    """By a cookie, from wherever it comes; another table's link opens nothing."""
    app = whole_app(forgetful_access())
    client = bare_client(app)
    assert client.get(f"/here/another-key/{page}", base_url=HTTPS).status_code == 404
    assert client.get("/devices", base_url=HTTPS).status_code == 403
    opened = client.get(f"/here/{app.secret_key!s}/{page}", base_url=HTTPS)
    assert f'content="0;url={leads_to}"' in opened.text
    assert "HttpOnly" in opened.headers["Set-Cookie"]
    assert client.get("/devices", base_url=HTTPS).status_code == 200


@pytest.mark.parametrize(
    ("address", "words"), [("http://127.0.0.1", True), ("http://192.0.2.7", False)]
)
def test_the_table_page_says_how_its_own_machine_becomes_the_owner(
    address: str, *, words: bool
) -> None:
    """Where it was opened without the link."""
    client = bare_client(FakeTable(view_of()).app())
    assert ("open the link with “/here/”" in client.get("/", base_url=address).text) == words


def test_a_refusal_tells_how_to_be_let_in() -> None:
    """A person gets the form, a script the words; an owner's page needs more than a code."""
    client = whole_app(forgetful_access()).test_client()
    page = ask(client, "GET", "/setup")
    assert "Watching only. Ask to play?" in page.text
    assert 'action="/pair"' in page.text
    assert 'action="/pair"' not in ask(client, "GET", "/teach").text
    headers = {**OWN_HTTPS, "Accept": "application/json"}
    answer = client.post("/press", base_url=HTTPS, headers=headers, environ_overrides=ELSEWHERE)
    assert answer.status_code == 403
    assert answer.get_json() == {
        "verdict": "refused",
        "notice": "Watching only. To play, let this device in with the code that the table shows.",
    }


@dataclass
class Target:
    """A running table with a game, and what is stored of it."""

    client: FlaskClient
    access: Access
    file: Path

    def stored(self) -> list[list[tuple[object, ...]]]:
        """All rows of games, events and devices."""
        with closing(connect(self.file)) as connection:
            tables = ("games", "events", "devices")
            return [connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables]  # noqa: S608 -- names of ours

    def seen(self) -> str:
        """What a form of the page sends as the version it saw."""
        found = SEEN.search(self.client.get("/").text)
        assert found is not None
        return found[1]


@pytest.fixture(scope="module", params=["open", "closed"])
def target(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Target]:
    """A table with a game of two, to be changed by nobody."""
    file = tmp_path_factory.mktemp("table") / "games.sqlite3"
    plan = Plan.of(
        Settings(camera=CameraSettings("upload"), table=TableSettings(f"sqlite:///{file}"))
    )
    table = RunningTable(plan, 0, Pins(None, "no pins in this test"))
    try:
        table.access.watching = request.param  # type: ignore[misc]  # as if it had been set
        client = table.app.test_client()
        assert client.post("/setup", data=MultiDict(NEW_GAME), headers=OWN).status_code == 303
        yield Target(client, table.access, file)
    finally:
        table.close()


FIELDS = {
    "action": st.sampled_from(["keep", "reroll", "undo"]),
    "roll": st.sampled_from(["33355", "11111"]),
    "offer": st.sampled_from(["score:chance", "leave:0"]),
    "code": st.from_regex(r"[0-9]{6}", fullmatch=True),
    "name": st.sampled_from(["Phone", "North"]),
    "role": st.sampled_from(["player", "owner"]),
    "address": st.just("127.0.0.1:1"),
    "do": st.just("begin"),
    "die": st.just("1=5"),
    "keep": st.just("1=yes"),
}
CHANGING = sorted(address for address in RIGHTS if address.startswith("POST "))
COOKIES = st.sampled_from(["", "here", "owner", "A" * 22])


@settings(max_examples=150)
@given(
    address=st.sampled_from(CHANGING),
    form=st.fixed_dictionaries({}, optional=FIELDS),
    cookie=COOKIES,
    forwarded=st.sampled_from([{}, {"X-Forwarded-For": "127.0.0.1"}, {"Forwarded": "for=_here"}]),
)
def test_a_stranger_changes_nothing(
    target: Target, address: str, form: dict[str, str], cookie: str, forwarded: dict[str, str]
) -> None:
    """Whatever they send, with whatever cookie: no event, no game, no device."""
    before, seen = target.stored(), target.seen()
    stranger = target.client.application.test_client()
    if cookie:
        stranger.set_cookie("device-80", cookie)
    game_id = str(before[0][0][1])
    path = filled(address.removeprefix("POST ").replace("<game_id>", game_id))
    stranger.post(
        path, data={**form, "seen": seen}, headers=OWN | forwarded, environ_overrides=ELSEWHERE
    )
    assert (target.stored(), target.seen()) == (before, seen)
    assert target.access.devices.let_in() == ()


def test_the_same_forms_change_a_table_from_its_own_machine(target: Target) -> None:
    """So that the test above could fail."""
    before = target.stored()
    for form in ({"roll": "33355"}, {"action": "keep"}):
        path = "/roll" if "roll" in form else "/press"
        target.client.post(path, data={**form, "seen": target.seen()}, headers=OWN)
    assert target.stored() != before


only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
ASKING = "import socket; {2}; asks = socket.create_connection(({0!r}, {1})); input()"
REUSING = (
    "socket.create_connection = lambda to: (s := socket.socket(), s.setsockopt(1, 2, 1), "
    "s.bind(('127.0.0.1', {})), s.connect(to))[0]"
)
LISTENING = "other = socket.create_server(('127.0.0.1', 0))"
PASSING_ON = "other = socket.socket(type=socket.SOCK_DGRAM); other.connect(('192.0.2.1', 9))"


@contextmanager
def asked_by(program: str, address: str = "127.0.0.1") -> Iterator[tuple[int, int]]:
    """The ports of a connection to this test, of another program that first does that."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, 0), family=family) as server:
        code = ASKING.format(address, server.getsockname()[1], program)
        with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as asking:
            connection, (_, port, *_) = server.accept()
            with connection:
                yield port, server.getsockname()[1]
                asking.communicate(b"\n")


@only_linux
@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_a_script_of_the_own_user_is_known(address: str) -> None:
    """It could read the key, and need not."""
    with asked_by("pass", address) as end:
        assert is_own_program(*end)


@only_linux
@pytest.mark.parametrize("program", [LISTENING, PASSING_ON], ids=["proxy", "tunnel"])
def test_what_serves_others_is_not(program: str) -> None:
    """A proxy listens, a tunnel has another end; the table's user may well have started them."""
    if program == PASSING_ON:
        with socket.socket(type=socket.SOCK_DGRAM) as tried:
            try:
                tried.connect(("192.0.2.1", 9))
            except OSError:
                pytest.skip("This machine has no way to others.")
    with asked_by(program) as end:
        assert not is_own_program(*end)


@only_linux
def test_an_end_that_there_is_not_is_nobodys() -> None:
    """A connection that is closed again proves nothing."""
    with asked_by("pass") as ports:
        pass
    assert not is_own_program(*ports)


@only_linux
def test_another_program_may_have_that_end_of_a_connection_elsewhere() -> None:
    """The kernel gives a port to several, as long as they go to different places."""
    with socket.create_server(("127.0.0.1", 0)) as elsewhere, socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 0))
        other.connect(elsewhere.getsockname())
        with asked_by(REUSING.format(other.getsockname()[1])) as end:
            assert end[0] == other.getsockname()[1]
            assert is_own_program(*end)
