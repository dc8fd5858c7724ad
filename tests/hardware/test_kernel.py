"""Keys, pins and cameras through the kernel's own stand-ins: uinput, gpio-sim, vivid and vimc.

A kernel without them, or a user who may not make devices, skips with the reason. `.ci/kernel`
boots a machine that has all four.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final

import cv2
import numpy as np
import pytest

from hardware.buttons import Buttons, on_pins
from hardware.camera import CameraParts, ControlRange
from hardware.cameras.picamera import NO_ANSWER
from hardware.cameras.webcam import WebCamera, control_ranges
from hardware.errors import CameraError, PinError
from hardware.keys import KeyDevice
from hardware.lamps import Lamp, Lamps
from hardware.pins import Board, Pins, open_pins
from hardware.trial import try_button, try_lamps
from scoreboard.table.requests import Action
from tests.hardware.fake_wires import BUTTON_PINS, LAMP_PINS
from tests.patience import PATIENCE_SECONDS
from web.shared.clocks import utc_now
from web.shared.settings import Settings
from web.table.play.panel import claim_pins, key_meanings

# Python's own word to evdev, which looks for a loop when a device is closed
pytestmark = pytest.mark.filterwarnings("ignore:There is no current event loop:DeprecationWarning")

ROOT: Final = Path(__file__).parents[2]
MACHINE: Final = ".ci/kernel boots a machine that has it"
GPIO_SIM: Final = Path("/sys/kernel/config/gpio-sim")
VIVID: Final = Path("/sys/bus/platform/drivers/vivid")
VIDEO: Final = Path("/sys/class/video4linux")
PARTS: Final = CameraParts(lambda _: np.zeros((1, 1, 3), np.uint8), lambda: datetime.now(UTC))


def until(condition: Callable[[], object]) -> None:
    """Wait for it."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < PATIENCE_SECONDS
        time.sleep(0.01)


# Keys


@pytest.fixture
def evdev() -> Any:
    """The real library, where devices can be made."""
    module = pytest.importorskip("evdev", reason=f"evdev is not installed; {MACHINE}")
    if not os.access("/dev/uinput", os.W_OK):
        pytest.skip(f"no /dev/uinput that this user may write to; {MACHINE}")
    return module


@contextmanager
def plugged_in(evdev: Any, name: str = "Tablescore's test keypad") -> Iterator[Any]:
    """A keypad of uinput's that has all keys with a meaning, and one without."""
    codes = [evdev.ecodes.ecodes[key] for key in (*key_meanings(Settings()), "KEY_A")]
    with evdev.UInput({evdev.ecodes.EV_KEY: codes}, name=name) as keypad:
        until(lambda: keypad.device is not None and os.access(keypad.device.path, os.R_OK))
        yield keypad


def send(evdev: Any, keypad: Any, key: str, *values: int) -> None:
    """Press (1), repeat (2) or let go (0) a key."""
    for value in values:
        keypad.write(evdev.ecodes.EV_KEY, evdev.ecodes.ecodes[key], value)
        keypad.syn()


@contextmanager
def read(wanted: str, unknown: Callable[[str], object] = lambda _: None) -> Iterator[Any]:
    """The device as buttons: it, and what was pressed."""
    device = KeyDevice(wanted, key_meanings(Settings()), unknown=unknown, retry_seconds=0.05)
    presses: SimpleQueue[Action] = SimpleQueue()
    buttons = Buttons(
        device.contacts(),
        lambda action, _at: presses.put(action),
        clock=utc_now,
        settle_seconds=0,
    )
    buttons.start()
    device.start()
    try:
        yield device, presses
    finally:
        device.close()
        buttons.close()


def is_grabbed(evdev: Any, path: str) -> bool:
    """Whether another program has the device for itself."""
    with closing(evdev.InputDevice(path)) as second:
        try:
            second.grab()
        except OSError:
            return True
        second.ungrab()
        return False


def test_a_key_of_a_real_device_is_the_button_that_it_means(evdev: Any) -> None:
    """By the device's path; held keys repeat themselves, and nobody else hears them."""
    unknown: SimpleQueue[str] = SimpleQueue()
    with plugged_in(evdev) as keypad, read(keypad.device.path, unknown.put) as (_, presses):
        until(lambda: is_grabbed(evdev, keypad.device.path))
        with closing(evdev.InputDevice(keypad.device.path)) as desktop:
            for key, action in (
                ("KEY_KPENTER", Action.KEEP),
                ("KEY_R", Action.REROLL),
                ("KEY_BACKSPACE", Action.UNDO),
            ):
                send(evdev, keypad, key, 1, 2, 2)
                assert presses.get(timeout=PATIENCE_SECONDS) is action
                send(evdev, keypad, key, 0)
                time.sleep(0.1)
            send(evdev, keypad, "KEY_A", 1, 0)
            assert unknown.get(timeout=PATIENCE_SECONDS) == "KEY_A"
            assert select.select([desktop.fd], [], [], 0)[0] == []
        assert presses.empty()
    assert unknown.empty()


