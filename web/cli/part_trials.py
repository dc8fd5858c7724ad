"""The table's parts tried one by one, outside of a running table: for `check` and `calibrate`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

from hardware.camera import public_name
from hardware.errors import CameraError, PinError
from hardware.keys import KeyDevice
from hardware.pins import open_pins
from hardware.speaker import Speaker
from hardware.trial import Trial, try_button, try_camera, try_key, try_lamps, try_speaker
from scoreboard.storage import database_path
from scoreboard.table.proposal import Light
from scoreboard.table.requests import Action, TableStatus
from vision.capture.frame import Image
from vision.capture.photo import encode_small, open_photo
from vision.quality.health import health
from vision.quality.tray import TrayCorners, find_tray
from web.shared.plan import Plan
from web.shared.settings import Settings
from web.table.camera.camera_setup import open_camera_setup
from web.table.camera.tray import open_tray
from web.table.diagnostics import NotRunningError, RunningNote
from web.table.play.panel import button_pins, claim_pins, key_meanings, lamp_pins
from web.wiring import open_table_camera

PICTURE_SIDE: Final = 1280
PICTURE_QUALITY: Final = 80


def try_parts(settings: Settings, announce: Callable[[str], None]) -> Iterator[Trial]:
    """Try the camera and its view, each button and lamp, then the machine itself.

    `announce` gets the instructions. A running table that uses these parts is asked instead. Raises
    CalibrationError, CameraError for an unknown camera, PinError.
    """
    running = running_camera(settings)
    if running is not None:
        yield from (*_asked(running), *_tried_machine(settings))
        return
    pins = open_pins(settings.buttons.pins)
    yield from _tried_camera(settings)
    for action, pin in button_pins(settings).items():
        if not pins.simulated:
            announce(f"Press {action.value} on pin {pin} within ten seconds.")
        yield try_button(action, pin, pins)
    yield from _tried_keys(settings, announce)
    yield from try_lamps(lamp_pins(settings), pins)
    if settings.sound.voice == "speaker":
        yield try_speaker(Speaker(str, settings.sound.language))
    yield from _tried_machine(settings)


def glance_at_parts(settings: Settings, seen: Callable[[bytes], None]) -> Iterator[Trial]:
    """Try camera and view, whether there are pins, and the machine itself; no press is needed.

    `seen` is given the last picture as JPEG. Raises CalibrationError, CameraError.
    """
    yield from _tried_camera(settings, seen)
    part = "buttons and lamps"
    try:
        pins = open_pins(settings.buttons.pins, claim=partial(claim_pins, settings))
        yield Trial(part, works=True, saw=f"{pins.description}.", simulated=pins.simulated)
    except PinError as error:
        yield Trial(part, works=False, saw=str(error))
    yield from _tried_machine(settings)


def _tried_keys(settings: Settings, announce: Callable[[str], None]) -> Iterator[Trial]:
    """Each button of the keypad; unknown keys are named, so that they can be assigned."""
    if not settings.buttons.keys:
        return
    keypad = KeyDevice(
        settings.buttons.keys,
        key_meanings(settings),
        unknown=lambda name: announce(f"{name} was pressed, which means nothing yet."),
    )
    with closing(keypad):
        keypad.start()
        for action in Action:
            announce(f"Press {action.value} on {settings.buttons.keys} within ten seconds.")
            yield try_key(action, keypad)


def _tried_machine(settings: Settings) -> Iterator[Trial]:
    faults = Plan.of(settings).machine().faults()
    for saw in faults or ("Nothing is wrong with power, heat, disk and clock.",):
        yield Trial("machine", works=not faults, saw=str(saw))


def running_camera(settings: Settings) -> dict[str, Any] | None:
    """The state reported by a table that runs with this camera and database, or None."""
    path = database_path(Plan.of(settings).database)
    try:
        document = {} if path is None else RunningNote(path).ask().document
    except NotRunningError:
        return None
    source = document.get("settings", {}).get("camera", {}).get("source")
    return document if source == public_name(settings.camera.source) else None


def _asked(running: dict[str, Any]) -> Iterator[Trial]:
    """The parts as the table that uses them sees them."""
    camera, pins = running["camera"], running["pins"]
    lost = camera["sees"] == TableStatus.LOST.value
    size = "{} x {} pixels".format(*camera["size"]) if camera["size"] else "no picture yet"
    saw = str(camera["says"]) if lost else f"The running table uses it: {size}."
    name = running["settings"]["camera"]["source"] or "demo"
    yield Trial(f"camera {name}", works=not lost, saw=saw, simulated=camera["simulated"])
    if camera["view"] and not lost:
        words = " ".join(camera["reasons"]) or "The table is seen well."
        yield Trial(f"view, {camera['view']}", works=camera["view"] != "red", saw=words)
    saw = f"The running table has them: {pins['described']}."
    yield Trial("buttons and lamps", works=True, saw=saw, simulated=pins["simulated"])


def _tried_camera(
    settings: Settings, seen: Callable[[bytes], None] = lambda _jpeg: None
) -> Iterator[Trial]:
    """The camera, and how well its last picture, which `seen` is given, shows the table."""
    plan = Plan.of(settings)
    trial = try_camera(open_table_camera(settings, open_camera_setup(plan)))
    yield trial
    if not trial.captures:
        return
    image, tray = trial.captures[-1].image, open_tray(plan)
    seen(encode_small(image, PICTURE_SIDE, PICTURE_QUALITY))
    view = health(image, tray.fingerprint(), area=tray.area())
    words = " ".join(map(str, view.reasons)) or "The table is seen well."
    yield Trial(f"view, {view.light.value}", works=view.light is not Light.RED, saw=words)


def look_for_tray(settings: Settings, photo: Path | None) -> tuple[Image, TrayCorners]:
    """Find the tray in a photograph or the camera's picture. Raises CameraError, VisionError."""
    if photo is not None:
        image = open_photo(photo)
        return image, find_tray(image)
    trial = try_camera(open_table_camera(settings, open_camera_setup(Plan.of(settings))))
    if not trial.captures:
        raise CameraError.worded("{camera}: {fault}", camera=trial.part, fault=trial.saw)
    image = trial.captures[-1].image  # the exposure has settled by then
    return image, find_tray(image)
