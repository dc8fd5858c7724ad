"""The plan of `tablescore run`, decided before anything is started."""

from __future__ import annotations

import logging
import secrets
import socket
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from platformdirs import user_data_path

from hardware.camera import public_name
from hardware.pins import Pins
from scoreboard.message import Message, message
from scoreboard.text_files import write_whole
from web.shared.addresses import (
    allowed_hosts,
    is_loopback,
    network_addresses,
    page_addresses,
    reachable_addresses,
)
from web.shared.settings import Settings, read_settings, write_chosen

if TYPE_CHECKING:
    from hardware.machine import Machine
    from web.shared.certificates import TableCertificate

StartAgain = Callable[..., None]  # with options of `tablescore run`, which go before earlier ones
# The options that open the table to the home network, encrypted, and close it.
OPENED: Final = ("--host", "0.0.0.0", "--https")  # noqa: S104 -- an owner asks for it
CLOSED: Final = ("--host", "127.0.0.1")
CHOSEN_FILE: Final = "camera.toml"
KEY_FILE: Final = "here.key"
GAMES_FILE: Final = "games.sqlite3"
DEMO_FILE: Final = "demo.sqlite3"
LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is real and what is simulated here, and who can reach it.

    `camera` names the source of the pictures; `pins` is a description for makers of the pins of
    buttons and lamps, or the reason for none. Buttons that are `keys` of a keypad are real without
    pins. With `open_to_network` other devices reach the page.
    """

    camera: Message
    camera_simulated: bool
    buttons_simulated: bool
    pins: str
    demo: bool
    open_to_network: bool
    lamps_simulated: bool = True
    keys: str = ""

    @property
    def buttons(self) -> str:
        return f"keys of {self.keys}; {self.pins}" if self.keys else self.pins


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of `tablescore run`."""

    settings: Settings
    demo: bool
    database: str

    @classmethod
    def of(cls, settings: Settings) -> Plan:
        """The plan for these settings: without a camera it is the demo evening."""
        demo = not settings.camera.source
        default = default_database(DEMO_FILE if demo else GAMES_FILE)
        return cls(settings, demo, settings.table.database or default)

    @property
    def place(self) -> str:
        """Where the games are kept, as a person reads it; without a password."""
        from scoreboard.storage import database_name  # noqa: PLC0415 -- a second on a Raspberry Pi

        return database_name(self.database)

    def file(self, suffix: str) -> Path | None:
        """The file next to the database that ends so; None for one that is no file."""
        from scoreboard.storage import database_path  # noqa: PLC0415 -- as above

        path = database_path(self.database)
        return None if path is None else path.with_suffix(suffix)

    def machine(self) -> Machine:
        from hardware.machine import Machine  # noqa: PLC0415 -- as above

        file = self.file("")
        return Machine(None if file is None else file.parent)

    def addresses(self, port: int) -> tuple[str, ...]:
        page = self.settings.page
        return page_addresses(page.host, port, network_addresses(), https=page.https)

    def own_link(self, port: int, key: str) -> str:
        """What opens the page in this machine's own browser, which may do everything."""
        return f"{self.addresses(port)[0]}here/{key}/"

    def allowed_hosts(self) -> frozenset[str]:
        page, machine = self.settings.page, socket.gethostname()
        return allowed_hosts(page.host, machine, network_addresses(), page.allowed_hosts)

    def reachable(self, port: int) -> tuple[str, ...]:
        """What to type on a tablet now; none where only this machine is served."""
        page = self.settings.page
        return reachable_addresses(page.host, port, network_addresses(), https=page.https)

    def certificate(self) -> TableCertificate | None:
        """What the page shows over https, made if missing; else None. Raises CertificateError."""
        if not self.settings.page.https:
            return None
        from web.shared.certificates import TableCertificate  # noqa: PLC0415 -- as above

        return TableCertificate(user_data_path("tablescore") / "https", self.allowed_hosts)

    def facts(self, pins: Pins) -> Facts:
        source = self.settings.camera.source
        kind, _, detail = source.partition(":")
        cameras = {
            "": message("rendered pictures of the demo evening"),
            "phone": message("a phone’s camera, live"),
            "upload": message("photos that a phone sends on the page"),
            "folder": message("the pictures in the folder {folder}", folder=detail),
            "webcam": message("webcam {number}", number=detail),
            "stream": message(
                "the stream {address}", address=public_name(source).removeprefix("stream:")
            ),
            "picamera": message("the Raspberry Pi’s camera"),
        }
        return Facts(
            camera=cameras.get(kind, message("{camera}", camera=source)),
            camera_simulated=self.demo,
            buttons_simulated=pins.simulated and not self.settings.buttons.keys,
            pins=pins.description,
            lamps_simulated=pins.simulated,
            keys=self.settings.buttons.keys,
            demo=self.demo,
            open_to_network=not is_loopback(self.settings.page.host),
        )


