"""Buttons, on pins or a keypad: edges are debounced into presses.

`Contact` and `Chord` are pure: times in, presses out.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from threading import Event, Lock
from types import MappingProxyType
from typing import Any, Final

from gpiozero import DigitalInputDevice

from hardware.errors import PinError
from scoreboard.table.requests import Action
from scoreboard.worker import Worker


@dataclass(frozen=True, slots=True)
class Edge:
    """A contact changed at `at` (seconds); `closed` means that the button is down from now on."""

    closed: bool
    at: float


SETTLE_SECONDS: Final = 0.012  # of quiet before a contact's state counts: it bounces for 1 to 8 ms
GAP_SECONDS: Final = 0.05  # the least time between two presses


@dataclass(frozen=True, slots=True)
class Contact:
    """One button's contact between two edges.

    `down` is the accepted state; `last` is the newest edge; `burst_at` is when the bouncing around
    it began, None while the contact is quiet; `pressed_at` is the last reported press. Holding a
    button reports nothing more: the next press needs an accepted release first. Keys of a keypad
    don't bounce and need no `settle_seconds` of quiet.
    """

    down: bool = False
    last: Edge = Edge(closed=False, at=-math.inf)
    burst_at: float | None = None
    pressed_at: float = -math.inf
    settle_seconds: float = SETTLE_SECONDS

    def after(self, edge: Edge) -> tuple[Contact, float | None]:
        """Take an edge; return the new state and the time of a press proven by the quiet before."""
        quiet, press = self.settled(edge.at)
        burst_at = edge.at if quiet.burst_at is None else quiet.burst_at
        return replace(quiet, last=edge, burst_at=burst_at), press

    def settled(self, now: float) -> tuple[Contact, float | None]:
        """Let time pass; return the new state and the time of a press once the contact is quiet."""
        if self.burst_at is None or now < self.last.at + self.settle_seconds:
            return self, None
        quiet = replace(self, down=self.last.closed, burst_at=None)
        too_soon = self.burst_at - self.pressed_at < GAP_SECONDS
        if self.down or not self.last.closed or too_soon:
            return quiet, None
        return replace(quiet, pressed_at=self.burst_at), self.burst_at

    def checked(self, now: float, *, closed: bool) -> Contact:
        """Compare with the pin itself once it seems quiet; if it differs, an edge was lost."""
        due = self.due()
        if due is None or now < due or self.last.closed == closed:
            return self
        return replace(self, last=Edge(closed, now))

    def due(self) -> float | None:
        """When to ask `settled` again, None while the contact is quiet."""
        return None if self.burst_at is None else self.last.at + self.settle_seconds


@dataclass(frozen=True, slots=True)
class Chord:
    """The state of several contacts between two checks, to report a hold of that many seconds.

    `since` is when the last of them went down, None while one is up. `reported`: one hold counts
    once, however long it lasts.
    """

    seconds: float
    since: float | None = None
    reported: bool = False

    def after(self, now: float, *, all_down: bool) -> tuple[Chord, bool]:
        """Check the contacts; return the new state and whether the hold is long enough now."""
        if not all_down:
            return Chord(self.seconds), False
        since = now if self.since is None else self.since
        held = not self.reported and now - since >= self.seconds
        return replace(self, since=since, reported=self.reported or held), held

    @property
    def due(self) -> float | None:
        """When to check again, None while only a change of a contact matters."""
        return None if self.since is None or self.reported else self.since + self.seconds


TOGETHER: Final = (Action.KEEP, Action.REROLL)
_LOG: Final = logging.getLogger(__name__)


def on_pins(pins: Mapping[Action, int], factory: Any) -> dict[Action, Callable[[], Any]]:
    """Functions that open the contact of each button between a pin (BCM number) and ground.

    The pull-ups are the Pi's own; `factory` is gpiozero's. Each raises PinError.
    """

    def opened(action: Action, pin: int) -> Any:
        try:
            return DigitalInputDevice(pin, pull_up=True, bounce_time=None, pin_factory=factory)
        except Exception as error:  # lgpio's error shares no base class with the others
            raise PinError(
                f"Pin {pin} cannot be the button {action.value} ({error}); name another one."
            ) from error

    return {action: partial(opened, action, pin) for action, pin in pins.items()}


class Buttons:
    """Buttons that are pressed, and held down together.

    Wire each button between its pin and ground, then::

        contacts = on_pins({Action.KEEP: 17}, pins.factory)
        buttons = Buttons(contacts, inbox_press, clock=utc_now)
        buttons.start()
        ...  # inbox_press(Action.KEEP, at) is called for each press
        buttons.close()

    `contacts` open each button's contact, which behaves like gpiozero's input devices: `is_active`,
    `when_activated`, `when_deactivated` and `close`. `clock` gives the time of a press; `monotonic`
    measures its bouncing, unaffected by setting the clock. `start` opens the contacts and starts a
    thread that accepts a contact's state once it is quiet for `settle_seconds` (0 if nothing
    bounces); a test calls `open` and `poll` instead. `pressed` and each of `holds` get aware UTC
    and must never wait. One of `holds` is called when KEEP and REROLL have both been down for its
    seconds, in addition to each button's press. With a `long_press` KEEP counts once it is
    released, and is REROLL after being down for those seconds.
    """

    def __init__(  # noqa: PLR0913 - each part is named where it is wired
        self,
        contacts: Mapping[Action, Callable[[], Any]],
        pressed: Callable[[Action, datetime], object],
        *,
        clock: Callable[[], datetime],
        monotonic: Callable[[], float] = time.monotonic,
        holds: Mapping[float, Callable[[datetime], object]] = MappingProxyType({}),
        settle_seconds: float = SETTLE_SECONDS,
        long_press: float | None = None,
    ) -> None:
        self._openers = dict(contacts)
        self._pressed = pressed
        self._clock = clock
        self._settle_seconds = settle_seconds
        self._monotonic = monotonic
        self._chords = [(Chord(seconds), report) for seconds, report in holds.items()]
        self._hold = None if long_press is None else Chord(long_press)
        self._began: float | None = None  # a press of KEEP that can still be either
        self._devices: dict[Action, Any] = {}
        self._contacts: dict[Action, Contact] = {}
        self._lock = Lock()
        self._changed = Event()
        self._worker = Worker("buttons", self._watch, wake=self._changed.set)

    def start(self) -> None:
        """Open the contacts and watch them until `close`; once, after any fork. Raises PinError."""
        self.open()
        self._worker.start()

    def open(self) -> None:
        """Open the contacts; one that is down counts from its next press. Raises PinError."""
        for action, opened in self._openers.items():
            try:
                device = opened()
            except PinError:
                self.close()
                raise
            self._devices[action] = device
            down, settle_seconds = device.is_active, self._settle_seconds
            self._contacts[action] = Contact(down=down, settle_seconds=settle_seconds)
            device.when_activated = partial(self._closed, action)
            device.when_deactivated = partial(self._opened, action)

    def close(self) -> None:
        """Stop watching and free the contacts; a no-op if they are not open."""
        self._worker.stop(None)
        while self._devices:
            self._devices.popitem()[1].close()

    def poll(self) -> float | None:
        """Report certain presses; gives the seconds until the next call, None while quiet."""
        now = self._monotonic()
        with self._lock:
            certain = [self._settled(action, now) for action in self._contacts]
            down = {action for action, contact in self._contacts.items() if contact.down}
            after = [
                (*chord.after(now, all_down=down.issuperset(TOGETHER)), report)
                for chord, report in self._chords
            ]
            self._chords = [(chord, report) for chord, _, report in after]
            due = [contact.due() for contact in self._contacts.values()]
        for action, press in zip(self._contacts, certain, strict=True):
            self._report(action, press)
        self._tell_apart()
        if self._hold is not None:
            due.append(self._hold.due)
        for chord, long_enough, report in after:
            if long_enough:
                report(self._clock())
            due.append(chord.due)
        return min((max(0.0, at - now) for at in due if at is not None), default=None)

    def _settled(self, action: Action, now: float) -> float | None:
        closed = self._devices[action].is_active
        contact = self._contacts[action].checked(now, closed=closed)
        self._contacts[action], press = contact.settled(now)
        _log_settled(action, contact, self._contacts[action], press)
        return press

    def _closed(self, action: Action) -> None:
        self._take(action, Edge(closed=True, at=self._monotonic()))

    def _opened(self, action: Action) -> None:
        self._take(action, Edge(closed=False, at=self._monotonic()))

    def _take(self, action: Action, edge: Edge) -> None:
        with self._lock:
            contact = self._contacts[action]
            self._contacts[action], press = contact.after(edge)
            _log_settled(action, contact, self._contacts[action], press)
        self._report(action, press)
        self._tell_apart()
        self._changed.set()

    def _report(self, action: Action, press: float | None) -> None:
        if press is None:
            return
        if self._hold is not None and action is Action.KEEP:
            self._began = press
        else:
            self._pressed(action, self._clock() - timedelta(seconds=self._monotonic() - press))

    def _tell_apart(self) -> None:
        """Report whether a press of KEEP was short or long, with the time it began."""
        if self._hold is None:
            return
        with self._lock:
            now, began, down = self._monotonic(), self._began, self._contacts[Action.KEEP].down
            self._hold, long = self._hold.after(now, all_down=down)
            if began is None or (down and not long):
                return
            self._began = None
        action = Action.REROLL if long else Action.KEEP
        self._pressed(action, self._clock() - timedelta(seconds=now - began))

    def _watch(self) -> None:
        self._changed.wait(self.poll())
        self._changed.clear()


def _log_settled(action: Action, before: Contact, after: Contact, press: float | None) -> None:
    """Log the result of a bounce: a press, or the reason it was none."""
    if before.burst_at is None or after.burst_at == before.burst_at:
        return
    if press is not None:
        _LOG.debug("%s: pressed", action.name)
    elif not before.last.closed:
        _LOG.debug("%s: %s", action.name, "let go" if before.down else "a spike, no press")
    else:
        again = "still down after bouncing" if before.down else "too soon after the last press"
        _LOG.debug("%s: %s, no press", action.name, again)