def test_a_real_device_that_was_unplugged_is_taken_again_by_its_name(evdev: Any) -> None:
    """The kernel gives it another path then; a key that was down when it went is up."""
    name = f"Tablescore's remote {os.getpid()}"
    with read(name) as (device, presses):
        until(lambda: "no input device of that name has such keys" in device.fault)
        for _ in range(2):
            with plugged_in(evdev, name) as keypad:
                until(lambda: is_grabbed(evdev, keypad.device.path))
                assert device.fault == ""
                time.sleep(0.1)
                send(evdev, keypad, "KEY_VOLUMEUP", 1)
                assert presses.get(timeout=PATIENCE_SECONDS) is Action.KEEP
            until(lambda: device.fault)
        with pytest.raises(Empty):
            presses.get(timeout=0.1)


# Pins


class Chip:
    """gpio-sim's pins of a Raspberry Pi's header, and fingers that pull them."""

    def __init__(self) -> None:
        self.folder = GPIO_SIM / f"tablescore-{os.getpid()}"
        bank = self.folder / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text("28")
        (self.folder / "live").write_text("1")
        device = (self.folder / "dev_name").read_text().strip()
        self.name = (bank / "chip_name").read_text().strip()
        self.lines = Path("/sys/devices/platform", device, self.name)

    def pull(self, pin: int, way: str) -> None:
        (self.lines / f"sim_gpio{pin}" / "pull").write_text(f"pull-{way}")

    def is_high(self, pin: int) -> bool:
        return (self.lines / f"sim_gpio{pin}" / "value").read_text().strip() == "1"

    def close(self) -> None:
        (self.folder / "live").write_text("0")
        (self.folder / "bank0").rmdir()
        self.folder.rmdir()


@pytest.fixture(scope="module")
def chip() -> Iterator[Chip]:
    """Such a chip, the machine's first, as on a Pi 4."""
    pytest.importorskip("lgpio", reason=f"lgpio is not installed; {MACHINE}")
    if not os.access(GPIO_SIM, os.W_OK):
        pytest.skip(f"no gpio-sim that this user may configure; {MACHINE}")
    if "Revision" not in Path("/proc/cpuinfo").read_text():
        pytest.skip(f"/proc/cpuinfo names no Pi, and gpiozero asks it which; {MACHINE}")
    with closing(Chip()) as made:
        if made.name != "gpiochip0":
            pytest.skip(f"this machine has a pin chip of its own before {made.name}")
        until(lambda: os.access("/dev/gpiochip0", os.W_OK))
        yield made


@pytest.fixture(scope="module")
def pins(chip: Chip, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pins]:
    """The table's own pins on it, by gpiozero's factory for lgpio: one for all, as a table has.

    All factories share their pins, and an edge that comes after one was closed ends lgpio's thread.
    """
    assert chip.lines.exists()
    model = tmp_path_factory.mktemp("board") / "model"
    model.write_text("Raspberry Pi 4 Model B")
    opened = open_pins("real", Board(model), claim=partial(claim_pins, Settings()))
    yield opened
    time.sleep(0.5)
    opened.factory.close()


def test_a_contact_that_closes_is_one_press_with_all_its_bounces(chip: Chip, pins: Pins) -> None:
    """The pull-ups are the chip's own; real edges come by lgpio's thread."""
    presses: SimpleQueue[Action] = SimpleQueue()
    buttons = Buttons(
        on_pins(BUTTON_PINS, pins.factory), lambda action, _: presses.put(action), clock=utc_now
    )
    buttons.start()
    with closing(buttons):
        for action, pin in BUTTON_PINS.items():
            assert chip.is_high(pin)
            for way in ("down", "up", "down", "up", "down"):
                chip.pull(pin, way)
            assert presses.get(timeout=PATIENCE_SECONDS) is action
            for way in ("up", "down", "up"):
                chip.pull(pin, way)
            time.sleep(0.1)
        assert presses.empty()


def test_a_lamp_is_lit_on_its_own_pin(chip: Chip, pins: Pins) -> None:
    """And dark again once the lamps are closed."""

    def lit() -> set[Lamp]:
        return {lamp for lamp, pin in LAMP_PINS.items() if chip.is_high(pin)}

    lamps = Lamps(LAMP_PINS, pins.factory)
    lamps.open()
    for lamp in LAMP_PINS:
        lamps.light(frozenset({lamp}))
        assert lit() == {lamp}
    lamps.close()
    assert lit() == set()


