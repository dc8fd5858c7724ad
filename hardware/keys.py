"""Keys of a USB keypad, a presenter or a Bluetooth remote as buttons, by evdev.

The device is read, and kept from typing elsewhere, whichever window is in front. One that is
unplugged or asleep is taken again as soon as it is back. Linux only.
"""

from __future__ import annotations

import importlib
import logging
import select
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from hardware.errors import PinError
from scoreboard.table.requests import Action
from scoreboard.worker import Worker

RETRY_SECONDS: Final = 1.0
_DOWN, _UP = 1, 0  # of an event's value; 2 is the repetition of a key that is held
_LOG: Final = logging.getLogger(__name__)


def load_evdev() -> Any:
    """The library that reads the keys. Raises PinError: it is not installed."""
    try:
        return importlib.import_module("evdev")
    except ImportError as error:
        raise PinError(
            f"Keys as buttons need evdev ({error}). Run: sudo apt install python3-evdev, or: "
            "pip install evdev"
        ) from error


@dataclass(slots=True)
class KeyContact:
    """The keys of one button as a contact for `Buttons`: down while any of them is."""

    when_activated: Callable[[], object] | None = None
    when_deactivated: Callable[[], object] | None = None
    _down: set[int] = field(default_factory=set)

    @property
    def is_active(self) -> bool:
        return bool(self._down)

    def change(self, code: int, *, down: bool) -> None:
        before = self.is_active
        (self._down.add if down else self._down.discard)(code)
        changed = self.when_activated if self.is_active else self.when_deactivated
        if self.is_active != before and changed is not None:
            changed()

    def release(self) -> None:
        """All keys are up: their device has gone."""
        for code in tuple(self._down):
            self.change(code, down=False)

    def close(self) -> None:
        """Report no further changes."""
        self.when_activated = self.when_deactivated = None


@dataclass(slots=True, eq=False)
class KeyDevice:
    """One input device whose keys are buttons.

        keypad = KeyDevice("/dev/input/by-id/usb-...-event-kbd", {"KEY_ENTER": Action.KEEP})
        buttons = Buttons(keypad.contacts(), inbox_press, clock=utc_now, settle_seconds=0)
        buttons.start()
        keypad.start()

    `wanted` is its path, or its name if it has no lasting path, such as a Bluetooth device.
    `meanings` gives keys by the kernel's names; `unknown` gets those without a meaning. `fault` is
    the reason the device cannot be read now.
    """

    wanted: str
    meanings: Mapping[str, Action]
    load: Callable[[], Any] = load_evdev
    unknown: Callable[[str], object] = lambda _name: None
    retry_seconds: float = RETRY_SECONDS
    fault: str = field(default="", init=False)
    _contacts: dict[Action, KeyContact] = field(
        default_factory=lambda: {action: KeyContact() for action in Action}, init=False
    )
    _codes: dict[int, KeyContact] = field(default_factory=dict, init=False)
    _worker: Worker = field(init=False)

    def __post_init__(self) -> None:
        self._worker = Worker("keys", self._watch, self.retry_seconds)

    def contacts(self) -> dict[Action, Callable[[], KeyContact]]:
        """Functions that open the contact of each button; none of them bounces."""
        return {action: partial(self._contacts.__getitem__, action) for action in Action}

    def start(self) -> None:
        """Read the device until `close`. Raises PinError: evdev is missing or lacks such a key."""
        evdev = self.load()
        for name, action in self.meanings.items():
            if name not in evdev.ecodes.ecodes:
                raise PinError(
                    f"No key is called “{name}”; “tablescore check” names the keys that you press."
                )
            self._codes[evdev.ecodes.ecodes[name]] = self._contacts[action]
        self._worker.start()

    def close(self) -> None:
        self._worker.stop(None)

    def _watch(self) -> None:
        evdev = self.load()
        try:
            with closing(self._opened(evdev)) as device:  # which gives it back to others, too
                device.grab()
                _LOG.info("keys: %s is read", device.name)
                self.fault = ""
                self._worker.works()
                self._read(evdev, device)
        except OSError as error:  # unplugged, asleep, not ours to read, grabbed by another one
            cure = "it is taken again once it is there"
            if isinstance(error, PermissionError):
                cure = "run: sudo usermod -aG input $USER, and sign in again"
            fault = f"The keys of {self.wanted} cannot be read ({error.strerror}): {cure}."
            if fault != self.fault:
                _LOG.warning("%s", fault)
            self.fault = fault
        finally:
            for contact in self._contacts.values():
                contact.release()

    def _opened(self, evdev: Any) -> Any:
        if self.wanted.startswith("/"):
            return evdev.InputDevice(self.wanted)
        for path in evdev.list_devices():
            device = evdev.InputDevice(path)
            keys = device.capabilities().get(evdev.ecodes.EV_KEY, ())
            if device.name == self.wanted and not self._codes.keys().isdisjoint(keys):
                return device
            device.close()
        raise FileNotFoundError(0, "no input device of that name has such keys")

    def _read(self, evdev: Any, device: Any) -> None:
        """Pass on the device's events, until `close`. Raises OSError once it has gone."""
        while not self._worker.stopping.is_set():
            if not select.select([device.fd], [], [], self.retry_seconds)[0]:
                continue
            for event in device.read():
                if event.type != evdev.ecodes.EV_KEY or event.value not in {_DOWN, _UP}:
                    continue
                contact = self._codes.get(event.code)
                if contact is not None:
                    contact.change(event.code, down=event.value == _DOWN)
                elif event.value == _DOWN:
                    names = evdev.ecodes.bytype[event.type].get(event.code, str(event.code))
                    self.unknown(names if isinstance(names, str) else names[0])
