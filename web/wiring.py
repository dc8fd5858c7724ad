"""The composition root: the only file that meets eyes, hands and memory.

OpenCV, onnxruntime, the database and the pins are loaded where they are first needed: the
table's page stands while the reader is still loading, and most commands need none of them.
"""
# ruff: noqa: PLC0415 -- see above: seconds on a Raspberry Pi

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platformdirs import user_data_path

from scoreboard.phrase import Phrase, phrase
from scoreboard.table.messages import Ticked
from web.addresses import WILDCARDS, allowed_hosts, is_loopback, network_addresses, page_addresses
from web.archive import Archive
from web.demo import OPENING, DemoThrows
from web.live import LiveViews
from web.settings import Settings, read_settings
from web.table import Facts, Table, utc_now
from web.watching import CameraWatch

if TYPE_CHECKING:
    from flask import Flask

    from hardware.camera import Camera
    from hardware.cameras.upload import UploadCamera
    from scoreboard.table.confirming import ConfirmPolicy
    from scoreboard.table.ports import Announcer
    from vision.evaluation import SourceScore
    from vision.frame import Image
    from vision.observation import Observation
    from vision.pictures import Picture, Pictures
    from vision.pipeline import TablePipeline
    from vision.recogniser import Recogniser

GAMES_FILE: Final = "games.sqlite3"
DEMO_FILE: Final = "demo.sqlite3"


@dataclass(frozen=True, slots=True)
class Eyes:
    """What reads photographs: files to pictures, pictures to observations, and drawings."""

    open_photo: Callable[[str | Path], Image]
    recognise: Recogniser
    drawing_path: Callable[[Path, Path, Collection[Path]], Path]
    draw: Callable[[Path, Image, Observation], None]


def open_eyes(pieces: str) -> Eyes:
    """Load the reader of those pieces.

    Raises:
        WeightsError: its model cannot be loaded.
    """
    from vision.drawing import draw_observation, drawing_path, write_drawing
    from vision.photo import open_photo
    from vision.recognisers import RECOGNISERS

    def draw(path: Path, image: Image, observation: Observation) -> None:
        write_drawing(path, draw_observation(image, observation))

    return Eyes(open_photo, RECOGNISERS[pieces](), drawing_path, draw)


def evaluate_photographs(folder: Path, pieces: str, split: str | None) -> tuple[SourceScore, ...]:
    """Score the reader of those pieces on labelled photographs.

    Raises:
        LabelError: the folder is not in the format of the data.
        PhotoError: a photograph cannot be read.
        WeightsError: the reader's model cannot be loaded.
    """
    from vision.evaluation import evaluate

    eyes = open_eyes(pieces)
    return evaluate(folder, split, eyes.recognise, eyes.open_photo)


def chosen_settings(file: Path | None) -> Settings:
    """The settings of that file, the defaults without one. Raises SettingsError."""
    return Settings() if file is None else read_settings(file)


def default_database(file: str) -> str:
    """The address of a database in the user's data folder."""
    return f"sqlite:///{user_data_path('tablescore') / file}"


def open_archives(database: str | None, settings_file: Path | None) -> tuple[Archive, ...]:
    """The stored games: of the database that is named, else one's own and then the demo's.

    A database that does not exist holds no games, and is not made.

    Raises:
        SettingsError: the settings cannot be used.
        StoreError: a database cannot be read.
    """
    from scoreboard.store import database_path, open_store

    named = database or chosen_settings(settings_file).table.database
    urls = [named] if named else [default_database(GAMES_FILE), default_database(DEMO_FILE)]
    paths = {url: database_path(url) for url in urls}
    return tuple(
        Archive(open_store(url))
        for url, path in paths.items()
        if path is not None and path.exists()
    )


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
        """Where the games are kept, as a person reads it."""
        from scoreboard.store import database_path

        return str(database_path(self.database) or "memory: they end with the process")

    def addresses(self, port: int) -> tuple[str, ...]:
        """What to type into a browser, this machine's own first."""
        return page_addresses(self.settings.page.host, port, network_addresses())

    def facts(self, port: int) -> Facts:
        """What is real and what is simulated, and who may act."""
        host = self.settings.page.host
        beyond = not is_loopback(host)
        reachable = self.addresses(port)[1 if host in WILDCARDS else 0 :]
        return Facts(
            camera=_camera_in_words(self.settings.camera.source),
            camera_simulated=self.demo,
            buttons_simulated=True,
            demo=self.demo,
            open_to_network=beyond,
            addresses=reachable if beyond else (),
        )


@contextmanager
def reserved_database(url: str) -> Iterator[None]:
    """Be the only table of this database, which is proven to be usable.

    Raises:
        StoreError: another table plays with it, or it cannot be made, read or written.
        SchemaError: it is not of this version.
    """
    from scoreboard.store import lock_database, open_store

    with lock_database(url):
        open_store(url).close()
        yield


