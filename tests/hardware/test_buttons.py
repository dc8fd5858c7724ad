"""Buttons on gpiozero's mock pins, and how their contacts are debounced."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import pairwise
from threading import Event

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons import GAP_SECONDS, Buttons, Chord, Contact, Edge, on_pins
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


MILLISECOND = 0.001


def closings(*times_ms: float) -> list[Edge]:
    """Edges at these milliseconds: down, up, down, ..."""
    return [Edge(number % 2 == 0, at * MILLISECOND) for number, at in enumerate(times_ms)]


def presses(edges: Iterable[Edge], until: float) -> tuple[float, ...]:
    """The times of all presses in these edges, if nothing more happens until `until`."""
    contact, found = Contact(), []
    for edge in edges:
        contact, press = contact.after(edge)
        found.append(press)
    _, press = contact.settled(until)
    return tuple(each for each in (*found, press) if each is not None)


@pytest.mark.parametrize(
    ("what", "times_ms", "pressed_ms"),
    [
        ("nothing happens", [], []),
        ("a clean press", [10, 90], [10]),
        ("a press that bounces", [10, 11, 13, 14, 18, 90], [10]),
        ("a release that bounces", [10, 90, 91, 92, 95, 98], [10]),
        ("both bounce", [10, 12, 14, 80, 81, 87, 88, 88.5], [10]),
        ("two presses", [10, 90, 200, 280], [10, 200]),
        ("a spike on the wire", [10, 11], []),
        ("a chatter that ends open", [10, 11, 15, 16, 20, 27], []),
        ("a long hold", [10, 60_000], [10]),
        ("a flicker during a hold", [10, 500, 501, 900], [10]),
        ("a hold that never ends", [10], [10]),
        ("a second press too soon", [10, 25, 40, 60, 300, 400], [10, 300]),
    ],
)
def test_edges_give_presses(what: str, times_ms: list[float], pressed_ms: list[float]) -> None:
    """Each pattern of edges gives the presses that a person made."""
    found = presses(closings(*times_ms), until=100)
    assert found == pytest.approx([at * MILLISECOND for at in pressed_ms]), what


@st.composite
def bounced_presses(draw: st.DrawFn) -> tuple[list[Edge], list[float]]:
    """Presses of a person through a contact that bounces 1 to 8 ms in any pattern."""
    edges: list[Edge] = []
    pressed: list[float] = []
    now = draw(st.floats(0.02, 1))
    for _ in range(draw(st.integers(0, 6))):
        pressed.append(now)
        for closed in (True, False):
            edges += draw(bounce(now, closed=closed))
            now += draw(st.floats(0.03, 2))
    return edges, pressed


@st.composite
def bounce(draw: st.DrawFn, start: float, *, closed: bool) -> list[Edge]:
    """An odd number of edges within 8 ms, ending in the level meant."""
    inner = draw(st.lists(st.floats(0.00005, 0.008), max_size=12, unique=True))
    offsets = [0.0, *sorted(inner[: len(inner) // 2 * 2])]
    return [
        Edge(closed == (number % 2 == 0), start + offset) for number, offset in enumerate(offsets)
    ]


@given(bounced_presses())
def test_any_bounce_neither_doubles_nor_loses(case: tuple[list[Edge], list[float]]) -> None:
    """However contacts bounce, the presses are those that were made, at their first edge."""
    edges, pressed = case
    assert presses(edges, until=100) == pytest.approx(pressed)


@given(bounced_presses(), st.floats(0.001, 0.05))
def test_asking_often_changes_nothing(
    case: tuple[list[Edge], list[float]], step_seconds: float
) -> None:
    """A contact that is asked again and again between the edges gives the same presses."""
    edges, pressed = case
    contact, found, now = Contact(), [], 0.0
    for edge in edges:
        while now < edge.at:
            contact, press = contact.settled(now)
            found.append(press)
            now += step_seconds
        contact, press = contact.after(edge)
        found.append(press)
    _, press = contact.settled(now + 1)
    seen = [each for each in (*found, press) if each is not None]
    assert seen == pytest.approx(pressed)


@given(st.lists(st.floats(0, 3), max_size=60, unique=True))
def test_any_noise_keeps_the_gap(times: list[float]) -> None:
    """Whatever the wire does, two presses are never closer than the gap."""
    edges = [Edge(number % 2 == 0, at) for number, at in enumerate(sorted(times))]
    for earlier, later in pairwise(presses(edges, until=100)):
        assert later - earlier >= GAP_SECONDS


def test_a_press_is_reported_as_soon_as_the_contact_is_quiet() -> None:
    """The press comes out 12 ms after the last bounce, with the time of the first edge."""
    contact, _ = Contact().after(Edge(closed=True, at=1.0))
    contact, _ = contact.after(Edge(closed=False, at=1.002))
    contact, _ = contact.after(Edge(closed=True, at=1.004))
    assert contact.due() == pytest.approx(1.016)
    assert contact.settled(1.015)[1] is None
    quiet, press = contact.settled(1.0161)
    assert press == 1.0
    assert quiet.due() is None
    assert quiet.down
    assert quiet.settled(2.0) == (quiet, None)


@given(st.lists(st.tuples(st.floats(0.001, 0.6), st.booleans()), max_size=40))
def test_every_long_hold_is_reported_once(looks: list[tuple[float, bool]]) -> None:
    """As often as all were down for a second, and never before."""
    chord, now, reported, down_since, expected = Chord(1.0), 0.0, 0, None, 0
    counted = False
    for wait, all_down in looks:
        now += wait
        chord, held = chord.after(now, all_down=all_down)
        reported += held
        if not all_down:
            down_since, counted = None, False
        elif down_since is None:
            down_since = now
        if down_since is not None and not counted and now - down_since >= 1.0:
            expected, counted = expected + 1, True
    assert reported == expected


def test_keep_and_reroll_held_are_reported(wires: Wires) -> None:
    """After one second, and after three; each once, however long they stay down."""
    wires.change(Action.KEEP, BOUNCES_MS[1], closed=True)
    wires.pass_on(0.4)
    wires.change(Action.REROLL, BOUNCES_MS[2], closed=True)
    wires.pass_on(0.9)
    assert wires.holds == []
    wires.pass_on(2.0)
    assert (len(wires.holds), wires.long_holds) == (1, [])
    wires.pass_on(30)
    assert (len(wires.holds), len(wires.long_holds)) == (1, 1)
    assert [action for action, _ in wires.presses] == [Action.KEEP, Action.REROLL]


@pytest.mark.parametrize("others", [(Action.KEEP,), (Action.KEEP, Action.UNDO), (Action.REROLL,)])
def test_other_holds_report_nothing(wires: Wires, others: tuple[Action, ...]) -> None:
    """One alone, or another pair, is no such act."""
    for action in others:
        wires.change(action, (), closed=True)
    wires.pass_on(10)
    assert wires.holds == []
