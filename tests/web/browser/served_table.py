"""A table with all its parts but the camera, served by a thread, to be stopped and started."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import count
from random import SystemRandom
from socket import socket
from typing import TYPE_CHECKING, cast

from flask import Flask
from PIL import Image, ImageDraw
from werkzeug.serving import BaseWSGIServer

from hardware.cameras.upload import UploadCamera
from hardware.errors import CameraError
from scoreboard.message import message
from scoreboard.storage import SqlStore
from scoreboard.table.game_session import no_ranks
from scoreboard.table.inbox import Inbox
from scoreboard.table.proposal import Proposal, TableDie
from scoreboard.table.requests import (
    Answer,
    Proposed,
    TableRequest,
    TableStatus,
    TableStatusChanged,
    Ticked,
)
from scoreboard.table.session import TableSession
from scoreboard.table.view import TableView
from tests.scoreboard.table.seen import seen
from tests.web.owner import with_own_key
from tests.web.serving import server_of
from tests.web.table_fake import FakeTable, forgetful_access, stored_events
from vision.watch.pipeline import Picture, Pictures
from web.shared.clocks import utc_now
from web.shared.live import LiveViews
from web.shared.plan import Facts
from web.table.camera.camera_page import CameraDesk
from web.table.camera.tray import FixedTray
from web.table.camera.uploads import PictureTurns, Uploads
from web.table.history.archive import Archive
from web.table.history.photo_keeper import PhotoKeeper
from web.table.history.statistics import Statistics
from web.table.play.coach import Coach
from web.table.play.win_chances import WinChances
from web.table.sets.training_jobs import TrainingJobs

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

    from hardware.cameras.phone import PhoneCamera
    from web.shared.certificates import TableCertificate

WIDTH, HEIGHT, DIE = 800, 600, 90
PORTS = range(20_000, 32_000)
FACTS = Facts(
    camera=message("a scripted camera"),
    camera_simulated=True,
    buttons_simulated=True,
    pins="no pins in this test",
    demo=False,
    open_to_network=False,
)
Likely = Mapping[str, tuple[str, ...]]


class ServedTable:
    """The store outlives a stop, as a database would; the process's memory does not."""

    def __init__(self, viewer_limit: int = 50) -> None:
        self.viewer_limit = viewer_limit
        self.store = stored_events()
        self.keeper: PhotoKeeper | None = None  # where the photos behind scores are kept
        self.statistics: Statistics | None = None
        self.latest = 0  # the frame that the camera saw last
        self.uploads: list[bytes] = []
        self.takes_uploads = False
        self.phone: PhoneCamera | None = None
        self.certificate: TableCertificate | None = None
        self.names = frozenset({"127.0.0.1"})  # by which the page may be called
        self.tray: FixedTray | None = None
        self.camera: CameraDesk | None = None
        self.frames: Pictures = DrawnPictures(self)
        self.lessons: TrainingJobs | None = None
        self.ahead = timedelta()  # how far the table's clock was moved on
        self.access = forgetful_access()
        self.facts = FACTS
        self.coach: Coach | None = None
        self.addresses: tuple[str, ...] = ()
        self.ingress = ""  # where Home Assistant's Supervisor is
        self.speaks = True
        self.long_press: float | None = None
        self.chances: WinChances | None = None
        self.key = ""  # of the table's own machine, once it was started
        self.version = 0  # what the table showed after the last message that was waited for
        self._ids = (f"game-{number}" for number in count(1))
        self._frames = count(1)
        self._port = lasting_port()
        self._server: BaseWSGIServer | None = None
        self._inbox: Inbox | None = None
        self._session: TableSession | None = None
        self._live: LiveViews | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start a fresh life of the table, at the same address as the one before."""
        self._live = LiveViews(self.viewer_limit, heartbeat_seconds=0.5)
        chances = [] if self.chances is None else [self.chances]
        session = TableSession(
            self.store,
            self.now,
            [self._live, *chances],
            lambda: next(self._ids),
            confirmed=(lambda _: None) if self.keeper is None else self.keeper.keep,
            ranks=no_ranks if self.coach is None else self.coach.ranks,
        )
        session.resume_newest()
        self._session = session
        self._live.announce(session.view)
        self._inbox = Inbox(session)
        self._inbox.start()
        app = self._app(session, self._inbox, self._live)
        self.key = str(app.secret_key)
        app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 3600  # style sheets are asked for once a test
        self._server = server_of(seen_from_afar(with_own_key(app)), self._port)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True
        )
        self._thread.start()

    @property
    def view(self) -> TableView:
        """What the table shows now."""
        assert self._session is not None
        return self._session.view

    def now(self) -> datetime:
        """The time of this table."""
        return utc_now() + self.ahead

    def let_pass(self, seconds: float) -> None:
        """So much time passes at once, and the table is told."""
        self.ahead += timedelta(seconds=seconds)
        self.post(Ticked(self.now()))

    def stop(self) -> None:
        """End this life of the table."""
        if self._server is None or self._live is None or self._inbox is None:
            return
        self._live.close()
        self._server.shutdown()
        self._server.server_close()
        self._inbox.stop()
        self._server = None

    @contextmanager
    def with_photos(self, store: SqlStore) -> Iterator[None]:
        """From a fresh start on keep the games there, and the photos behind their scores."""
        self.stop()
        self.store, self.keeper = store, PhotoKeeper(store.photos, self.frames, 50)
        self.keeper.start()
        self.start()
        yield
        self.stop()
        self.keeper.stop()

    def post(self, table_request: TableRequest) -> None:
        """Put a message into the inbox, as the camera does."""
        assert self._inbox is not None
        self._inbox.post(table_request)

    def submit(self, table_request: TableRequest) -> Answer:
        """Put a message into the inbox and wait for its answer."""
        assert self._inbox is not None
        answer = self._inbox.submit(table_request)
        self.version = self.view.version
        return answer

    def see(self, faces: str, *, doubts: tuple[str, ...] = (), as_in: int | None = None) -> None:
        """Propose a reading; `?` is a die that cannot be read.

        The dice lie `as_in` that frame (the first is 1), elsewhere than before without it.
        """
        frame = next(self._frames)
        sentences = tuple(message("{doubt}", doubt=doubt) for doubt in doubts)
        unread = TableDie(None, confidence=0.5, doubt=next(iter(sentences), None))
        dice = tuple(
            replace(unread, box=box) if face == "?" else TableDie(int(face), box, confidence=0.99)
            for face, box in zip(faces, boxes(len(faces), as_in or frame), strict=True)
        )
        self.post(TableStatusChanged(TableStatus.STILL))
        seen_at = datetime(2026, 5, 1, tzinfo=UTC) + timedelta(seconds=frame)
        self.post(Proposed(Proposal(dice, 0.9, frame, WIDTH, HEIGHT, seen_at, sentences)))

    def see_pieces(self, sets: str, *, doubt: str = "", unsure: Likely | None = None) -> None:
        """Propose tiles or cards: sets with commas between them, `?` for one that is unread."""
        doubts = (message("{doubt}", doubt=doubt),) if doubt else ()
        self.post(TableStatusChanged(TableStatus.STILL))
        self.post(Proposed(seen(sets, frame=next(self._frames), doubts=doubts, unsure=unsure)))

    def _app(self, session: TableSession, inbox: Inbox, live: LiveViews) -> Flask:
        return FakeTable(live=live).app(
            session=session,
            inbox=inbox,
            pictures=self.frames,
            store=self.store,
            archive=Archive(self.store),
            clock=self.now,
            facts=self.facts,
            allowed_hosts=self.names,
            uploads=KeptUploads(self.uploads) if self.takes_uploads else None,
            phone=self.phone,
            certificate=self.certificate,
            tray=self.tray,
            camera=self.camera,
            lessons=self.lessons,
            addresses=lambda: self.addresses,
            access=self.access,
            ingress=self.ingress,
            coach=self.coach,
            statistics=self.statistics,
            speaks=self.speaks,
            long_press=self.long_press,
            chances=self.chances,
        )


def seen_from_afar(app: WSGIApplication) -> WSGIApplication:
    """The application, at which a browser may say that it is elsewhere: all come by loopback."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ["REMOTE_ADDR"] = environ.get("HTTP_X_TEST_ADDRESS", environ["REMOTE_ADDR"])
        return app(environ, start_response)

    return answer


