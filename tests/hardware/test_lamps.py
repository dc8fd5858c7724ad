"""Lamps tell what the table waits for."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.lamps import Lamp, Lamps, lit
from scoreboard.message import message
from scoreboard.table.game_session import TurnClock
from scoreboard.table.requests import TableStatus
from scoreboard.table.view import ShownProposal, Stage, TableView
from tests.hardware.fake_wires import LAMP_PINS, BusyFactory

PENDING = ShownProposal((), None, (), asked=False, frame=0, width=1, height=1)


def view(stage: Stage, status: TableStatus = TableStatus.STILL, **more: Any) -> TableView:
    """A view in a stage of the game."""
    return TableView(version=1, stage=stage, status=status, **more)


@pytest.mark.parametrize(
    ("shown", "lamps"),
    [
        (view("no game"), set()),
        (view("finished"), set()),
        (view("abandoned", TableStatus.READING), set()),
        (view("starting"), {Lamp.READY}),
        (view("rolling"), {Lamp.READY}),
        (view("rolling", TableStatus.MOVING), {Lamp.READY}),
        (view("rolling", TableStatus.LOST), {Lamp.READY}),
        (view("rolling", TableStatus.READING), {Lamp.READING}),
        (view("rolling", proposal=PENDING), {Lamp.CONFIRM}),
        (view("rolling", TableStatus.READING, proposal=PENDING), {Lamp.READING}),
        (view("starting", proposal=PENDING), {Lamp.CONFIRM}),
        (view("choosing"), {Lamp.CONFIRM}),
        (view("playing"), {Lamp.READY}),
        (view("playing", clock=TurnClock(60, 9.0, "fail")), {Lamp.READY}),
        (view("playing", clock=TurnClock(60, 9.0, "fail", urgent=True)), {Lamp.HURRY}),
        (view("rolling", proposal=PENDING, paused=message("The disk is full.")), set()),
    ],
)
def test_each_state_has_its_lamp(shown: TableView, lamps: set[Lamp]) -> None:
    """Ready to throw, reading, please confirm: never two at once, none when nothing can be done."""
    assert lit(shown) == lamps


def test_a_lamp_in_a_button_is_lit_while_a_press_would_do_something() -> None:
    """Each by itself, on a pin of its own, beside the lamp that says what the table waits for."""
    factory = MockFactory()
    numbers = {Lamp.CONFIRM: 25, Lamp.KEEP_BUTTON: 5, Lamp.REROLL_BUTTON: 6, Lamp.UNDO_BUTTON: 13}
    lamps = Lamps(numbers, factory)
    lamps.open()
    does = message("Record it")

    def shining(**does_what: Any) -> set[Lamp]:
        lamps.announce(view("rolling", proposal=PENDING, **does_what))
        return {lamp for lamp, number in numbers.items() if factory.pin(number).state}

    assert shining() == {Lamp.CONFIRM}
    assert shining(keep=does, reroll=does) == {Lamp.CONFIRM, Lamp.KEEP_BUTTON, Lamp.REROLL_BUTTON}
    assert shining(undo=does) == {Lamp.CONFIRM, Lamp.UNDO_BUTTON}
    assert shining(keep=does, paused=message("The disk is full.")) == set()
    assert lit(view("finished", undo=does)) == {Lamp.UNDO_BUTTON}, "the last step can be undone"
    lamps.close()
    factory.reset()


def test_announced_views_light_the_pins() -> None:
    """What is announced is what shines; closing darkens all."""
    factory = MockFactory()
    lamps = Lamps(LAMP_PINS, factory)
    lamps.open()
    pins = {lamp: factory.pin(pin) for lamp, pin in LAMP_PINS.items()}
    for shown in (view("rolling"), view("choosing"), view("finished")):
        lamps.announce(shown)
        assert {lamp for lamp, pin in pins.items() if pin.state} == set(lit(shown))
    lamps.announce(view("rolling"))
    lamps.close()
    assert not any(pin.state for pin in pins.values())
    lamps.announce(view("rolling"))


def test_a_lamp_that_fails_never_stops_play(caplog: pytest.LogCaptureFixture) -> None:
    """A pin torn off, or lgpio's own error, is a line in the log; the others still shine."""
    factory = MockFactory()
    lamps = Lamps(LAMP_PINS, factory)
    lamps.open()
    lamps._devices[Lamp.READY].close()
    lamps.announce(view("rolling"))
    lamps.announce(view("choosing"))
    assert "the lamp ready on pin 23 fails" in caplog.text
    assert factory.pin(25).state
    lamps.close()
    factory = BusyFactory()
    lamps = Lamps(LAMP_PINS, factory)
    lamps.open()
    factory.fails = True
    with caplog.at_level(logging.WARNING):
        lamps.announce(view("rolling"))
    assert "the lamp ready on pin 23 fails: bad handle" in caplog.text
