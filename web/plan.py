"""What `tablescore run` shall start, decided before anything is started."""

from __future__ import annotations

import socket
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from platformdirs import user_data_path

from hardware.pins import Pins
from scoreboard.message import Message, message
from web.addresses import (
    allowed_hosts,
    is_loopback,
    network_addresses,
    page_addresses,
    reachable_addresses,
)
from web.settings import Settings, read_settings

GAMES_FILE: Final = "games.sqlite3"
DEMO_FILE: Final = "demo.sqlite3"


@dataclass(frozen=True, slots=True)
class Facts:
    """What is real and what is simulated here, and who may act.

    `camera` names the source of the pictures in words; `pins` says for makers what buttons and
    lamps are connected to, or why to nothing; `demo` is true for the demo
    evening; `open_to_network` is true when the page is served beyond this machine, so
    that everyone on that network may act.
    """

    camera: Message
    camera_simulated: bool
    buttons_simulated: bool
    pins: str
    demo: bool
    open_to_network: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What `tablescore run` shall start; nothing of it has been started yet."""

    settings: Settings
    demo: bool
    database: str

    @classmethod
    def of(cls, settings: Settings) -> Plan:
        """The plan of these settings: without a camera it is the demo evening."""
        demo = not settings.camera.source
        default = default_database(DEMO_FILE if demo else GAMES_FILE)
        return cls(settings, demo, settings.table.database or default)

    @property
    def place(self) -> str:
        """Where the games are kept, as a person reads it; without a password."""
        from scoreboard.storage import database_name  # noqa: PLC0415 -- a second on a Raspberry Pi

        return database_name(self.database)

    def addresses(self, port: int) -> tuple[str, ...]:
        """What to type into a browser, this machine's own first."""
        return page_addresses(self.settings.page.host, port, network_addresses())

    def allowed_hosts(self) -> frozenset[str]:
        """The names by which browsers may call the page."""
        page = self.settings.page
        names = (socket.gethostname(), network_addresses())
        return allowed_hosts(page.host, *names, page.allowed_hosts)

    def reachable(self, port: int) -> tuple[str, ...]:
        """What to type on a tablet just now, none where only this machine is served."""
        return reachable_addresses(self.settings.page.host, port, network_addresses())

    def facts(self, pins: Pins) -> Facts:
        """What is real and what is simulated, and who may act."""
        return Facts(
            camera=_camera_in_words(self.settings.camera.source),
            camera_simulated=self.demo,
            buttons_simulated=pins.simulated,
            pins=pins.description,
            demo=self.demo,
            open_to_network=not is_loopback(self.settings.page.host),
        )


def chosen_settings(file: Path | None) -> Settings:
    """The settings of that file, the defaults without one. Raises SettingsError."""
    return Settings() if file is None else read_settings(file)


def told_settings(settings: Settings) -> dict[str, Any]:
    """The settings as JSON values, without a secret: of a server neither password nor parameters.

    Raises:
        StoreError: the database's address is of a kind that games cannot be kept in.
    """
    from scoreboard.storage import database_name  # noqa: PLC0415 -- as above

    document = asdict(settings)
    if settings.table.database:
        document["table"]["database"] = database_name(settings.table.database)
    return document


def default_database(file: str) -> str:
    """The address of a database in the user's data folder."""
    return f"sqlite:///{user_data_path('tablescore') / file}"


def _camera_in_words(source: str) -> Message:
    kind, _, detail = source.partition(":")
    match kind:
        case "":
            return message("rendered pictures of the demo evening")
        case "folder":
            return message("the pictures in the folder {folder}", folder=detail)
        case "webcam":
            return message("webcam {number}", number=detail)
        case "picamera":
            return message("the Raspberry Pi’s camera")
        case "upload":
            return message("photos that a phone sends on the page")
        case _:
            return message("{camera}", camera=source)
