"""The settings: one TOML file, read into frozen values; what it doesn't know it refuses by name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import tomli_w

from hardware.camera import CameraControls
from scoreboard.text_files import read_text, write_whole
from web.shared.addresses import parsed_address

Corner = tuple[float, float]
PinMode = Literal["auto", "real", "simulated"]
Watching = Literal["open", "code", "closed"]
Voice = Literal["off", "browser", "speaker"]
Language = Literal["en", "de", "fr", "ko", "ja"]

HEADER_PINS: Final = range(2, 28)
SECRET: Final = re.compile(r"[A-Za-z0-9_-]{16,100}")
BROKER: Final = re.compile(r"([\w.-]+|\[[0-9A-Fa-f:]+\])(?::([0-9]{1,5}))?", re.ASCII)
KEY_NAME: Final = re.compile(r"(KEY|BTN)_[A-Z0-9_]+")
SIDES: Final = range(160, 8001)  # pixels
WHOLE: Final = (0.0, 0.0, 1.0, 1.0)
LEAST_CROP: Final = 0.1
# Of keypads and keyboards; of presenters (next, back, and start or black screen); of Bluetooth
# remotes for cameras and music.
KEEP_KEYS: Final = (
    "KEY_K", "KEY_ENTER", "KEY_KPENTER", "KEY_PAGEDOWN", "KEY_VOLUMEUP", "KEY_PLAYPAUSE",
)  # fmt: skip
REROLL_KEYS: Final = (
    "KEY_R", "KEY_SPACE", "KEY_KPPLUS", "KEY_PAGEUP", "KEY_VOLUMEDOWN", "KEY_NEXTSONG",
)  # fmt: skip
UNDO_KEYS: Final = (
    "KEY_U", "KEY_BACKSPACE", "KEY_KPMINUS", "KEY_ESC", "KEY_F5", "KEY_B", "KEY_DOT",
    "KEY_PREVIOUSSONG",
)  # fmt: skip
CHOSEN_HEAD: Final = "# Chosen on the page; a settings file goes before it.\n"


class SettingsError(ValueError):
    """Settings that cannot be used; the text names the key, the fault and the cure."""


@dataclass(frozen=True, slots=True)
class PageSettings:
    """The page's address and callers; `port` 0 takes any free port.

    `watching` is who may watch without being let in: everybody, holders of a link, no one. Without
    a link they see the current game, and earlier ones if an owner opened them. With `chances` the
    big screen shows the chances to win a game of dice. With `https` the network is answered over
    https, with a certificate of the table's own. `ingress` is where Home Assistant's Supervisor is.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    watching: Watching = "open"
    https: bool = False
    allowed_hosts: tuple[str, ...] = ()
    ingress: str = ""
    viewer_limit: int = 50
    chances: bool = True

    def __post_init__(self) -> None:
        _require(self.port in range(65536), "page", "port", "is 0 to 65535")
        known = not self.ingress or parsed_address(self.ingress) is not None
        _require(known, "page", "ingress", "is an address such as 172.30.32.2, or empty")
        _require(self.viewer_limit in range(1, 501), "page", "viewer_limit", "is 1 to 500")


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The place of the games; an empty `database` is the one in the user's data folder.

    `photo_games` is how many games keep the photos behind their scores, 0 for none. `dice` names
    the current set of dice, so that its fairness is tested separately.
    """

    database: str = ""
    photo_games: int = 50
    dice: str = ""

    def __post_init__(self) -> None:
        fits = 0 <= self.photo_games <= 1000  # noqa: PLR2004 -- as in the sentence
        _require(fits, "table", "photo_games", "is 0 to 1000")


@dataclass(frozen=True, slots=True)
class CameraSettings(CameraControls):
    """Which camera looks at the table, written as for --camera, and what is set of it.

    An empty `source` is the demo evening.
    """

    source: str = ""

    def __post_init__(self) -> None:
        sides = len(self.size) in {0, 2} and all(side in SIDES for side in self.size)
        _require(sides, "camera", "size", "is [width, height] from 160 to 8000, or empty")
        for key, most in ("focus", 1023), ("exposure", 1000), ("white_balance", 10_000):
            value = getattr(self, key)
            _require(value == "auto" or 0 <= value <= most, "camera", key, f"is 0 to {most}")
        edges = self.crop or WHOLE
        fits = len(edges) == len(WHOLE) and all(0 <= edge <= 1 for edge in edges)
        fits = fits and all(edges[at + 2] - edges[at] >= LEAST_CROP for at in range(2))
        rule = "is [left, top, right, bottom], shares of the picture that leave a tenth or more"
        _require(fits, "camera", "crop", rule)


@dataclass(frozen=True, slots=True)
class TraySettings:
    """The tray or the play area in the picture.

    `corners` are the tray's four, clockwise from the top left, `area` those of a play area, which
    is not rectified, all shares of the picture's width and height. With neither the whole picture
    counts.
    """

    corners: tuple[Corner, ...] = ()
    area: tuple[Corner, ...] = ()

    def __post_init__(self) -> None:
        _require(len(self.corners) in {0, 4}, "tray", "corners", "has four corners or none")
        fits = len(self.area) in {0, *range(3, 9)}
        _require(fits, "tray", "area", "has three to eight corners, or none")
        for key, around in ("corners", self.corners), ("area", self.area):
            inside = all(0 <= share <= 1 for corner in around for share in corner)
            _require(inside, "tray", key, "has shares of the picture, from 0 to 1")
        both = self.corners and self.area
        _require(not both, "tray", "area", "goes without corners: a tray is its own area")


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """The buttons' pins, numbered as BCM does; `pins` decides whether they are real.

    `keys` is an input device, by its path or name, whose keys are buttons, too; the others give
    the keys of each button, by the kernel's names. With `one_button` KEEP held down for
    `long_press_seconds` is REROLL.
    """

    pins: PinMode = "auto"
    keep: int = 17
    reroll: int = 27
    undo: int = 22
    keys: str = ""
    keep_keys: tuple[str, ...] = KEEP_KEYS
    reroll_keys: tuple[str, ...] = REROLL_KEYS
    undo_keys: tuple[str, ...] = UNDO_KEYS
    one_button: bool = False
    long_press_seconds: float = 0.7

    def __post_init__(self) -> None:
        _require_header_pins(self, "buttons")
        fits = 0.3 <= self.long_press_seconds <= 3  # noqa: PLR2004 -- as in the sentence
        _require(fits, "buttons", "long_press_seconds", "is 0.3 to 3")
        named = [*self.keep_keys, *self.reroll_keys, *self.undo_keys]
        for key in named:
            if not KEY_NAME.fullmatch(key):
                raise SettingsError(f"“{key}” is no key’s name: write it as KEY_ENTER.")
            if named.count(key) > 1:
                raise SettingsError(f"The key {key} is given twice: a key has one meaning.")


@dataclass(frozen=True, slots=True)
class LampSettings:
    """The lamps' pins, numbered as BCM does; those in arcade buttons are 0 where there are none."""

    ready: int = 23
    reading: int = 24
    confirm: int = 25
    hurry: int = 18
    keep_button: int = 0
    reroll_button: int = 0
    undo_button: int = 0

    def __post_init__(self) -> None:
        _require_header_pins(self, "lamps")


