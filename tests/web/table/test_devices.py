"""How a device proves that it is at the table, and what is remembered of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scoreboard.errors import NotationError, StoreError
from scoreboard.games import GAMES
from scoreboard.message import message
from scoreboard.storage import MemoryStore, SqlStore, open_store
from scoreboard.storage.devices import Device, DeviceRole, SqlDevices
from scoreboard.table.requests import GameAbandoned, GameOpened, Proposed
from scoreboard.table.session import TableSession
from scoreboard.table.view import TableView
from tests.scoreboard.table.seen import seen
from tests.scoreboard.tournament.client.fakes import wait_for
from tests.web.table.test_table_page import SAYS
from tests.web.table_fake import NO_GAME, NOON, FakeTable, view_of
from web.clocks import utc_now
from web.table.access import Access
from web.table.app import create_app
from web.table.devices import (
    NO_CODE,
    TOO_MANY,
    WRONG_CODE,
    Devices,
    Pairing,
    PairingCode,
    PairingRefusedError,
    UnknownDeviceError,
)

OWN = {"Origin": "http://localhost"}
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.9"}
ADDRESS = "http://192.0.2.1:8000/"


@dataclass
class Door:
    """A table's devices and the way in, with a clock that the test sets."""

    now: datetime = NOON
    devices: Devices = field(init=False)
    pairing: Pairing = field(init=False)

    def __post_init__(self) -> None:
        self.devices = Devices(self.clock)
        self.pairing = Pairing(self.devices, self.clock)

    def clock(self) -> datetime:
        """The time of the test."""
        return self.now

    def passes(self, seconds: float) -> None:
        """So much time passes."""
        self.now += timedelta(seconds=seconds)

    def wrong(self) -> str:
        """A code that is not the one that is shown."""
        code = self.pairing.code()
        return "000000" if code is None or code.digits != "000000" else "111111"

    def refuses(self, digits: str) -> str:
        """What is said to a device that shows this code, and is not let in."""
        before = self.devices.let_in()
        with pytest.raises(PairingRefusedError) as refused:
            self.pairing.let_in(digits, "Phone")
        assert self.devices.let_in() == before
        return str(refused.value)


@pytest.mark.parametrize("role", ["player", "owner"])
def test_a_code_lets_in_one_device(role: DeviceRole) -> None:
    """As what it says; a second device with the same digits is refused."""
    door = Door()
    digits = door.pairing.new_code(role).digits
    assert re.fullmatch("[0-9]{6}", digits)
    device, secret = door.pairing.let_in(f"{digits[:3]} {digits[3:]}", " Ben’s phone ")
    assert (device.name, device.role, device.created_at) == ("Ben’s phone", role, NOON)
    assert door.devices.of(secret) == device
    assert door.refuses(digits) == str(WRONG_CODE)


def test_a_code_counts_for_two_minutes() -> None:
    """A moment before their end it does, then it is gone."""
    door = Door()
    digits = door.pairing.new_code().digits
    door.passes(119)
    assert door.pairing.code() is not None
    door.passes(1)
    assert door.pairing.code() is None
    assert door.refuses(digits) == str(WRONG_CODE)


def test_a_new_code_ends_the_one_before() -> None:
    """One is shown at a time."""
    door = Door()
    first = door.pairing.new_code().digits
    while door.pairing.new_code().digits == first:
        pass
    assert door.refuses(first) == str(WRONG_CODE)


def test_five_wrong_tries_a_minute_are_all_that_anybody_has() -> None:
    """Then the right code is refused, too, until the first of them is a minute old."""
    door = Door()
    right = door.pairing.new_code().digits
    for _ in range(5):
        assert door.refuses(door.wrong()) == str(WRONG_CODE)
        door.passes(10)
    assert door.refuses(right) == str(TOO_MANY)
    door.passes(10)
    door.pairing.let_in(right, "Phone")


def test_a_device_that_asks_has_a_code_shown() -> None:
    """Once, for two minutes, to whoever shows it; whoever asks meanwhile makes no other."""
    door, shown = Door(), list[PairingCode]()
    door.pairing.show_asked(shown.append)
    door.pairing.ask()
    door.passes(60)
    door.pairing.ask()
    code = door.pairing.asked()
    assert code is not None
    assert (code.role, door.pairing.seconds_left(code), shown) == ("player", 60, [code])
    door.pairing.let_in(code.digits, "Phone")
    assert door.pairing.asked() is None


def test_asking_ends_no_code_that_counts() -> None:
    """Somebody is typing that of a player; that of an owner stands on no screen by itself."""
    door = Door()
    digits = door.pairing.new_code().digits
    assert door.pairing.asked() is None
    door.pairing.ask()
    asked = door.pairing.asked()
    assert asked is not None
    assert asked.digits == digits
    owners = door.pairing.new_code("owner")
    with pytest.raises(PairingRefusedError, match="another device"):
        door.pairing.ask()
    assert (door.pairing.code(), door.pairing.asked()) == (owners, None)


