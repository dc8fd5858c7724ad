"""How a device proves that it is at the table, and what is remembered of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from scoreboard.errors import NotationError, StoreError
from scoreboard.message import message
from scoreboard.storage import SqlStore, open_store
from scoreboard.storage.devices import DeviceRole
from tests.web.table_fake import NOON, NoDevices
from web.table.people.devices import (
    NO_CODE,
    TOO_MANY,
    WRONG_CODE,
    Devices,
    Pairing,
    PairingCode,
    PairingRefusedError,
    UnknownDeviceError,
)


@dataclass
class Door:
    """A table's devices and the way in, with a clock that the test sets."""

    now: datetime = NOON
    devices: Devices = field(init=False)
    pairing: Pairing = field(init=False)

    def __post_init__(self) -> None:
        self.devices = Devices(self.clock, NoDevices())
        self.pairing = Pairing(self.devices, self.clock)

    def clock(self) -> datetime:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def wrong(self) -> str:
        code = self.pairing.code()
        return "000000" if code is None or code.digits != "000000" else "111111"

    def refuses(self, digits: str, address: str = "") -> str:
        """What is said to a device that shows this code, and is not let in."""
        before = self.devices.let_in()
        with pytest.raises(PairingRefusedError) as refused:
            self.pairing.let_in(digits, "Phone", address)
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


def test_a_lasting_code_counts_for_two_minutes_after_it_was_last_asked_for() -> None:
    """It stays the same, as it may be on its way; and is never one that makes an owner."""
    door = Door()
    digits = door.pairing.lasting_code()
    for _ in range(10):
        door.passes(119)
        assert door.pairing.lasting_code() == digits
    door.passes(119)
    assert door.pairing.let_in(digits, "Phone")[0].role == "player"
    assert door.pairing.lasting_code() not in {digits, ""}
    owners = door.pairing.new_code("owner")
    assert door.pairing.lasting_code() == ""
    assert door.pairing.code() == owners


def test_an_address_has_five_wrong_tries_a_minute() -> None:
    """Then the right code is refused there, too, until the first is a minute old; elsewhere not."""
    door = Door()
    right = door.pairing.new_code().digits
    for _ in range(5):
        assert door.refuses(door.wrong(), "192.0.2.9") == str(WRONG_CODE)
        door.passes(10)
    assert door.refuses(right, "192.0.2.9") == str(TOO_MANY)
    door.pairing.let_in(right, "Phone", "192.0.2.8")
    right = door.pairing.new_code().digits
    door.passes(10)
    door.pairing.let_in(right, "Phone", "192.0.2.9")


def test_all_addresses_have_thirty_wrong_tries_a_minute() -> None:
    """Many devices guess no faster than six."""
    door = Door()
    right = door.pairing.new_code().digits
    for number in range(30):
        assert door.refuses(door.wrong(), f"192.0.2.{number}") == str(WRONG_CODE)
    assert door.refuses(right, "192.0.2.99") == str(TOO_MANY)
    door.passes(60)
    door.pairing.let_in(right, "Phone", "192.0.2.99")


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
    shown = door.pairing.new_code()
    door.pairing.decline()
    assert door.pairing.code() == shown  # an owner showed it on purpose
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
    assert other.name == "Phone 2"  # every phone is called Phone at first
    assert door.devices.add("Phone", "player")[0].name == "Phone 3"
    link, _ = door.devices.add("Cousins", "watcher")
    with pytest.raises(UnknownDeviceError):  # all who have it would play
        door.devices.change(link.device_id, "Cousins", "player")
    door.devices.revoke(device.device_id)
    assert door.devices.of(secret) is None
    assert device not in door.devices.let_in()
    assert other in door.devices.let_in()
    for unknown in (device.device_id, "nobody"):
        with pytest.raises(UnknownDeviceError):
            door.devices.revoke(unknown)
        with pytest.raises(UnknownDeviceError):
            door.devices.change(unknown, "Back", "owner")


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


class FullDisk(NoDevices):
    """Takes new devices, and no changes."""

    def change(self, devices: object) -> None:  # noqa: ARG002
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