class RunningTable:
    """The whole table behind the page: started in the process that serves it, and once."""

    def __init__(self, plan: Plan, port: int) -> None:
        """Start all that moves.

        Raises:
            StoreError: the database cannot be used.
            CameraError: no camera is called as the settings say.
            ValueError: the tray's corners are none.
        """
        from scoreboard.store import open_store
        from scoreboard.table.inbox import Inbox
        from scoreboard.table.session import TableSession
        from vision.pictures import Pictures
        from web.app import create_app

        settings = plan.settings
        pictures = Pictures()
        camera = _open_camera(settings)
        self._watch = CameraWatch(camera, _pipeline_of(settings, pictures), tick=_tick(settings))
        self._store = open_store(plan.database)
        self._live = LiveViews(settings.page.viewer_limit)
        announcers = [self._live, *_followers(camera)]
        session = TableSession(
            self._store,
            utc_now,
            announcers,
            new_game_id,
            read_again=self._watch.read_again,
            policy=_policy(settings),
        )
        session.resume_newest()
        if plan.demo and session.view.game_id is None:
            session.receive(OPENING)
        for announcer in announcers:
            announcer.announce(session.view)
        self._inbox = Inbox(session)
        archive = Archive(self._store)
        self.app: Flask = create_app(
            Table(
                submit=self._inbox.submit,
                view=lambda: session.view,
                picture=lambda number: _jpeg(pictures.picture(number)),
                latest_picture=lambda: _jpeg(pictures.latest()),
                games=lambda: archive.summaries(session.view.game_id),
                export=archive.export,
                upload=_uploading(camera),
                allowed_hosts=_allowed_hosts(settings),
                facts=plan.facts(port),
                live=self._live,
            )
        )
        self._inbox.start()
        self._watch.start(self._inbox.post)

    def close(self) -> None:
        """Let the viewers go, then stop the camera, then finish what the inbox has."""
        self._live.close()
        self._watch.stop()
        self._inbox.stop()
        self._store.close()


def new_game_id() -> str:
    """A name for a new game that can be read out and typed: the day and a few signs."""
    return f"{utc_now().astimezone():%Y-%m-%d}-{secrets.token_hex(3)}"


def _open_camera(settings: Settings) -> Camera:
    from hardware.camera import CameraParts
    from hardware.cameras import open_camera
    from hardware.cameras.demo import DemoCamera
    from vision.photo import open_photo

    if not settings.camera.source:
        return DemoCamera(settings.demo.frames_per_second)
    return open_camera(settings.camera.source, CameraParts(open_photo, utc_now))


def _pipeline_of(settings: Settings, pictures: Pictures) -> Callable[[], TablePipeline]:
    from vision.rectify import TrayCorners, rectifier

    corners = settings.tray.corners
    rectify = rectifier(TrayCorners(*corners) if corners else None)

    def open_pipeline() -> TablePipeline:
        from vision.pipeline import TablePipeline
        from vision.recognisers import RECOGNISERS

        return TablePipeline(RECOGNISERS["dice"](), pictures, rectify=rectify)

    return open_pipeline


def _followers(camera: Camera) -> list[Announcer]:
    from hardware.cameras.demo import DemoCamera

    return [DemoThrows(camera.show)] if isinstance(camera, DemoCamera) else []


def _uploading(camera: Camera) -> Callable[[bytes], Phrase | None] | None:
    from hardware.cameras.upload import UploadCamera

    return _upload_to(camera) if isinstance(camera, UploadCamera) else None


def _upload_to(camera: UploadCamera) -> Callable[[bytes], Phrase | None]:
    from hardware.errors import CameraError
    from vision.errors import PhotoError

    def upload(photo: bytes) -> Phrase | None:
        try:
            camera.put(photo)
        except PhotoError as error:
            return error.phrase
        except CameraError:
            return phrase("The last photos are still being read; try again soon.")
        return None

    return upload


def _tick(settings: Settings) -> Callable[[], Ticked] | None:
    return (lambda: Ticked(utc_now())) if settings.confirm.seconds else None


def _policy(settings: Settings) -> ConfirmPolicy | None:
    from scoreboard.table.confirming import ConfirmPolicy

    confirm = settings.confirm
    return ConfirmPolicy(confirm.seconds, confirm.confidence) if confirm.seconds else None


def _allowed_hosts(settings: Settings) -> frozenset[str]:
    page = settings.page
    return allowed_hosts(page.host, socket.gethostname(), network_addresses(), page.allowed_hosts)


def _jpeg(picture: Picture | None) -> bytes | None:
    return None if picture is None else picture.jpeg


def _camera_in_words(source: str) -> Phrase:
    kind, _, detail = source.partition(":")
    match kind:
        case "":
            return phrase("rendered dice of the demo evening")
        case "folder":
            return phrase("the pictures in the folder {folder}", folder=detail)
        case "webcam":
            return phrase("webcam {number}", number=detail)
        case "picamera":
            return phrase("the Raspberry Pi’s camera")
        case "upload":
            return phrase("photos that a phone sends on the page")
        case _:
            return phrase("{camera}", camera=source)
