"""The pages on which a device is let in, and on which an owner looks after all devices."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scoreboard.games import GAMES
from scoreboard.storage.devices import Device
from scoreboard.table.requests import GameAbandoned, GameOpened, Proposed
from scoreboard.table.session import TableSession
from scoreboard.table.view import TableView
from tests.patience import until
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.table.seen import seen
from tests.web.table.play.test_table_page import SAYS
from tests.web.table_fake import NO_GAME, FakeTable, forgetful_access, view_of
from web.shared.clocks import utc_now
from web.table.people.devices import NO_CODE

OWN = {"Origin": "http://localhost"}
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.9"}
ADDRESS = "http://192.0.2.1:8000/"


class Home:
    """A table with its pages, seen from its own machine and from a phone."""

    def __init__(self, watching: str = "open") -> None:
        self.access = forgetful_access(watching)  # type: ignore[arg-type]
        self.fake = FakeTable(view_of())
        app = self.fake.app(access=self.access, addresses=lambda: (ADDRESS,))
        self.here, self.phone = app.test_client(), app.test_client()

    def asks(self, path: str, client: FlaskClient | None = None) -> TestResponse:
        """The phone, or another device on the network, opens a page."""
        return (client or self.phone).get(path, environ_overrides=ELSEWHERE)

    def sends(self, path: str, **form: str) -> TestResponse:
        """The phone sends a form."""
        return self.phone.post(path, data=form, headers=OWN, environ_overrides=ELSEWHERE)

    def orders(self, path: str, **form: str) -> TestResponse:
        """The owner sends a form, at the table's own machine."""
        return self.here.post(path, data=form, headers=OWN)

    def pairs(self, role: str = "player") -> Device:
        """The phone is let in by a code that the owner shows."""
        assert self.orders("/devices/code", role=role).status_code == 303
        code = self.access.pairing.code()
        assert code is not None
        assert self.sends("/pair", code=code.digits, name="Phone").status_code == 303
        return self.access.devices.let_in()[-1]


def test_a_phone_is_let_in_and_plays() -> None:
    """The owner shows a code, as a square and as digits; the phone gets a cookie for a year."""
    home = Home()
    assert home.sends("/press", action="keep", seen=home.fake.seen).status_code == 403
    home.orders("/devices/code", role="player")
    code = home.access.pairing.code()
    assert code is not None
    shown = home.here.get("/devices").text
    assert f"{code.digits[:3]} {code.digits[3:]}" in shown
    assert f"{ADDRESS}pair" in shown
    assert 'class="square"' in shown
    answer = home.sends("/pair", code=code.digits, name="Phone")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Max-Age=31536000" in cookie
    assert home.sends("/press", action="keep", seen=home.fake.seen).status_code == 303
    assert len(home.fake.messages) == 1


SHOWING = ("/", "/tv", "/display", "/setup", "/games", "/about", "/devices")


def test_owners_see_the_code_that_a_phone_asks_for() -> None:
    """On every page of theirs, with the square; the phone only learns that it is shown."""
    home = Home()
    _, secret = home.access.devices.add("Tablet", "owner")
    owner = home.phone.application.test_client()
    owner.set_cookie("device-80", secret)
    assert home.sends("/pair/ask").status_code == 303
    code = home.access.pairing.asked()
    assert code is not None
    digits = f"{code.digits[:3]} {code.digits[3:]}"
    for path in (*SHOWING, "/devices/asked"):
        for page in (home.here.get(path), home.asks(path, owner)):
            assert page.text.count(digits) == 1, path
            assert page.text.count('class="square"') >= 1, path
    assert "The table shows a code now" in home.asks("/pair").text
    assert home.orders("/devices/asked/decline").status_code == 303
    assert digits not in home.here.get("/").text
    assert home.sends("/pair/ask").status_code == 422


