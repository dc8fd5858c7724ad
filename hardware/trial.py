"""Try camera, buttons and lamps one by one, and report the results to makers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from threading import Event
from typing import Any, Final

from hardware.buttons import SETTLE_SECONDS, Buttons, on_pins
from hardware.camera import Camera, Capture
from hardware.cameras.phone import PhoneCamera
from hardware.cameras.upload import UploadCamera
from hardware.errors import CameraError, PinError
from hardware.keys import KeyDevice
from hardware.lamps import Lamp, Lamps
from hardware.pins import Pins
from hardware.speaker import Speaker
from scoreboard.table.requests import Action

_CAMERA_SECONDS: Final = 5.0
_WANTED_PICTURES: Final = 3

Wait = Callable[[Event], bool]  # whether it was in time
TEN_SECONDS: Final[Wait] = partial(Event.wait, timeout=10.0)


@dataclass(frozen=True, slots=True)
class Trial:
    """The result for one part; `simulated`: it is neither present nor needed.

    `captures` are the pictures that a camera gave.
    """

    part: str
    works: bool
    saw: str
    simulated: bool = False
    captures: tuple[Capture, ...] = ()

    def __str__(self) -> str:
        verdict = "works" if self.works else "FAILS"
        return f"{self.part}: {'simulated' if self.simulated else verdict}. {self.saw}"


def try_camera(camera: Camera, monotonic: Callable[[], float] = time.monotonic) -> Trial:
    """Take up to three pictures within five seconds."""
    part = f"camera {camera.name}"
    if isinstance(camera, UploadCamera | PhoneCamera):
        return Trial(part, works=True, saw="It waits for what a phone sends to the page.")
    start = monotonic()
    captures: list[Capture] = []
    try:
        with camera:
            while len(captures) < _WANTED_PICTURES and monotonic() - start < _CAMERA_SECONDS:
                capture = camera.capture()
                if capture is not None:
                    captures.append(capture)
                    if capture.single:
                        break
    except CameraError as error:
        return Trial(part, works=False, saw=str(error), captures=tuple(captures))
    seconds = monotonic() - start
    if not captures:
        saw = f"No picture came within {_CAMERA_SECONDS:.0f} seconds."
        return Trial(part, works=False, saw=saw)
    height, width = captures[-1].image.shape[:2]
    light = captures[-1].image.mean() / 255
    pictures = "1 picture" if len(captures) == 1 else f"{len(captures)} pictures"
    saw = f"{pictures} of {width} x {height} in {seconds:.1f} s, {light:.0%} bright."
    return Trial(part, works=True, saw=saw, simulated=camera.simulated, captures=tuple(captures))


def try_button(action: Action, pin: int, pins: Pins, *, wait: Wait = TEN_SECONDS) -> Trial:
    """Wait until the button is pressed; `wait` returns whether that was in time."""
    part = f"button {action.value} on pin {pin}"
    if pins.simulated:
        return _simulated(part, pins)
    contacts = on_pins({action: pin}, pins.factory)
    return _tried_contacts(part, contacts, "check its wires to pin and ground.", wait)


def try_key(action: Action, keypad: KeyDevice, *, wait: Wait = TEN_SECONDS) -> Trial:
    """Wait until a key of that meaning is pressed on a keypad that was started."""
    contacts = {action: keypad.contacts()[action]}
    cure = f"name its key in [buttons] {action.value}_keys."
    trial = _tried_contacts(f"key {action.value}", contacts, cure, wait, settle_seconds=0)
    return trial if trial.works or not keypad.fault else replace(trial, saw=keypad.fault)


def _tried_contacts(
    part: str,
    contacts: Mapping[Action, Callable[[], Any]],
    cure: str,
    wait: Wait,
    settle_seconds: float = SETTLE_SECONDS,
) -> Trial:
    pressed = Event()
    buttons = Buttons(
        contacts,
        lambda _action, _at: pressed.set(),
        clock=lambda: datetime.now(UTC),
        settle_seconds=settle_seconds,
    )
    try:
        buttons.start()
        seen = wait(pressed)
    except PinError as error:
        return Trial(part, works=False, saw=str(error))
    finally:
        buttons.close()
    saw = "A press was seen." if seen else f"No press was seen; {cure}"
    return Trial(part, works=seen, saw=saw)


def try_lamps(
    numbers: Mapping[Lamp, int], pins: Pins, *, sleep: Callable[[float], None] = time.sleep
) -> Iterator[Trial]:
    """Light each lamp for a second, one after the other."""
    for lamp, pin in numbers.items():
        part = f"lamp {lamp.value} on pin {pin}"
        if pins.simulated:
            yield _simulated(part, pins)
            continue
        try:
            with closing(Lamps({lamp: pin}, pins.factory)) as lamps:
                lamps.open()
                lamps.light(frozenset({lamp}))
                sleep(1.0)
            yield Trial(part, works=True, saw="It was lit for a second.")
        except PinError as error:
            yield Trial(part, works=False, saw=str(error))


def try_speaker(speaker: Speaker) -> Trial:
    """Speak a sentence."""
    fault = speaker.speak("Tablescore")
    return Trial("speaker", works=not fault, saw=f"{fault or 'It spoke a sentence'}.")


def _simulated(part: str, pins: Pins) -> Trial:
    sentence = pins.description[:1].upper() + pins.description[1:]
    return Trial(part, works=True, saw=f"{sentence}.", simulated=True)