@dataclass(frozen=True, slots=True)
class SoundSettings:
    """The speaker of readings and scores: none, each page that is switched on, or the machine.

    `language` is what the machine's own speaker speaks; a page speaks its reader's.
    """

    voice: Voice = "browser"
    language: Language = "en"


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """How fast the demo evening plays."""

    frames_per_second: float = 10.0

    def __post_init__(self) -> None:
        fits = 1 <= self.frames_per_second <= 60  # noqa: PLR2004 -- as in the sentence
        _require(fits, "demo", "frames_per_second", "is 1 to 60")


@dataclass(frozen=True, slots=True)
class ConfirmSettings:
    """Whether a reading may be confirmed without a press: after `seconds` unchanged, 0 never.

    `confidence` is how probable it must be that all its dice are right.
    """

    seconds: float = 0.0
    confidence: float = 0.99

    def __post_init__(self) -> None:
        _require(self.seconds >= 0, "confirm", "seconds", "is 0 or more")
        _require(0 < self.confidence <= 1, "confirm", "confidence", "is above 0 and at most 1")


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """The broker for the table's state, HOST or HOST:PORT; without one nothing is sent.

    `topic` begins each topic; `discovery` is Home Assistant's prefix, "" for none, and `name` what
    it calls the table. With `press`, a secret, TOPIC/press/SECRET presses the buttons.
    """

    broker: str = ""
    user: str = ""
    password: str = field(default="", repr=False)
    tls: bool = False
    topic: str = "tablescore"
    discovery: str = "homeassistant"
    name: str = ""
    press: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        named = BROKER.fullmatch(self.broker)
        fits = not self.broker or (named is not None and int(named[2] or 1) in range(1, 65536))
        _require(fits, "mqtt", "broker", "is HOST or HOST:PORT; user and password stand apart")
        for key, topic in ("topic", self.topic), ("discovery", self.discovery):
            level = not set(topic) & set("#+\0") and topic == topic.strip("/")
            _require(level, "mqtt", key, "has no # and no +, and no / at its ends")
        _require(bool(self.topic), "mqtt", "topic", "is not empty")
        secret = not self.press or SECRET.fullmatch(self.press) is not None
        rule = "is 16 to 100 letters, digits, - or _, hard to guess: whoever knows it can press"
        _require(secret, "mqtt", "press", rule)

    @property
    def address(self) -> tuple[str, int]:
        parts = urlsplit(f"//{self.broker}")
        return parts.hostname or "", parts.port or (8883 if self.tls else 1883)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings at once. Raises SettingsError if two buttons or lamps share a pin."""

    page: PageSettings = field(default_factory=PageSettings)
    table: TableSettings = field(default_factory=TableSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    tray: TraySettings = field(default_factory=TraySettings)
    confirm: ConfirmSettings = field(default_factory=ConfirmSettings)
    buttons: ButtonSettings = field(default_factory=ButtonSettings)
    lamps: LampSettings = field(default_factory=LampSettings)
    sound: SoundSettings = field(default_factory=SoundSettings)
    mqtt: MqttSettings = field(default_factory=MqttSettings)
    demo: DemoSettings = field(default_factory=DemoSettings)

    def __post_init__(self) -> None:
        pins = (*_pins(self.buttons), *_pins(self.lamps))
        for name, pin in pins:
            others = [other for other, same in pins if same == pin and other != name]
            if others:
                raise SettingsError(
                    f"“{name}” and “{others[0]}” both have pin {pin}: each needs its own."
                )


def read_settings(path: Path) -> Settings:
    """Read a settings file. Raises SettingsError for anything but what settings know."""
    try:
        return settings_from(tomllib.loads(read_text(path)))
    except OSError as error:
        raise SettingsError(
            f"The settings file {path} cannot be read: {error.strerror}."
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"The settings file {path} is no text in UTF-8; save it so.") from error
    except SettingsError as error:
        raise SettingsError(f"The settings file {path}: {error}") from error
    except (ValueError, RecursionError) as error:  # TOML's own, or a number or depth beyond Python
        raise SettingsError(f"The settings file {path} is no TOML: {error}.") from error


def write_chosen(file: Path, **sections: Mapping[str, Any]) -> None:
    """Write a settings file of these sections, for its owner's eyes alone. Raises OSError."""
    # an address may hold a password
    write_whole(file, f"{CHOSEN_HEAD}{tomli_w.dumps(sections)}".encode())


