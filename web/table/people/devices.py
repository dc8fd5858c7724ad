"""The devices that a table lets in: their records, and how a new one proves its presence.

devices = Devices(utc_now, store.devices)
pairing = Pairing(devices, steady_clock())
code = pairing.new_code()  # shown where only people at the table see it
device, secret = pairing.let_in(code.digits, "Phone")  # the secret goes into its cookie
devices.of(secret)
"""

from __future__ import annotations

import logging
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from scoreboard.errors import NotationError, ScoreboardError, StoreError
from scoreboard.message import message
from scoreboard.players import is_printable
from scoreboard.storage.devices import Device, DeviceRole, SqlDevices, hashed_secret
from scoreboard.table.ports import Clock
from scoreboard.typed_numbers import plain_digits

SECRET_BYTES: Final = 16
LONGEST_NAME: Final = 60
NOTED_EVERY: Final = timedelta(hours=1)  # a device's last use is not worth a write for each press
CODE_DIGITS: Final = 6
CODE_HOLDS: Final = timedelta(minutes=2)
HOLD_HOLDS: Final = timedelta(seconds=30)
WRONG_TRIES: Final = 5  # of one address
WRONG_TRIES_OF_ALL: Final = 30
WRONG_TRIES_WITHIN: Final = timedelta(minutes=1)
WRONG_TRIES_TOLD: Final = timedelta(minutes=10)
ASKS_IN_VAIN: Final = 6
ASKS_IN_VAIN_WITHIN: Final = timedelta(hours=1)
NO_CODE: Final = message("Type the six digits of the code.")
WRONG_CODE: Final = message(
    "That’s not the code, or its two minutes are over. Get a new one at the table."
)
TOO_MANY: Final = message("Too many wrong codes. Wait a minute, then try again.")
DECLINED: Final = message("The table said “Not now”. Ask again in two minutes.")
TOO_MANY_ASKS: Final = message(
    "Too many devices asked in vain. An owner can show a code: Menu, Devices, “Show a code”."
)
BUSY: Final = message("The table is letting in another device. Ask again in two minutes.")
LOG: Final = logging.getLogger(__name__)


class PairingRefusedError(ScoreboardError):
    """A device is not let in; `message` is the reason and the cure."""


class UnknownDeviceError(ScoreboardError, LookupError):
    """The device is not let in."""

    def __init__(self) -> None:
        super().__init__(message("There is no such device; it may have been removed meanwhile."))