def test_the_table_can_say_not_now() -> None:
    """The code counts no more, and nobody gets another before its two minutes are over."""
    door = Door()
    door.pairing.ask()
    code = door.pairing.asked()
    assert code is not None
    door.passes(20)
    door.pairing.decline()
    assert door.refuses(code.digits) == str(WRONG_CODE)
    door.passes(99)
    with pytest.raises(PairingRefusedError, match="Not now"):
        door.pairing.ask()
    door.passes(1)
    door.pairing.ask()
    assert door.pairing.asked() is not None


def test_not_now_ends_no_code_that_nobody_asked_for() -> None:
    """The owner showed it on purpose."""
    door = Door()
    code = door.pairing.new_code()
    door.pairing.decline()
    assert door.pairing.code() == code


def test_asking_in_vain_ends() -> None:
    """A guesser would have a code shown for ever; a device that is let in starts the count anew."""
    door = Door()
    for _ in range(5):
        door.pairing.ask()
        door.passes(120)
    door.pairing.ask()
    code = door.pairing.asked()
    assert code is not None
    door.pairing.let_in(code.digits, "Phone")
    for _ in range(6):
        door.pairing.ask()
        door.passes(120)
    with pytest.raises(PairingRefusedError, match="in vain"):
        door.pairing.ask()
    door.passes(3600 - 6 * 120)
    door.pairing.ask()


@pytest.mark.parametrize("digits", ["", "12345", "1234567"])
def test_what_is_no_code_is_no_try(digits: str) -> None:
    """Nobody loses a try by forgetting a digit."""
    door = Door()
    right = door.pairing.new_code().digits
    for _ in range(9):
        assert door.refuses(digits) == str(NO_CODE)
    door.pairing.let_in(right, "Phone")


def test_a_name_that_is_none_spends_no_code() -> None:
    """The device may try again with a better one."""
    door = Door()
    digits = door.pairing.new_code().digits
    for name in ("", "  ", "x" * 61, "two\nlines"):
        with pytest.raises(NotationError, match="1 to 60"):
            door.pairing.let_in(digits, name)
    door.pairing.let_in(digits, "x" * 60)


@pytest.mark.parametrize("shut", [False, True])
def test_holding_the_buttons_lets_in_the_next_device(*, shut: bool) -> None:
    """Without a code, within half a minute, as a player, and one; also where guessers had a go."""
    door = Door()
    for _ in range(5 if shut else 0):
        door.refuses("000000")
    door.pairing.held()
    door.passes(29)
    assert door.pairing.let_in("", "Phone")[0].role == "player"
    assert door.refuses("") == str(TOO_MANY if shut else NO_CODE)
    door.pairing.held()
    door.passes(61)
    assert door.refuses("") == str(NO_CODE)


def test_a_right_code_leaves_the_hold_to_the_next() -> None:
    """Both were meant for a device each."""
    door = Door()
    door.pairing.held()
    door.pairing.let_in(door.pairing.new_code("owner").digits, "Tablet")
    door.pairing.let_in("", "Phone")
    assert [device.role for device in door.devices.let_in()] == ["owner", "player"]


def test_a_device_that_is_removed_stays_out() -> None:
    """Its secret opens nothing, and nobody can bring it back."""
    door = Door()
    device, secret = door.devices.add("Phone", "player")
    other, _ = door.devices.add("Phone", "player")
    door.devices.revoke(device.device_id)
    assert door.devices.of(secret) is None
    assert door.devices.let_in() == (other,)
    for unknown in (device.device_id, "nobody"):
        with pytest.raises(UnknownDeviceError):
            door.devices.revoke(unknown)
        with pytest.raises(UnknownDeviceError):
            door.devices.change(unknown, "Back", "owner")


def test_two_devices_are_not_called_alike() -> None:
    """Every phone is called Phone at first."""
    door = Door()
    names = [door.devices.add("Phone", "player")[0].name for _ in range(3)]
    assert names == ["Phone", "Phone 2", "Phone 3"]


def test_a_link_never_becomes_a_player() -> None:
    """Whoever got it would play."""
    door = Door()
    link, _ = door.devices.add("Cousins", "watcher")
    with pytest.raises(UnknownDeviceError):
        door.devices.change(link.device_id, "Cousins", "player")


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[], SqlStore]:
    """Opens the same database again and again."""

    def open_again() -> SqlStore:
        store = open_store(f"sqlite:///{tmp_path}/games.db")
        assert isinstance(store, SqlStore)
        return store

    return open_again