def test_check_tries_real_pins(chip: Chip, pins: Pins) -> None:
    """A press counts, silence names the wires, and each lamp is lit while it says so."""
    pin = BUTTON_PINS[Action.KEEP]

    def press(pressed: Any) -> bool:
        chip.pull(pin, "down")
        return bool(pressed.wait(PATIENCE_SECONDS))

    assert try_button(Action.KEEP, pin, pins, wait=press).works
    chip.pull(pin, "up")
    silent = try_button(Action.KEEP, pin, pins, wait=lambda pressed: pressed.wait(0.1))
    assert silent.saw == "No press was seen; check its wires to pin and ground."
    lit: list[bool] = []
    numbers = {Lamp.READY: LAMP_PINS[Lamp.READY]}
    trials = list(
        try_lamps(numbers, pins, sleep=lambda _: lit.append(chip.is_high(numbers[Lamp.READY])))
    )
    assert ([trial.works for trial in trials], lit) == ([True], [True])


def test_a_pin_that_another_program_has_is_named(chip: Chip, pins: Pins) -> None:
    """Lgpio's own error, which shares no base class with any other."""
    assert chip.lines.exists()
    lgpio: Any = importlib.import_module("lgpio")
    other = lgpio.gpiochip_open(0)
    try:
        lgpio.gpio_claim_input(other, 5)
        with pytest.raises(PinError, match=r"Pin 5 cannot be the button keep .*busy"):
            on_pins({Action.KEEP: 5}, pins.factory)[Action.KEEP]()
    finally:
        lgpio.gpiochip_close(other)


# Cameras


@pytest.fixture
def video() -> int:
    """The number of vivid's camera."""
    for node in VIDEO.glob("video*"):
        if (node / "name").read_text().strip() == "vivid-000-vid-cap":
            return int(node.name.removeprefix("video"))
    pytest.skip(f"no camera of vivid's; {MACHINE}")


def test_a_picture_of_the_kernels_camera_is_new(video: int) -> None:
    """Its size is the one asked for, and it was exposed after the call: the driver says when."""
    with WebCamera(str(video), PARTS) as camera:
        for _ in range(3):
            called = time.monotonic()
            image = camera.capture().image
            assert image.shape == (720, 1280, 3)
            assert called <= camera._video.get(cv2.CAP_PROP_POS_MSEC) / 1000
        assert image.std() > 10  # vivid's colour bars, not an empty picture


def test_a_camera_that_the_kernel_takes_away_comes_back(video: int) -> None:
    """With the sentence for a cable that was pulled, at once."""
    if not os.access(VIVID / "unbind", os.W_OK):
        pytest.skip("only root unplugs vivid's camera")
    camera = WebCamera(str(video), PARTS)
    with camera:
        camera.capture()
        (VIVID / "unbind").write_text("vivid.0")
        with pytest.raises(CameraError, match="gives no picture any more; plug it in again"):
            camera.capture()
    with pytest.raises(CameraError, match="No camera answers"), camera:
        pass
    (VIVID / "bind").write_text("vivid.0")
    until(lambda: os.access(f"/dev/video{video}", os.R_OK))
    with camera:
        assert camera.capture().image.shape == (720, 1280, 3)


def test_the_kernel_tells_the_range_of_a_control(video: int) -> None:
    """Vivid has no lens, exposure or white balance: asked in their place is its brightness."""
    ioctl: Callable[[int, int, bytearray], object] = importlib.import_module("fcntl").ioctl
    asked: list[int] = []

    def brightness(device: int, request: int, query: bytearray) -> object:
        asked.append(int.from_bytes(query[:4], "little"))
        query[:4] = (0x980900).to_bytes(4, "little")  # V4L2_CID_BRIGHTNESS
        return ioctl(device, request, query)

    assert control_ranges(video) == {}
    ranges = control_ranges(video, ioctl=brightness)
    assert ranges["focus"] == ControlRange(0.0, 255.0, 1.0)
    assert len(asked) == len(ranges) == 3


def test_the_real_picamera2_over_the_real_libcamera() -> None:
    """Vimc's camera is found and gives pictures; without one there is a sentence, and no leak.

    Vimc has neither a lens nor limits of its frames: what a camera lacks it is not told.
    """
    for name in ("picamera2", "libcamera"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed; {MACHINE}")
    told = subprocess.run(
        [sys.executable, "-m", "tests.hardware.cameras.real_libcamera"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    lines = told.stdout.splitlines()
    assert lines, told.stderr
    if lines[0] == "models: ":
        assert lines[1:] == [f"refused: {NO_ANSWER}", "descriptors: 0"]
    elif "Sensor " in lines[0]:
        assert lines[1:] == ["pictures: [(480, 640, 3), (480, 640, 3)]"], told.stderr
    else:
        pytest.skip(f"libcamera finds a camera that is not vimc's: {lines[0]}")
