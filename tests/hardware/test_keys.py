"""The keys of a keypad as buttons, read from a stand-in for evdev."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Event
from typing import Final

import pytest

from hardware.buttons import Buttons
from hardware.errors import PinError
from hardware.keys import KeyDevice, load_evdev
from hardware.trial import try_key
from scoreboard.table.requests import Action
from tests.hardware.fake_evdev import FakeEvdev, Keypad
from tests.patience import PATIENCE_SECONDS
from web.shared.clocks import utc_now
from web.shared.settings import Settings
from web.table.play.panel import key_meanings

PATH: Final = "/dev/input/by-id/usb-keypad-event-kbd"
MEANINGS: Final = {
    "KEY_ENTER": Action.KEEP,
    "KEY_K": Action.KEEP,
    "KEY_R": Action.REROLL,
    "KEY_U": Action.UNDO,
}


@pytest.fixture
def keypad() -> Keypad:
    """A keypad that lies on the table."""
    return Keypad(PATH, "Big Buttons")


class Hand:
    """What came of the keys."""

    def __init__(self) -> None:
        self.presses: SimpleQueue[Action] = SimpleQueue()
        self.held = Event()

    def pressed(self) -> Action:
        return self.presses.get(timeout=PATIENCE_SECONDS)


@contextmanager
def read(keypad: Keypad, wanted: str = PATH, *, long_press: float | None = None) -> Iterator[Hand]:
    """The keypad as buttons."""
    hand = Hand()
    evdev = FakeEvdev(Keypad("/dev/input/event0", "Big Buttons", ()), keypad)
    device = KeyDevice(wanted, MEANINGS, load=lambda: evdev, retry_seconds=0.01)
    buttons = Buttons(
        device.contacts(),
        lambda action, _at: hand.presses.put(action),
        clock=utc_now,
        holds={0.05: lambda _at: hand.held.set()},
        settle_seconds=0,
        long_press=long_press,
    )
    buttons.start()
    device.start()
    try:
        until(lambda: keypad.grabbed or keypad.fault is not None)
        yield hand
    finally:
        device.close()
        buttons.close()


def until(condition: Callable[[], object]) -> None:
    """Wait for it."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < PATIENCE_SECONDS
        time.sleep(0.001)


def test_each_key_is_the_button_that_it_means(keypad: Keypad) -> None:
    """A key that is held repeats itself, and is one press; a remote lets go at once."""
    with read(keypad) as hand:
        for key, action in MEANINGS.items():
            keypad.send(key, 1, 2, 2)
            assert hand.pressed() is action
            keypad.send(key, 0)
            time.sleep(0.1)
        keypad.send("KEY_U", 1, 0)
        assert hand.pressed() is Action.UNDO
        assert hand.presses.empty()
        assert not hand.held.is_set()


def test_one_key_is_enough(keypad: Keypad) -> None:
    """Pressed and let go it is KEEP; held, it is REROLL while it is still down."""
    with read(keypad, long_press=0.2) as hand:
        keypad.send("KEY_ENTER", 1, 0)
        assert hand.pressed() is Action.KEEP
        time.sleep(0.1)
        keypad.send("KEY_ENTER", 1, 2, 2)
        assert hand.pressed() is Action.REROLL
        keypad.send("KEY_ENTER", 0)
        time.sleep(0.1)
        assert hand.presses.empty()


def test_the_device_types_nowhere_else_and_is_given_back(keypad: Keypad) -> None:
    """Enter on a keypad would answer whatever the desktop asks."""
    with read(keypad):
        assert keypad.grabbed
    assert (keypad.grabbed, keypad.opened) == (False, 0)


def test_keep_and_reroll_held_together_are_the_chord(keypad: Keypad) -> None:
    """As on the real panel."""
    with read(keypad) as hand:
        keypad.send("KEY_ENTER", 1)
        keypad.send("KEY_R", 1)
        assert hand.held.wait(PATIENCE_SECONDS)


