"""Bouncing contacts give each press once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import GAP_SECONDS, Chord, Contact, Edge
from scoreboard.table.requests import Action
from tests.hardware.fake_wires import BOUNCES_MS, Wires

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


@pytest.fixture
def wires() -> Iterator[Wires]:
    """Open buttons on mock pins, closed afterwards."""
    wires = Wires()
    wires.buttons.open()
    yield wires
    wires.buttons.close()
    wires.factory.reset()


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
