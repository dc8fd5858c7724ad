"""A stand-in for the module `evdev`, by its documented names: input devices that a test plugs in.

As python-evdev.readthedocs.io has them: `InputDevice` (path, name, fd, grab, read, capabilities,
close), `list_devices`, and `ecodes` with `EV_KEY`, `ecodes` and `bytype`.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

EV_SYN, EV_KEY = 0, 1
CODES = {
    "KEY_ENTER": 28, "KEY_R": 19, "KEY_K": 37, "KEY_U": 22, "KEY_SPACE": 57, "KEY_MUTE": 113,
    "KEY_A": 30,
}  # fmt: skip


class InputEvent(NamedTuple):
    """One event as `read` gives it."""

    type: int
    code: int
    value: int


class Keypad:
    """The thing in somebody's hand; `grabbed` says that it types nowhere else."""

    def __init__(self, path: str, name: str, keys: tuple[str, ...] = tuple(CODES)) -> None:
        self.path, self.name, self.keys = path, name, keys
        self.reader, self.writer = os.pipe()
        self.fault: OSError | None = None
        self.grabbed = False
        self.events: list[InputEvent] = []
        self.opened = 0

    def send(self, key: str, *values: int) -> None:
        """Press (1), repeat (2) or let go (0) a key."""
        for value in values:
            self.events += [InputEvent(EV_KEY, CODES[key], value), InputEvent(EV_SYN, 0, 0)]
        os.write(self.writer, b".")

    def unplug(self) -> None:
        """The kernel says that there is no such device, to whoever reads or opens it."""
        self.fault = OSError(errno.ENODEV, "No such device")
        os.write(self.writer, b".")

    def plug_in(self) -> None:
        self.fault = None


class FakeEvdev:
    """The module, with these devices plugged in."""

    def __init__(self, *keypads: Keypad) -> None:
        self.keypads = {keypad.path: keypad for keypad in keypads}
        names = {code: name for name, code in CODES.items()}
        names[CODES["KEY_MUTE"]] = ["KEY_MIN_INTERESTING", "KEY_MUTE"]  # type: ignore[assignment]
        self.ecodes = SimpleNamespace(EV_KEY=EV_KEY, ecodes=CODES, bytype={EV_KEY: names})

    def list_devices(self) -> list[str]:
        return [path for path, keypad in self.keypads.items() if keypad.fault is None]

    def InputDevice(self, path: str) -> InputDevice:  # noqa: N802 -- evdev's own name
        if path not in self.keypads:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        return InputDevice(self.keypads[path])


class InputDevice:
    """One that is open."""

    def __init__(self, keypad: Keypad) -> None:
        if keypad.fault is not None:
            raise keypad.fault
        self._keypad = keypad
        self.path, self.name, self.fd = keypad.path, keypad.name, keypad.reader
        keypad.opened += 1

    def grab(self) -> None:
        self._keypad.grabbed = True

    def capabilities(self) -> dict[int, Any]:
        return {EV_SYN: [0, 1], EV_KEY: [CODES[key] for key in self._keypad.keys]}

    def read(self) -> Iterator[InputEvent]:
        os.read(self.fd, 100)
        if self._keypad.fault is not None:
            raise self._keypad.fault
        events, self._keypad.events = self._keypad.events, []
        yield from events

    def close(self) -> None:
        self._keypad.grabbed = False
        self._keypad.opened -= 1