class Devices:
    """The devices of one table. Thread-safe.

    All are held in memory, since each request asks for one; a table is the only program that
    changes its database. `kept` stores them.
    """

    def __init__(self, clock: Clock, kept: SqlDevices) -> None:
        """Read the stored devices. `clock` gives the time of day. Raises StoreError."""
        self._clock = clock
        self._kept = kept
        self._lock = Lock()
        self._known = {device.device_id: device for device in kept.all()}

    def of(self, secret: str) -> Device | None:
        """The device with this secret, None if there is none or it was removed."""
        hashed = hashed_secret(secret) if secret else None
        return next((one for one in self.let_in() if one.secret_sha256 == hashed), None)

    def name_of(self, device_id: str) -> str | None:
        """A device's name, even after it was removed; None for one never let in."""
        with self._lock:
            device = self._known.get(device_id)
        return None if device is None else device.name

    def let_in(self) -> tuple[Device, ...]:
        """The devices that are let in, the newest last."""
        with self._lock:
            return tuple(one for one in self._known.values() if one.revoked_at is None)

    def add(self, name: str, role: DeviceRole) -> tuple[Device, str]:
        """Let in a new device; gives it and the secret that it proves itself by.

        Raises NotationError, StoreError.
        """
        secret = secrets.token_urlsafe(SECRET_BYTES)
        with self._lock:
            device = Device(
                device_id=secrets.token_hex(4),
                name=self._unlike_others(device_name(name)),
                role=role,
                secret_sha256=hashed_secret(secret),
                created_at=self._clock(),
            )
            self._kept.add(device)
            self._known[device.device_id] = device
        LOG.info("let in: %s “%s”", role, device.name)
        return device, secret

    def change(self, device_id: str, name: str, role: DeviceRole) -> None:
        """Give a device another name or role.

        Raises UnknownDeviceError, also of a link: all who hold it would play with it;
        NotationError, StoreError.
        """
        wanted = device_name(name)
        with self._lock:
            device = self._active(device_id)
            if device.role == "watcher":
                raise UnknownDeviceError
            self._change(replace(device, name=wanted, role=role))
        LOG.info("changed: “%s” is %s “%s”", device.name, role, wanted)

    def revoke(self, device_id: str) -> None:
        """Let a device in no longer, for good. Raises UnknownDeviceError, StoreError."""
        with self._lock:
            self._change(gone := replace(self._active(device_id), revoked_at=self._clock()))
        LOG.info("removed: “%s”", gone.name)

    def revoke_all_but(self, device_id: str) -> None:
        """Remove all devices and links but that one, all or none. Raises StoreError."""
        with self._lock:
            others = (one for one in self._known.values() if one.device_id != device_id)
            active = (one for one in others if one.revoked_at is None)
            self._change(*(replace(one, revoked_at=self._clock()) for one in active))
        LOG.info("removed: all devices but the one that asked")

    def note_use(self, device_id: str) -> None:
        """Note that a device was used now; a failing write is logged: play goes on."""
        now = self._clock()
        with self._lock:
            device = self._known[device_id]
            if device.used_at is not None and now - device.used_at < NOTED_EVERY:
                return
            try:
                self._change(replace(device, used_at=now))
            except StoreError as error:
                LOG.warning("The last use of “%s” was not stored: %s", device.name, error)

    def _active(self, device_id: str) -> Device:
        device = self._known.get(device_id)
        if device is None or device.revoked_at is not None:
            raise UnknownDeviceError
        return device

    def _change(self, *devices: Device) -> None:
        self._kept.change(devices)
        self._known.update({device.device_id: device for device in devices})

    def _unlike_others(self, name: str) -> str:
        taken = {one.name for one in self._known.values() if one.revoked_at is None}
        numbered = (f"{name[: LONGEST_NAME - 5]} {number}" for number in range(2, len(taken) + 3))
        return next(each for each in (name, *numbered) if each not in taken)


def device_name(text: str) -> str:
    """Check a device's name and return it without surrounding blanks. Raises NotationError."""
    name = text.strip()
    if not 1 <= len(name) <= LONGEST_NAME or not is_printable(name):
        raise NotationError(
            message("Give the device a name of 1 to {most} characters.", most=LONGEST_NAME)
        )
    return name


@dataclass(frozen=True, slots=True)
class PairingCode:
    """Six digits that let one device in before `until`, in its `role`.

    The table shows a code that a device `asked` for to its owners.
    """

    digits: str
    until: datetime
    role: DeviceRole
    asked: bool = False


