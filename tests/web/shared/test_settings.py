"""The settings file."""

from __future__ import annotations

import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from web.shared.settings import (
    ButtonSettings,
    CameraSettings,
    MqttSettings,
    PageSettings,
    Settings,
    SettingsError,
    TraySettings,
    read_settings,
    settings_from,
)
from web.table.play.panel import lamp_pins, long_press

SAMPLE = Path(__file__).parents[3] / "settings.sample.toml"


def as_document(value: Any) -> Any:
    """A value as TOML has it: tuples are lists there."""
    if isinstance(value, dict):
        return {key: as_document(each) for key, each in value.items()}
    return [as_document(each) for each in value] if isinstance(value, tuple) else value


def test_the_sample_holds_every_key_at_its_default() -> None:
    """Whoever copies the sample changes nothing, and finds every key in it."""
    assert read_settings(SAMPLE) == Settings()
    assert tomllib.loads(SAMPLE.read_text(encoding="utf-8")) == as_document(asdict(Settings()))


def test_one_button_is_no_pin() -> None:
    """It is a choice beside the pins, and off unless it is made."""
    assert long_press(Settings()) is None
    assert long_press(settings_from({"buttons": {"one_button": True}})) == 0.7


def test_lamps_that_are_not_wired_share_no_pin() -> None:
    """Three arcade buttons without lamps all have 0; one that is wired is among the pins."""
    assert len(lamp_pins(Settings())) == 4
    wired = settings_from({"lamps": {"keep_button": 5}})
    assert {lamp.value: pin for lamp, pin in lamp_pins(wired).items()}["keep_button"] == 5


def test_what_is_named_is_taken() -> None:
    """Values arrive in their section, lists as tuples and whole numbers where shares may be."""
    corners = [[0, 0.25], [1, 0.2], [0.9, 1], [0.1, 0.9]]
    settings = settings_from(
        {
            "page": {"host": "192.0.2.7", "allowed_hosts": ["table.lan"]},
            "tray": {"corners": corners},
            "buttons": {"keep": 5, "pins": "real"},
            "camera": {"source": "webcam:0", "size": [640, 480], "focus": 3, "rotation": 180},
        }
    )
    assert settings.camera == CameraSettings("webcam:0", size=(640, 480), focus=3.0, rotation=180)
    assert settings.page == PageSettings(host="192.0.2.7", allowed_hosts=("table.lan",))
    assert settings.tray == TraySettings(((0, 0.25), (1, 0.2), (0.9, 1), (0.1, 0.9)))
    assert settings.buttons == ButtonSettings(keep=5, pins="real")