def test_a_device_that_was_unplugged_goes_on_by_itself(
    keypad: Keypad, caplog: pytest.LogCaptureFixture
) -> None:
    """What was down when it went is up; the log has one line a loss, however long it lasts."""
    with read(keypad) as hand, caplog.at_level(logging.WARNING):
        keypad.send("KEY_ENTER", 1)
        assert hand.pressed() is Action.KEEP
        keypad.unplug()
        until(lambda: caplog.messages)
        time.sleep(0.1)
        keypad.plug_in()
        until(lambda: keypad.grabbed)
        keypad.send("KEY_R", 1)
        assert hand.pressed() is Action.REROLL
        time.sleep(0.1)
        assert not hand.held.is_set()
    (line,) = caplog.messages
    assert line == (
        f"The keys of {PATH} cannot be read (No such device): it is taken again once it is there."
    )


def test_a_remote_that_is_asleep_at_the_start_is_taken_by_its_name_later(keypad: Keypad) -> None:
    """Bluetooth has no lasting path; of two devices of that name the one with the keys counts."""
    keypad.unplug()
    with read(keypad, "Big Buttons") as hand:
        keypad.plug_in()
        until(lambda: keypad.grabbed)
        keypad.send("KEY_U", 1, 0)
        assert hand.pressed() is Action.UNDO


def test_who_may_not_read_it_is_told_which_group_may(
    keypad: Keypad, caplog: pytest.LogCaptureFixture
) -> None:
    """Debian's is `input`."""
    keypad.fault = PermissionError(13, "Permission denied")
    with read(keypad):
        until(lambda: caplog.messages)
    assert "run: sudo usermod -aG input $USER" in caplog.messages[0]


def test_a_key_that_does_not_exist_is_refused(keypad: Keypad) -> None:
    """With the way to find its name."""
    device = KeyDevice(PATH, {"KEY_ENTR": Action.KEEP}, load=lambda: FakeEvdev(keypad))
    with pytest.raises(PinError, match="No key is called “KEY_ENTR”; “tablescore check” names"):
        device.start()


def test_without_evdev_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """And two ways to get it."""
    monkeypatch.setitem(__import__("sys").modules, "evdev", None)
    with pytest.raises(PinError, match=r"python3-evdev, or: pip install evdev"):
        load_evdev()


@pytest.mark.parametrize(
    ("key", "works", "saw"),
    [
        ("KEY_K", True, "A press was seen."),
        ("KEY_MUTE", False, "No press was seen; name its key in [buttons] keep_keys."),
    ],
)
def test_check_names_the_key_that_was_pressed(
    keypad: Keypad, key: str, saw: str, *, works: bool
) -> None:
    """So that a remote's own keys find their way into the settings."""
    unknown: list[str] = []
    device = KeyDevice(PATH, MEANINGS, load=lambda: FakeEvdev(keypad), unknown=unknown.append)
    device.start()

    def wait(pressed: Event) -> bool:
        until(lambda: keypad.grabbed)
        keypad.send(key, 1, 0)
        until(lambda: unknown or works)
        return pressed.wait(PATIENCE_SECONDS if works else 0.0)

    trial = try_key(Action.KEEP, device, wait=wait)
    device.close()
    assert (trial.works, trial.saw) == (works, saw)
    assert unknown == ([] if works else ["KEY_MIN_INTERESTING"])


def test_check_says_why_a_device_cannot_be_read(keypad: Keypad) -> None:
    """Rather than that nobody pressed."""
    keypad.unplug()
    device = KeyDevice(PATH, MEANINGS, load=lambda: FakeEvdev(keypad))
    device.start()
    until(lambda: device.fault)
    trial = try_key(Action.KEEP, device, wait=lambda pressed: pressed.wait(0.01))
    device.close()
    assert trial.saw == device.fault
    assert "cannot be read (No such device)" in trial.saw


def test_every_default_key_has_one_meaning_and_one_button() -> None:
    """A presenter has two keys and a remote two: KEEP and REROLL are on each of them."""
    meanings = key_meanings(Settings())
    for keep, reroll in (("KEY_PAGEDOWN", "KEY_PAGEUP"), ("KEY_VOLUMEUP", "KEY_VOLUMEDOWN")):
        assert (meanings[keep], meanings[reroll]) == (Action.KEEP, Action.REROLL)
    assert set(meanings.values()) == set(Action)