def test_devices_outlive_a_restart(kept: Callable[[], SqlStore]) -> None:
    """With name, role and last use, or removed; of the secret only its hash is stored."""
    now = [NOON]
    with closing(kept()) as store:
        devices = Devices(lambda: now[0], store.devices)
        phone, secret = devices.add("Phone", "player")
        gone, old_secret = devices.add("Lost", "owner")
        devices.change(phone.device_id, "Ben’s", "owner")
        devices.revoke(gone.device_id)
        devices.note_use(phone.device_id)
        now[0] += timedelta(minutes=59)
        devices.note_use(phone.device_id)  # so soon it is not worth a write
    with closing(kept()) as store:
        again = Devices(lambda: now[0], store.devices)
        found = again.of(secret)
        assert found is not None
        assert (found.name, found.role, found.used_at) == ("Ben’s", "owner", NOON)
        assert again.of(old_secret) is None
        assert secret not in repr(store.devices.all())


class FullDisk(SqlDevices):
    """Takes new devices, and no changes."""

    def __init__(self) -> None:
        pass

    def all(self) -> tuple[Device, ...]:
        """Nothing was stored."""
        return ()

    def add(self, device: Device) -> None:
        """There was room for it."""

    def change(self, devices: object) -> None:  # noqa: ARG002
        """There is none now."""
        raise StoreError(message("The disk is full."))


def test_a_full_disk_stops_no_press(caplog: pytest.LogCaptureFixture) -> None:
    """That a device was used is worth no fault; that it was removed is."""
    devices = Devices(lambda: NOON, FullDisk())
    device, secret = devices.add("Phone", "player")
    devices.note_use(device.device_id)
    assert "The disk is full" in caplog.text
    with pytest.raises(StoreError):
        devices.revoke(device.device_id)
    assert devices.of(secret) == device


# ---- the pages


class Home:
    """A table with its pages, seen from its own machine and from a phone."""

    def __init__(self, watching: str = "open") -> None:
        self.access = Access.forgetful(watching)  # type: ignore[arg-type]
        self.fake = FakeTable(view_of())
        app = create_app(self.fake.table(access=self.access, addresses=lambda: (ADDRESS,)))
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


def test_who_may_play_asks_for_nothing() -> None:
    """The table's own screen would interrupt a game for it."""
    home = Home()
    home.pairs()
    assert home.sends("/pair/ask").status_code == 303
    assert home.access.pairing.asked() is None


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


def test_who_is_in_spends_no_code() -> None:
    """Not the table's own machine, and no device that may play already."""
    home = Home()
    home.pairs()
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
    found = re.search(rf"{ADDRESS}(w/[\w-]+)", made.text)
    assert found is not None
    assert found[1] not in home.here.get("/devices").text
    assert home.asks("/").status_code == 403
    opened = home.asks(f"/{found[1]}")
    assert opened.status_code == 200
    assert 'http-equiv="refresh"' in opened.text  # else the cookie would not come along
    assert home.asks("/").status_code == 200
    assert home.sends("/press", action="keep", seen=home.fake.seen).status_code == 403
    (link,) = home.access.devices.let_in()
    home.orders(f"/devices/{link.device_id}/revoke")
    assert home.asks("/").status_code == 403
    gone = home.asks(f"/{found[1]}")
    assert gone.status_code == 404
    assert "no longer works" in gone.text


def test_a_link_takes_no_right_away() -> None:
    """A player who opens it goes on playing."""
    home = Home()
    home.pairs()
    _, secret = home.access.devices.add("Cousins", "watcher")
    assert "Set-Cookie" not in home.asks(f"/w/{secret}").headers
    assert home.asks("/setup").status_code == 200


def test_a_player_s_secret_is_no_link() -> None:
    """What stands in an address ends in histories."""
    home = Home()
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
    """What can be done with the live part of the table page."""
    live = page.text[page.text.index('id="live"') : page.text.index("</main>")]
    acts = ("<button", "<form", "<input", "<textarea", "popover", 'href="/setup')
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


@pytest.mark.parametrize(
    "view",
    [
        *(pytest.param(make, id=name) for name, (make, _, _) in SAYS.items()),
        *(
            pytest.param(partial(played, game, stage), id=f"{game}, {stage}")
            for game in GAMES
            for stage in ("begun", "seen", "closed")
        ),
    ],
)
def test_a_watcher_sees_no_buttons(view: Callable[[], TableView]) -> None:
    """Nor forms, nor dialogs to write in, whatever the table shows; and the others see them."""
    home = Home()
    home.fake.shown = view()
    assert acts_in(home.asks("/")) == []
    assert acts_in(home.here.get("/")) != [] or home.fake.shown.stage == "no game"


def test_a_stream_ends_with_the_right_to_it() -> None:
    """A phone that is removed sees no further state, and is not kept waiting for one."""
    home = Home("closed")
    device = home.pairs()
    home.fake.live.announce(NO_GAME)
    answer = home.phone.get("/live", environ_overrides=ELSEWHERE, buffered=False)
    parts = iter(answer.response)
    assert "retry" in str(next(parts))
    assert "event: table" in str(next(parts))
    home.access.devices.revoke(device.device_id)
    assert list(parts) == []
    answer.close()
    wait_for(lambda: home.fake.live.viewers == 0)