@pytest.mark.parametrize(
    ("broker", "tls", "address"),
    [
        ("broker.lan", False, ("broker.lan", 1883)),
        ("192.0.2.7:65535", False, ("192.0.2.7", 65535)),
        ("broker.lan", True, ("broker.lan", 8883)),
        ("[2001:db8::7]:1884", True, ("2001:db8::7", 1884)),
    ],
)
def test_a_broker_is_named_by_host_and_perhaps_port(
    broker: str, address: tuple[str, int], *, tls: bool
) -> None:
    """The port is the usual one otherwise."""
    assert MqttSettings(broker, tls=tls).address == address


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({"pag": {}}, "There is no section “pag”; did you mean “page”?"),
        ({"xyz": {}}, "There is no section “xyz”; it knows page, table"),
        ({"page": {"prot": 1}}, "[page] has no key “prot”; did you mean “port”?"),
        ({"page": 8000}, "“page” is a section"),
        ({"page": {"port": "8000"}}, "page.port is a whole number, not '8000'."),
        ({"page": {"port": True}}, "page.port is a whole number, not True."),
        ({"page": {"host": 7}}, "page.host is a text in quotes, not 7."),
        ({"page": {"https": "yes"}}, "page.https is true or false, not 'yes'."),
        ({"page": {"port": 70000}}, "page.port is 0 to 65535."),
        ({"page": {"ingress": "ha.lan"}}, "page.ingress is an address such as 172.30.32.2"),
        ({"page": {"viewer_limit": 0}}, "page.viewer_limit is 1 to 500."),
        ({"table": {"photo_games": 1001}}, "table.photo_games is 0 to 1000."),
        ({"page": {"allowed_hosts": "lan"}}, "page.allowed_hosts is a list"),
        ({"page": {"allowed_hosts": [1]}}, "page.allowed_hosts is a text in quotes, not 1."),
        ({"camera": {"size": [640]}}, "camera.size is [width, height] from 160 to 8000"),
        ({"camera": {"size": [640, 9000]}}, "camera.size is [width, height]"),
        ({"camera": {"focus": "near"}}, "camera.focus is a number or 'auto', not 'near'."),
        ({"camera": {"focus": True}}, "camera.focus is a number or 'auto', not True."),
        ({"camera": {"white_balance": -1}}, "camera.white_balance is 0 to 10000."),
        ({"camera": {"exposure": 2000}}, "camera.exposure is 0 to 1000."),
        ({"camera": {"rotation": 45}}, "camera.rotation is one of 0, 90, 180, 270, not 45."),
        ({"camera": {"rotation": False}}, "camera.rotation is one of 0, 90, 180, 270, not False."),
        ({"camera": {"crop": [0.5, 0, 0.55, 1]}}, "camera.crop is [left, top, right, bottom]"),
        ({"camera": {"crop": [0, 0, 1]}}, "camera.crop is [left, top, right, bottom]"),
        ({"camera": {"crop": [0, 0, 2, 1]}}, "camera.crop is [left, top, right, bottom]"),
        ({"tray": {"corners": [[0, 0]]}}, "tray.corners has four corners or none."),
        ({"tray": {"corners": [[0, 0, 0]] * 4}}, "tray.corners is a list in square brackets"),
        ({"tray": {"corners": [[0, 2]] * 4}}, "tray.corners has shares of the picture"),
        ({"tray": {"area": [[0, 0], [1, 1]]}}, "tray.area has three to eight corners, or none."),
        ({"tray": {"area": [[0, 2]] * 4}}, "tray.area has shares of the picture"),
        ({"tray": {"area": [[0, 0]] * 3, "corners": [[0, 0]] * 4}}, "tray.area goes without"),
        ({"buttons": {"keep": 1}}, "buttons.keep is a pin from 2 to 27"),
        ({"buttons": {"long_press_seconds": 5}}, "buttons.long_press_seconds is 0.3 to 3."),
        ({"sound": {"voice": "radio"}}, "sound.voice is one of off, browser, speaker, not 'radio'"),
        ({"buttons": {"pins": "yes"}}, "buttons.pins is one of auto, real, simulated, not 'yes'."),
        ({"buttons": {"pins": []}}, "buttons.pins is one of auto, real, simulated, not []."),
        ({"buttons": {"keep_keys": ["ENTER"]}}, "“ENTER” is no key’s name: write it as KEY_ENTER."),
        ({"buttons": {"keep_keys": ["KEY_R"]}}, "The key KEY_R is given twice"),
        ({"lamps": {"ready": 17}}, "“keep” and “ready” both have pin 17"),
        ({"lamps": {"ready": 0}}, "lamps.ready is a pin from 2 to 27"),
        ({"lamps": {"keep_button": 1}}, "lamps.keep_button is a pin from 2 to 27"),
        ({"lamps": {"undo_button": 17}}, "“keep” and “undo_button” both have pin 17"),
        ({"mqtt": {"broker": "mqtt://table:secret@hall"}}, "mqtt.broker is HOST or HOST:PORT;"),
        ({"mqtt": {"broker": "hall:65536"}}, "mqtt.broker is HOST or HOST:PORT;"),
        ({"mqtt": {"topic": "home/#"}}, "mqtt.topic has no # and no +"),
        (
            {"mqtt": {"discovery": "/home"}},
            "mqtt.discovery has no # and no +, and no / at its ends",
        ),
        ({"mqtt": {"topic": ""}}, "mqtt.topic is not empty."),
        ({"mqtt": {"press": "short"}}, "mqtt.press is 16 to 100 letters, digits, - or _, hard to"),
        ({"mqtt": {"press": "everybody/of/this/house/#"}}, "mqtt.press is 16 to 100 letters"),
        ({"demo": {"frames_per_second": 0}}, "demo.frames_per_second is 1 to 60."),
        ({"demo": {"frames_per_second": "fast"}}, "demo.frames_per_second is a number"),
    ],
)
def test_what_is_wrong_is_named_with_its_cure(document: dict[str, Any], sentence: str) -> None:
    """Every fault names its section and key, and what would be right."""
    with pytest.raises(SettingsError) as caught:
        settings_from(document)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot be read: No such file"),
        (b"[page", "is no TOML"),
        (b"page = " + b"[" * 9000, "is no TOML"),
        (b"page = " + b"1" * 5000, "is no TOML"),
        ("# Küche".encode("cp1252"), "is no text in UTF-8; save it so"),
        (b"[page]\nprot = 1\n", "no key “prot”"),
    ],
)
def test_a_file_at_fault_is_named(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    """The sentence names the file, so that the right one is mended."""
    file = tmp_path / "table.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SettingsError) as caught:
        read_settings(file)
    assert str(file) in str(caught.value)
    assert sentence in str(caught.value)


def test_a_file_of_any_editor_is_read(tmp_path: Path) -> None:
    """Notepad and PowerShell begin theirs with a byte order mark."""
    file = tmp_path / "table.toml"
    for encoding in ("utf-8-sig", "utf-16"):
        file.write_bytes("[page]\r\nchances = false\r\n".encode(encoding))
        assert not read_settings(file).page.chances