@pytest.mark.parametrize("role", ["stranger", "watcher", "player"])
def test_nobody_else_sees_a_code(role: str) -> None:
    """Not on the big screen either: whoever opens it on the network would let themselves in."""
    home = Home()
    if role != "stranger":
        _, secret = home.access.devices.add("Phone", role)  # type: ignore[arg-type]
        home.phone.set_cookie("device-80", secret)
    home.here.get("/tv")  # drawn for the machine itself first
    home.access.pairing.ask()
    code = home.access.pairing.asked()
    assert code is not None
    for path in (*SHOWING, "/pair", "/devices/asked"):
        shown = home.asks(path).text
        assert code.digits not in shown, path
        assert f"{code.digits[:3]} {code.digits[3:]}" not in shown, path
    assert 'class="asked-code"' in home.here.get("/tv").text


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148", "Phone"),
        ("Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/130 Mobile Safari/537.36", "Phone"),
        ("Mozilla/5.0 (Linux; Android 14; SM-X210) Chrome/130 Safari/537.36", "Tablet"),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/130 Safari/537.36", "Computer"),
        ("", "Computer"),
    ],
)
def test_a_name_is_proposed(agent: str, name: str) -> None:
    """So that one tap is enough."""
    home = Home()
    page = home.phone.get("/pair", headers={"User-Agent": agent}, environ_overrides=ELSEWHERE)
    assert f'name="name" value="{name}"' in page.text


def test_a_wrong_code_is_explained_and_the_name_stays() -> None:
    """Nothing typed is lost but the digits."""
    home = Home()
    answer = home.sends("/pair", code="12345", name="Ben’s <b>phone</b>")
    assert answer.status_code == 422
    assert str(NO_CODE) in answer.text
    assert 'value="Ben’s &lt;b&gt;phone&lt;/b&gt;"' in answer.text


def test_an_owner_sees_who_types_wrong_codes() -> None:
    """How often, and from which address."""
    home = Home()
    assert "Wrong codes" not in home.here.get("/devices").text
    for _ in range(2):
        home.sends("/pair", code="000000", name="Phone")
    shown = home.here.get("/devices").text
    assert "Wrong codes in the last ten minutes: 2, the last from 192.0.2.9." in shown


def test_who_is_in_asks_for_no_code_and_spends_none() -> None:
    """Neither the table's own machine, nor a device that may play already."""
    home = Home()
    home.pairs()
    assert home.sends("/pair/ask").status_code == 303
    assert home.access.pairing.asked() is None  # its screen would interrupt a game for it
    digits = home.access.pairing.new_code().digits
    home.sends("/pair", code=digits, name="Again")
    home.orders("/pair", code=digits, name="Myself")
    assert "let in already" in home.asks("/pair").text
    assert home.access.pairing.code() is not None
    assert len(home.access.devices.let_in()) == 1


def test_an_owner_s_device_looks_after_the_others() -> None:
    """Names, roles, removing: what the table's own machine can, a paired owner can, too."""
    home = Home()
    own = home.pairs("owner")
    other, secret = home.access.devices.add("Tablet", "player")
    path = f"/devices/{other.device_id}"
    assert home.sends(path, name="Kitchen", role="owner").status_code == 303
    changed = home.access.devices.of(secret)
    assert changed is not None
    assert (changed.name, changed.role) == ("Kitchen", "owner")
    assert "Kitchen" in home.asks("/devices").text
    assert home.sends(path, name="Kitchen", role="emperor").status_code == 400
    assert home.sends(f"{path}/revoke").status_code == 303
    assert home.sends(f"{path}/revoke").status_code == 422
    assert [device.device_id for device in home.access.devices.let_in()] == [own.device_id]


@pytest.mark.parametrize(("by_phone", "left"), [(True, ["Phone"]), (False, [])])
def test_all_others_are_removed(*, by_phone: bool, left: list[str]) -> None:
    """Links, too; the device that asks stays, and the machine itself needs none."""
    home = Home()
    home.pairs("owner")
    home.access.devices.add("Tablet", "player")
    home.access.devices.add("Cousins", "watcher")
    (home.sends if by_phone else home.orders)("/devices/others")
    assert [device.name for device in home.access.devices.let_in()] == left
    assert home.asks("/devices").status_code == (200 if by_phone else 403)


def test_a_link_lets_watch_until_it_is_withdrawn() -> None:
    """It is shown once, works from any device, and lets nobody play."""
    home = Home("code")
    made = home.orders("/devices/links", name="Cousins")
    found = re.search(rf"{ADDRESS}w#([\w-]+)<", made.text)
    assert found is not None
    assert 'id="watch-secret"' in home.asks("/w").text  # its script sends what stands behind the #
    assert found[1] not in home.here.get("/devices").text
    assert home.asks("/").status_code == 403
    opened = home.sends("/w", secret=found[1])
    assert opened.status_code == 200
    assert 'http-equiv="refresh"' in opened.text  # else the cookie would not come along
    assert home.asks("/").status_code == 200
    assert home.sends("/press", action="keep", seen=home.fake.seen).status_code == 403
    (link,) = home.access.devices.let_in()
    home.orders(f"/devices/{link.device_id}/revoke")
    assert home.asks("/").status_code == 403
    gone = home.sends("/w", secret=found[1])
    assert gone.status_code == 404
    assert "no longer works" in gone.text


