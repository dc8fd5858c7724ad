"""Two buttons held together are one act, beside the press of each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.chord import HOLD_SECONDS, Chord
from scoreboard.table.requests import Action
from tests.hardware.fake_wires import BOUNCES_MS, Wires


@pytest.fixture
def wires() -> Iterator[Wires]:
    """Open buttons on mock pins, closed afterwards."""
    wires = Wires()
    wires.buttons.open()
    yield wires
    wires.buttons.close()
    wires.factory.reset()


@given(st.lists(st.tuples(st.floats(0.001, 0.6), st.booleans()), max_size=40))
def test_every_long_hold_is_told_once(looks: list[tuple[float, bool]]) -> None:
    """As often as all were down for a second, and never before."""
    chord, now, told, down_since, expected = Chord(), 0.0, 0, None, 0
    counted = False
    for wait, all_down in looks:
        now += wait
        chord, held = chord.after(now, all_down=all_down)
        told += held
        if not all_down:
            down_since, counted = None, False
        elif down_since is None:
            down_since = now
        if down_since is not None and not counted and now - down_since >= HOLD_SECONDS:
            expected, counted = expected + 1, True
    assert told == expected


def test_keep_and_reroll_held_for_a_second_are_told(wires: Wires) -> None:
    """Both bounce, one comes later; the act is told once, however long they stay down."""
    wires.change(Action.KEEP, BOUNCES_MS[1], closed=True)
    wires.pass_on(0.4)
    wires.change(Action.REROLL, BOUNCES_MS[2], closed=True)
    wires.pass_on(0.9)
    assert wires.holds == []
    wires.pass_on(30)
    assert len(wires.holds) == 1
    assert [action for action, _ in wires.presses] == [Action.KEEP, Action.REROLL]


def test_a_second_hold_is_a_second_act(wires: Wires) -> None:
    """One of them up and down again begins anew."""
    for action in (Action.KEEP, Action.REROLL):
        wires.change(action, (), closed=True)
    wires.pass_on(2)
    wires.change(Action.KEEP, BOUNCES_MS[3], closed=False)
    wires.pass_on(1)
    wires.change(Action.KEEP, BOUNCES_MS[3], closed=True)
    wires.pass_on(2)
    assert len(wires.holds) == 2


@pytest.mark.parametrize("others", [(Action.KEEP,), (Action.KEEP, Action.UNDO), (Action.REROLL,)])
def test_other_holds_tell_nothing(wires: Wires, others: tuple[Action, ...]) -> None:
    """One alone, or another pair, is no such act."""
    for action in others:
        wires.change(action, (), closed=True)
    wires.pass_on(10)
    assert wires.holds == []


def test_short_presses_together_tell_nothing(wires: Wires) -> None:
    """Half a second is two presses."""
    for action in (Action.KEEP, Action.REROLL):
        wires.change(action, (), closed=True)
    wires.pass_on(0.5)
    for action in (Action.KEEP, Action.REROLL):
        wires.change(action, (), closed=False)
    wires.pass_on(5)
    assert wires.holds == []
