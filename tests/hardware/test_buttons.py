"""Buttons on gpiozero's mock pins."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from threading import Event

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.buttons import Buttons, on_pins
from hardware.errors import HardwareError, PinError
from scoreboard.table.requests import Action
from tests.hardware.fake_wires import BOUNCES_MS, BUTTON_PINS, Clock, Wires
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
def wires() -> Iterator[Wires]:
    """Open buttons on mock pins, closed afterwards."""
    wires = Wires()
    wires.buttons.open()
    yield wires
    wires.buttons.close()
    wires.factory.reset()


@pytest.mark.parametrize("bounce_ms", BOUNCES_MS)
@pytest.mark.parametrize("action", Action)
def test_a_bouncing_press_is_one_press(
    wires: Wires, action: Action, bounce_ms: Sequence[float]
) -> None:
    """However the contact bounces, one press comes, with the time of its first edge."""
    at = wires.clock.utc()
    wires.press(action, bounce_ms)
    ((pressed, pressed_at),) = wires.presses
    assert pressed is action
    assert abs(pressed_at - at) < timedelta(milliseconds=1)


def test_presses_come_in_the_order_they_were_made(wires: Wires) -> None:
    """Quick presses of all three buttons are all there."""
    order = [Action.REROLL, Action.REROLL, Action.KEEP, Action.UNDO, Action.KEEP] * 4
    for number, action in enumerate(order):
        bounce_ms = BOUNCES_MS[number % len(BOUNCES_MS)]
        wires.press(action, bounce_ms, hold_seconds=0.03, rest_seconds=0.05)
    assert [action for action, _ in wires.presses] == order


def test_two_buttons_at_once_are_two_presses(wires: Wires) -> None:
    """Each contact is judged for itself."""
    wires.change(Action.KEEP, BOUNCES_MS[1], closed=True)
    wires.change(Action.UNDO, BOUNCES_MS[3], closed=True)
    wires.pass_on(0.1)
    assert {action for action, _ in wires.presses} == {Action.KEEP, Action.UNDO}


def test_a_button_held_at_the_start_counts_from_its_next_press() -> None:
    """A jammed or held button at the start presses nothing by itself."""
    wires = Wires()
    wires.pin(Action.KEEP).pull = "up"
    wires.drive(Action.KEEP, closed=True)
    held = wires.pin(Action.KEEP)
    held._set_pull = lambda _pull: None  # opening must not let go of what a finger holds
    wires.buttons.open()
    wires.pass_on(1)
    wires.change(Action.KEEP, (), closed=False)
    wires.pass_on(1)
    assert wires.presses == []
    wires.press(Action.KEEP)
    assert len(wires.presses) == 1
    wires.buttons.close()


def test_an_edge_lost_in_the_bouncing_is_made_good(wires: Wires) -> None:
    """Where the system lost the last edge, the pin itself has the last word."""
    pin = wires.pin(Action.KEEP)
    wires.drive(Action.KEEP, closed=True)
    wires.clock.seconds += 0.002
    wires.drive(Action.KEEP, closed=False)
    pin._state = False  # closed again, and nobody was told
    wires.pass_on(0.2)
    assert [action for action, _ in wires.presses] == [Action.KEEP]


def test_a_wrong_pin_is_reported_and_frees_the_others() -> None:
    """A pin that is none gets one sentence, and nothing stays half open."""
    factory = MockFactory()
    pins = {Action.KEEP: 17, Action.REROLL: 99}
    buttons = Buttons(on_pins(pins, factory), lambda *_: None, clock=Clock().utc)
    with pytest.raises(PinError, match="Pin 99 cannot be the button reroll") as caught:
        buttons.open()
    assert isinstance(caught.value, HardwareError)
    assert isinstance(caught.value, OSError)
    again = Buttons(on_pins({Action.KEEP: 17}, factory), lambda *_: None, clock=Clock().utc)
    again.open()
    again.close()


def test_the_thread_reports_presses_by_itself() -> None:
    """Started for real, a press arrives without anybody asking, and closing ends the thread."""
    factory, pressed = MockFactory(), Event()
    buttons = Buttons(
        on_pins(BUTTON_PINS, factory), lambda _action, _at: pressed.set(), clock=Clock().utc
    )
    buttons.start()
    try:
        pin = factory.pin(BUTTON_PINS[Action.REROLL])
        for low in (True, False, True):
            pin.drive_low() if low else pin.drive_high()
            time.sleep(0.001)
        assert pressed.wait(PATIENCE_SECONDS)
    finally:
        buttons.close()
    pressed.clear()
    assert not pressed.is_set()
    buttons.close()


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the buttons logged."""
    return [each.getMessage() for each in caplog.records if each.name == "hardware.buttons"]