def test_an_owner_opens_earlier_games_to_whoever_watches() -> None:
    """By one switch, which is closed at first; the page leads nobody where they may not go."""
    home = Home()
    for shown, status in (("", 403), ("yes", 200), ("no", 403)):
        if shown:
            home.orders("/devices/earlier", shown=shown)
        assert home.asks("/games").status_code == status
        assert ('href="/games"' in home.asks("/").text) == (status == 200)
    assert home.sends("/devices/earlier", shown="yes").status_code == 403


def test_only_a_link_s_secret_is_a_link() -> None:
    """What is in an address ends in histories; and a player who opens a link goes on playing."""
    home = Home()
    home.pairs()
    _, link = home.access.devices.add("Cousins", "watcher")
    assert "Set-Cookie" not in home.asks(f"/w/{link}").headers
    assert home.asks("/setup").status_code == 200
    _, secret = home.access.devices.add("Phone", "player")
    assert home.asks(f"/w/{secret}").status_code == 404


@pytest.mark.parametrize("role", ["watcher", "player", "owner"])
def test_the_page_shows_what_its_reader_may_do(role: str) -> None:
    """One drawing never serves two rights."""
    home = Home()
    if role != "watcher":
        home.pairs(role)
    home.here.get("/")  # drawn for the machine itself first
    text = home.asks("/").text
    live = text[text.index('id="live"') : text.index("</main>")]
    assert ("<button" in live) == (role != "watcher")
    assert ("<form" in live) == (role != "watcher")
    assert ('href="/pair"' in text) == (role == "watcher")
    assert ('href="/devices"' in text) == (role == "owner")
    assert ("/delete" in home.asks("/games").text) == (role == "owner")


def acts_in(page: TestResponse) -> list[str]:
    """What can be done with the live part of the table page; to look at more is no act."""
    live = page.text[page.text.index('id="live"') : page.text.index("</main>")]
    dialogs = (f'popovertarget="{each}' for each in ("hand", "die-", "fill-", "foul"))
    acts = ("formaction", 'form="', "<form", "<input", "<textarea", 'href="/setup', *dialogs)
    return [act for act in acts if act in live]


def played(game: str, stage: str) -> TableView:
    """A table in a game that was just begun; with pieces read in it; or closed."""
    session = TableSession(MemoryStore(), utc_now, [], lambda: "g1")
    session.receive(GameOpened(game, ("North", "South", "West"), {}))
    if stage == "closed":
        session.receive(GameAbandoned(session.view.version))
    elif stage == "seen" and session.view.reader != "dice":
        session.receive(Proposed(seen("R1 R2 R3")))
    return session.view


def test_a_watcher_sees_no_buttons() -> None:
    """Nor forms, nor dialogs to write in, whatever the table shows; and the others see them."""
    for view in (
        *(make() for make, _, _ in SAYS.values()),
        *(played(game, stage) for game in GAMES for stage in ("begun", "seen", "closed")),
    ):
        home = Home()
        home.fake.shown = view
        assert acts_in(home.asks("/")) == [], view
        assert acts_in(home.here.get("/")) != [] or view.stage == "no game", view


def test_a_stream_ends_with_the_right_to_it() -> None:
    """A phone that is removed sees no further state, and is not kept waiting for one."""
    home = Home("closed")
    device = home.pairs()
    home.fake.live.announce(NO_GAME)
    answer = home.phone.get("/live", environ_overrides=ELSEWHERE, buffered=False)
    parts = iter(answer.response)
    assert answer.headers["X-Accel-Buffering"] == "no"  # else nginx holds events back
    assert "retry" in str(next(parts))
    assert "event: table" in str(next(parts))
    home.access.devices.revoke(device.device_id)
    assert list(parts) == []
    answer.close()
    until(lambda: home.fake.live.viewers == 0)