def settings_from(document: Mapping[str, Any]) -> Settings:
    """Settings from a TOML document, the rest at its default. Raises SettingsError."""
    kinds, sections = get_type_hints(Settings), {}
    _refuse_unknown(document, kinds, "There is no section “{name}”")
    for name, table in document.items():
        if not isinstance(table, dict):
            raise SettingsError(f"“{name}” is a section: write [{name}] on a line of its own.")
        hints = get_type_hints(kinds[name])
        _refuse_unknown(table, hints, f"[{name}] has no key “{{name}}”")
        values = {key: _value(f"{name}.{key}", hints[key], each) for key, each in table.items()}
        sections[name] = kinds[name](**values)
    return Settings(**sections)


def _refuse_unknown(given: Iterable[str], known: Iterable[str], sentence: str) -> None:
    names = list(known)
    for name in given:
        if name not in names:
            near = get_close_matches(name, names, n=1, cutoff=0.5)
            cure = f"did you mean “{near[0]}”?" if near else f"it knows {', '.join(names)}."
            raise SettingsError(f"{sentence.format(name=name)}; {cure}")


def _value(where: str, hint: Any, value: Any) -> Any:
    if get_origin(hint) is tuple:
        hints = get_args(hint)
        many = hints[-1] is Ellipsis
        if not isinstance(value, list) or not (many or len(value) == len(hints)):
            raise SettingsError(f"{where} is a list in square brackets, not {value!r}.")
        return tuple(_value(where, hints[0], each) for each in value)
    if get_origin(hint) is Literal:
        if value not in get_args(hint) or type(value) is bool:
            names = ", ".join(map(str, get_args(hint)))
            raise SettingsError(f"{where} is one of {names}, not {value!r}.")
        return value
    if get_origin(hint) is Union:  # a number, or a word instead of it
        number, word = get_args(hint)
        if value in get_args(word):
            return value
        if type(value) not in {int, float}:
            raise SettingsError(f"{where} is a number or {get_args(word)[0]!r}, not {value!r}.")
        return _value(where, number, value)
    if hint is float and type(value) is int:
        return float(value)
    if type(value) is not hint:
        raise SettingsError(f"{where} is {_KINDS[hint]}, not {value!r}.")
    return value


_KINDS: Final = {
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


def _pins(section: ButtonSettings | LampSettings) -> tuple[tuple[str, int], ...]:
    named = ((each.name, getattr(section, each.name)) for each in fields(section))
    return tuple(
        (name, pin)
        for name, pin in named
        if type(pin) is int and (pin or not name.endswith("_button"))
    )


def _require_header_pins(section: ButtonSettings | LampSettings, name: str) -> None:
    for key, pin in _pins(section):
        _require(pin in HEADER_PINS, name, key, "is a pin from 2 to 27, as BCM numbers them")


def _require(holds: bool, section: str, key: str, rule: str) -> None:  # noqa: FBT001
    if not holds:
        raise SettingsError(f"{section}.{key} {rule}.")