def chosen_settings(  # noqa: PLR0913 -- one an option
    file: Path | None,
    *,
    camera: str | None = None,
    database: str | None = None,
    host: str | None = None,
    port: int | None = None,
    https: bool = False,
    ingress: str | None = None,
) -> Settings:
    """The settings of that file, or the defaults; what the command line names goes before them.

    Where neither names a camera or opens the network, it is as was chosen on the page. An empty
    `camera` asks for the demo evening. A phone as the camera switches https on: browsers give a
    page their camera only there. Raises SettingsError if the file cannot be used.
    """
    settings = Settings() if file is None else read_settings(file)
    chosen, table = chosen_on_page(), settings.table
    page, source = settings.page, settings.camera
    if host is None and page.host == CLOSED[1]:
        page = replace(page, host=chosen.page.host, https=page.https or chosen.page.https)
    if camera is None and not source.source:
        camera = chosen.camera.source
    source = source if camera is None else replace(source, source=camera)
    return replace(
        settings,
        page=replace(
            page,
            host=page.host if host is None else host,
            port=page.port if port is None else port,
            ingress=page.ingress if ingress is None else ingress,
            https=page.https or https or source.source == "phone",
        ),
        camera=source,
        table=table if database is None else replace(table, database=database),
    )


def chosen_on_page() -> Settings:
    """The camera and the network chosen on the page. Raises SettingsError for a damaged file."""
    file = user_data_path("tablescore") / CHOSEN_FILE
    return read_settings(file) if file.exists() else Settings()


def keep_chosen(*, source: str | None = None, is_open: bool | None = None) -> None:
    """Keep the camera, or whether the network is open, for the next starts. Raises OSError."""
    chosen = chosen_on_page()
    page = chosen.page
    if is_open is not None:
        page = replace(page, host=(OPENED if is_open else CLOSED)[1], https=is_open)
    camera = {"source": chosen.camera.source if source is None else source}
    network = {"host": page.host, "https": page.https}
    write_chosen(user_data_path("tablescore") / CHOSEN_FILE, camera=camera, page=network)


def own_key() -> str:
    """The key by which this machine's own browser proves itself, made at the first start.

    Only this user can read its file. One that cannot be kept lasts as long as the table.
    """
    file = user_data_path("tablescore") / KEY_FILE
    key = secrets.token_urlsafe()
    try:
        kept = file.read_text(encoding="utf-8").strip() if file.exists() else ""
        if not kept:
            write_whole(file, key.encode())
    except (OSError, UnicodeDecodeError) as error:
        LOG.warning("%s cannot be used (%s): the link to this table changes", file, error)
        return key
    return kept or key


def settings_without_secrets(settings: Settings) -> dict[str, Any]:
    """The settings as JSON values without secrets. Raises StoreError for an unknown database."""
    from scoreboard.storage import database_name  # noqa: PLC0415 -- as above

    document = asdict(settings)
    document["camera"]["source"] = public_name(settings.camera.source)
    if settings.table.database:
        document["table"]["database"] = database_name(settings.table.database)
    document["mqtt"] |= {"user": "", "password": "", "press": ""}
    return document


def advice_folder() -> Path:
    """Where tables of advice are kept that were made on this machine."""
    return user_data_path("tablescore") / "advice"


def default_database(file: str) -> str:
    """The address of a database in the user's data folder."""
    return f"sqlite:///{user_data_path('tablescore') / file}"