class Pairing:
    """Lets in devices that prove to be at the table. Thread-safe.

    They type the code that only the table shows, or ask right after KEEP and REROLL were held on
    the real panel. `clock` never jumps.
    """

    def __init__(self, devices: Devices, clock: Clock) -> None:
        self._devices = devices
        self._clock = clock
        self._lock = Lock()
        self._code: PairingCode | None = None
        self._held_until: datetime | None = None
        self._declined_until: datetime | None = None
        self._show: Callable[[PairingCode], object] | None = None
        self._wrong: deque[tuple[datetime, str]] = deque(maxlen=10 * WRONG_TRIES_OF_ALL)
        self._asks: deque[datetime] = deque(maxlen=ASKS_IN_VAIN)  # since a device was let in

    def new_code(self, role: DeviceRole = "player") -> PairingCode:
        """Make a code; it invalidates the one before."""
        with self._lock:
            self._code = self._made(role)
            return self._code

    def lasting_code(self) -> str:
        """The digits of a code for a player, valid for two minutes from this call on.

        They are the same from call to call, as somebody may be typing them; empty while a code
        counts that would make an owner.
        """
        with self._lock:
            now = self._clock()
            code = self._current(now) or self._made("player")
            if code.role != "player":
                return ""
            self._code = code if code.asked else replace(code, until=now + CODE_HOLDS)
            return code.digits

    def show_asked(self, show: Callable[[PairingCode], object]) -> None:
        """Have each code that a device asks for shown by this, too, from any thread."""
        self._show = show

    def ask(self) -> None:
        """Have the table show a code, since a device wants to play; a valid one is kept.

        Raises PairingRefusedError: the table declined lately, shows the code of an owner, or was
        asked in vain too often: a guesser would have it show codes for ever.
        """
        with self._lock:
            now = self._clock()
            if self._declined_until is not None and now < self._declined_until:
                raise PairingRefusedError(DECLINED)
            code = self._current(now) or self._made("player")
            if code.role != "player":  # all who read the screen would own the table
                raise PairingRefusedError(BUSY)
            if code.asked:
                return
            if len(self._asks) == ASKS_IN_VAIN and now - self._asks[0] < ASKS_IN_VAIN_WITHIN:
                raise PairingRefusedError(TOO_MANY_ASKS)
            self._asks.append(now)
            self._code = code = replace(code, asked=True)
        LOG.info("a device asks to be let in: the table shows a code")
        if self._show is not None:
            self._show(code)

    def asked(self) -> PairingCode | None:
        """The code that a device asked for, while it counts."""
        code = self.code()
        return code if code is not None and code.asked else None

    def decline(self) -> None:
        """Withdraw the requested code; no other can be requested while it was valid."""
        with self._lock:
            code = self._current(self._clock())
            if code is not None and code.asked:
                self._code, self._declined_until = None, code.until

    def code(self) -> PairingCode | None:
        with self._lock:
            return self._current(self._clock())

    def seconds_left(self, code: PairingCode) -> int:
        """How long that code is still valid."""
        return max(0, round((code.until - self._clock()).total_seconds()))

    def held(self) -> None:
        """KEEP and REROLL were held on the panel: the next device that asks soon is let in."""
        LOG.info("KEEP and REROLL were held: the next device that asks is let in")
        with self._lock:
            self._held_until = self._clock() + HOLD_HOLDS

    def wrong_tries(self) -> tuple[str, ...]:
        """The addresses that typed wrong codes in the last ten minutes, one a try."""
        with self._lock:
            return tuple(self._wrong_since(self._clock() - WRONG_TRIES_TOLD))

    def let_in(self, digits: str, name: str, address: str = "") -> tuple[Device, str]:
        """Let in a device that shows the code, or that asks after the buttons were held.

        Gives the device and its secret. The code, or the hold, is spent then. Wrong tries count by
        the `address` that they come from, and together. Raises PairingRefusedError, NotationError,
        StoreError.
        """
        wanted = device_name(name)  # a code is not spent on a name that is none
        with self._lock:
            role = self._spent("".join(plain_digits(digits).split()), address)
        return self._devices.add(wanted, role)

    def _wrong_since(self, since: datetime) -> list[str]:
        return [address for at, address in self._wrong if at > since]

    def _spent(self, digits: str, address: str) -> DeviceRole:
        """The role given by the code or the hold, which is spent."""
        now = self._clock()
        code, held = self._current(now), self._held_until is not None and now < self._held_until
        wrong = self._wrong_since(now - WRONG_TRIES_WITHIN)
        shut = wrong.count(address) >= WRONG_TRIES or len(wrong) >= WRONG_TRIES_OF_ALL
        right = code is not None and secrets.compare_digest(digits.encode(), code.digits.encode())
        if code is not None and right and not shut:
            self._code = None
            self._asks.clear()
            return code.role
        if held:
            self._held_until = None
            return "player"
        if shut:
            raise PairingRefusedError(TOO_MANY)
        if len(digits) != CODE_DIGITS:
            raise PairingRefusedError(NO_CODE)
        self._wrong.append((now, address))
        LOG.info("a device was refused: that is not the code")
        raise PairingRefusedError(WRONG_CODE)

    def _made(self, role: DeviceRole) -> PairingCode:
        digits = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
        return PairingCode(digits, self._clock() + CODE_HOLDS, role)

    def _current(self, now: datetime) -> PairingCode | None:
        return self._code if self._code is not None and now < self._code.until else None