def test_a_contact_that_made_no_press_is_explained(
    wires: Wires, caplog: pytest.LogCaptureFixture
) -> None:
    """At DEBUG each believed contact is a line: a press, a release, or why it was neither."""
    caplog.set_level(logging.DEBUG, "hardware")
    wires.press(Action.KEEP, BOUNCES_MS[2])
    wires.drive(Action.UNDO, closed=True)
    wires.clock.seconds += 0.001
    wires.drive(Action.UNDO, closed=False)
    wires.pass_on(1)
    assert logged(caplog) == ["KEEP: pressed", "KEEP: let go", "UNDO: a spike, no press"]


def test_a_press_too_soon_after_another_is_explained(
    wires: Wires, caplog: pytest.LogCaptureFixture
) -> None:
    """A worn contact that opens for a moment makes no second press, and the log says so."""
    caplog.set_level(logging.DEBUG, "hardware")
    wires.change(Action.KEEP, (), closed=True)
    wires.pass_on(0.014)
    wires.change(Action.KEEP, (), closed=False)
    wires.pass_on(0.014)
    wires.change(Action.KEEP, (), closed=True)
    wires.pass_on(0.2)
    assert len(wires.presses) == 1
    assert logged(caplog)[-1] == "KEEP: too soon after the last press, no press"


@pytest.fixture
def one_button() -> Iterator[Wires]:
    """The same wires in the mode in which KEEP is enough."""
    wires = Wires(long_press=0.7)
    wires.buttons.open()
    yield wires
    wires.buttons.close()
    wires.factory.reset()


@pytest.mark.parametrize("bounce_ms", BOUNCES_MS)
def test_one_button_pressed_for_a_short_time_is_keep(
    one_button: Wires, bounce_ms: Sequence[float]
) -> None:
    """It counts once it is let go, with the time at which the finger went down."""
    at = one_button.clock.utc()
    one_button.change(Action.KEEP, bounce_ms, closed=True)
    one_button.pass_on(0.4)
    assert one_button.presses == []
    one_button.change(Action.KEEP, bounce_ms, closed=False)
    one_button.pass_on(0.4)
    ((pressed, pressed_at),) = one_button.presses
    assert pressed is Action.KEEP
    assert abs(pressed_at - at) < timedelta(milliseconds=1)


def test_one_button_held_is_reroll_before_it_is_let_go(one_button: Wires) -> None:
    """What it does shows that it was long enough; letting go then means nothing."""
    one_button.change(Action.KEEP, BOUNCES_MS[2], closed=True)
    one_button.pass_on(0.69)
    assert one_button.presses == []
    one_button.pass_on(0.05)
    assert [action for action, _ in one_button.presses] == [Action.REROLL]
    one_button.pass_on(5)
    one_button.change(Action.KEEP, BOUNCES_MS[2], closed=False)
    one_button.pass_on(0.4)
    assert len(one_button.presses) == 1


def test_one_button_pressed_twice_is_two_presses(one_button: Wires) -> None:
    """Also where the buttons' thread came late between them; the others mean what they did."""
    for closed in (True, False, True, False):
        one_button.change(Action.KEEP, (), closed=closed)
        one_button.clock.seconds += 0.1
    one_button.pass_on(0.4)
    one_button.press(Action.UNDO, hold_seconds=2)
    assert [action for action, _ in one_button.presses] == [Action.KEEP, Action.KEEP, Action.UNDO]
