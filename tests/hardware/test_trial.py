"""Camera, buttons and lamps tried one by one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Event
from typing import Self

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from hardware.camera import CameraParts, Capture
from hardware.cameras.phone import PhoneCamera
from hardware.cameras.upload import UploadCamera
from hardware.errors import CameraError
from hardware.lamps import Lamp
from hardware.pins import Pins
from hardware.trial import try_button, try_camera, try_lamps
from scoreboard.message import message
from scoreboard.table.requests import Action
from tests.hardware.fake_wires import LAMP_PINS
from tests.patience import PATIENCE_SECONDS

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
NO_PINS = Pins(None, "this machine is no Raspberry Pi")


@dataclass
class FakeCamera:
    """A camera with so many pictures; each look takes a second."""

    pictures: int
    name: str = "fake:0"
    simulated: bool = False
    opens: bool = True
    single: bool = False
    now: float = 0.0

    def __enter__(self) -> Self:
        if not self.opens:
            raise CameraError(message("No camera answers; plug it in."))
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to free."""

    def capture(self) -> Capture | None:
        """A half bright picture, as long as there are any."""
        self.now += 1
        self.pictures -= 1
        image = np.full((480, 640, 3), 127, np.uint8)
        return Capture(image, NOON, single=self.single) if self.pictures >= 0 else None


@pytest.mark.parametrize(
    ("camera", "works", "saw"),
    [
        (FakeCamera(9), True, "3 pictures of 640 x 480 in 3.0 s, 50% bright."),
        (FakeCamera(1), True, "1 picture of 640 x 480 in 5.0 s, 50% bright."),
        (FakeCamera(0), False, "No picture came within 5 seconds."),
        (FakeCamera(0, opens=False), False, "plug it in"),
        (FakeCamera(9, single=True), True, "1 picture of 640 x 480 in 1.0 s, 50% bright."),
        (FakeCamera(9, simulated=True), True, "3 pictures of 640 x 480"),
    ],
)
def test_a_camera_is_tried(camera: FakeCamera, *, works: bool, saw: str) -> None:
    """What the camera gave, or why it gave nothing; a simulated one doesn't count as working."""
    trial = try_camera(camera, monotonic=lambda: camera.now)
    assert trial.works == works
    assert saw in trial.saw
    verdict = "simulated" if camera.simulated else "works" if works else "FAILS"
    assert str(trial).startswith(f"camera fake:0: {verdict}. ")


def test_each_picture_of_a_trial_is_handed_on() -> None:
    """Whoever wants to look at them may."""
    camera = FakeCamera(9)
    assert len(try_camera(camera, monotonic=lambda: camera.now).captures) == 3


@pytest.mark.parametrize("kind", [UploadCamera, PhoneCamera])
def test_what_a_page_sends_is_not_waited_for(kind: type[UploadCamera | PhoneCamera]) -> None:
    """Without the page such a camera has nothing to try."""
    parts = CameraParts(lambda _: np.zeros((1, 1, 3), np.uint8), lambda: NOON)
    assert try_camera(kind(parts)).works


def test_a_button_is_tried() -> None:
    """A press is seen; without one the wires are named."""
    factory = MockFactory()
    pins = Pins(factory, "mock pins")

    def press(pressed: Event) -> bool:
        factory.pin(17).drive_low()
        return pressed.wait(PATIENCE_SECONDS)

    assert try_button(Action.KEEP, 17, pins, wait=press).works
    trial = try_button(Action.KEEP, 17, pins, wait=lambda pressed: pressed.is_set())
    assert not trial.works
    assert "check its wires" in str(trial)
    assert "Pin 99" in try_button(Action.KEEP, 99, pins).saw


def test_lamps_are_tried_one_by_one() -> None:
    """Each lamp shines alone while the others are dark."""
    factory = MockFactory()
    seen: list[list[int]] = []

    def look(_seconds: float) -> None:
        seen.append([pin for pin in LAMP_PINS.values() if factory.pin(pin).state])

    trials = try_lamps(LAMP_PINS, Pins(factory, "mock pins"), sleep=look)
    assert all(trial.works for trial in trials)
    assert seen == [[23], [24], [25], [18]]
    (wrong,) = try_lamps({Lamp.READY: 99}, Pins(factory, "mock pins"), sleep=look)
    assert not wrong.works
    assert "Pin 99" in wrong.saw


def test_without_pins_all_is_simulated() -> None:
    """No pins: each part says that it is simulated and why, and nothing is waited for."""
    trials = (try_button(Action.UNDO, 22, NO_PINS), *try_lamps(LAMP_PINS, NO_PINS))
    assert all(trial.works for trial in trials)
    assert str(trials[0]) == "button undo on pin 22: simulated. This machine is no Raspberry Pi."
    assert all(trial.simulated for trial in trials)