def lasting_port() -> int:
    """A free port that is still free when a table comes back to it.

    It is below those that Linux lends to connections, and another one in each process: the seed
    of the tests' chance is the same in all.
    """
    for port in SystemRandom().sample(PORTS, 100):
        with closing(socket()) as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port
    raise OSError(f"no port of {PORTS} is free")


class DrawnPictures(Pictures):
    """A drawing of every frame; the newest is the one that the test names."""

    def __init__(self, served: ServedTable) -> None:
        super().__init__()
        self._served = served

    def picture(self, number: int) -> Picture:
        """The drawing of that frame."""
        return picture(number)

    def latest(self) -> Picture:
        """The drawing of the newest frame."""
        return picture(self._served.latest)


class KeptUploads(Uploads):
    """Keeps what was sent; nobody reads it."""

    def __init__(self, kept: list[bytes]) -> None:
        super().__init__(cast("UploadCamera", self), PictureTurns())
        self._kept = kept

    def put(self, photo: bytes) -> None:
        """Keep the photo."""
        self._kept.append(photo)
        if not photo.startswith(b"\xff\xd8"):
            raise CameraError(message("That is no photo."))


def boxes(dice: int, frame: int) -> list[tuple[float, float, float, float]]:
    """Where the dice of a frame lie: far from, and not in the order of, the frame before."""
    top = 60.0 + 160 * (frame % 3)
    lefts = [20.0 + 110 * (at * (1 + frame % 4) % 7) for at in range(dice)]
    return [(left, top, left + DIE, top + DIE) for left in lefts]


def picture(frame: int) -> Picture:
    """A drawn table with five blank dice."""
    image = Image.new("RGB", (WIDTH, HEIGHT), (28, 84, 60))
    for box in boxes(5, frame):
        ImageDraw.Draw(image).rounded_rectangle(box, 14, fill=(245, 238, 220))
    encoded = BytesIO()
    image.save(encoded, "JPEG")
    return Picture(encoded.getvalue(), WIDTH, HEIGHT)
