"""The composition root: the only file that knows cameras, pins, reader and database.

OpenCV, onnxruntime, the database and the pins are loaded where they are first needed: the
table's page stands while the reader is still loading, and most commands need none of them.
"""
# ruff: noqa: PLC0415 -- see above: seconds on a Raspberry Pi

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from platformdirs import user_data_path

import web
from scoreboard.table.requests import (
    Action,
    BothButtonsHeld,
    DeviceExpected,
    Pressed,
    TableRequest,
    Ticked,
    TrayCalibrated,
)
from scoreboard.worker import Worker, worker_faults
from web.addresses import watch_addresses
from web.clocks import steady_clock, utc_now
from web.health import MachineWatch
from web.live import LiveViews
from web.mdns import announcements
from web.plan import Plan, own_key, settings_without_secrets
from web.settings import Settings
from web.table.archive import Archive, Upkeep
from web.table.camera_setup import CameraSetup, open_camera_setup
from web.table.camera_watch import CameraWatch, Ticker
from web.table.demo import OPENING, Demo, demo_reader, open_demo_reader
from web.table.statistics import Statistics
from web.table.taught_readers import open_table_reader, open_training_jobs
from web.table.tray import FixedTray, open_tray
from web.table.uploads import PictureTurns, Uploads
from web.words import translator

if TYPE_CHECKING:
    from flask import Flask

    from hardware.camera import Camera
    from hardware.lamps import Lamp
    from hardware.pins import Pins
    from scoreboard.storage import SqlStore
    from scoreboard.table.game_session import Worths
    from scoreboard.table.pending_reading import ConfirmedReading
    from scoreboard.table.ports import Announcer, Clock, EventStore
    from scoreboard.table.session import TableSession
    from scoreboard.tournament.client.event_client import EventClient
    from vision.read.observation import Recogniser
    from vision.watch.pictures import Pictures
    from vision.watch.pipeline import TablePipeline
    from web.certificates import TableCertificate
    from web.table.access import Access
    from web.table.devices import Pairing
    from web.table.photo_keeper import PhotoKeeper

RENEWAL_SECONDS: Final = 5.0  # as often as the addresses are looked at

LOG: Final = logging.getLogger(__name__)
AGREE_SECONDS: Final = 1.0
LET_IN_SECONDS: Final = 3.0


def _calibrated(post: Callable[[TableRequest], None], watch: CameraWatch) -> Callable[[bool], None]:
    """What a calibration on the page sets off: the table knows, and the tray is read again."""

    def changed(known: bool) -> None:  # noqa: FBT001 -- called with one answer
        post(TrayCalibrated(known))
        watch.read_again()

    return changed


@contextmanager
def reserved_database(url: str) -> Iterator[None]:
    """Be the only table of this database, which is proven to be usable.

    Raises:
        StoreError: another table plays with it, or it cannot be made, read or written.
        SchemaError: it is not of this version.
    """
    from scoreboard.storage import lock_database, open_store

    with lock_database(url):
        open_store(url).close()
        yield


class RunningTable:
    """The whole table behind the page: started once, in the process that serves it.

    `facts` say what is real here; `games` is how many were stored at the start; `app` is the page,
    `access` who may do what there, `addresses` watches where it is reached.
    """

    def __init__(  # noqa: PLR0913, PLR0915, PLR0917 -- a table has so many parts
        self,
        plan: Plan,
        port: int,
        pins: Pins,
        recent: Callable[[], Sequence[str]] = tuple,
        certificate: TableCertificate | None = None,
        start_again: Callable[[], None] | None = None,
    ) -> None:
        """Start all that moves; `recent` gives the newest lines of the log.

        With a `certificate` it is kept renewed; with `start_again` another camera can be chosen on
        the page, after which it is called.

        Raises:
            StoreError: the database cannot be used.
            CameraError: no camera is called as the settings say.
            PinError: a pin cannot be used.
            SettingsError: the tray's corners are none.
        """
        from numpy.random import default_rng

        from hardware.cameras.demo import DemoCamera
        from hardware.cameras.folder import FolderCamera
        from hardware.cameras.phone import PhoneCamera
        from hardware.cameras.upload import UploadCamera
        from scoreboard.storage import database_path, open_store
        from scoreboard.table.inbox import Inbox
        from vision.watch.pictures import Pictures
        from web.table.app import create_app
        from web.table.camera_page import CameraDesk
        from web.table.coach import Coach
        from web.table.diagnostics import Diagnostics
        from web.table.event import open_event_client
        from web.table.photo_keeper import PhotoKeeper
        from web.table.table_page import Table
        from web.table.win_chances import WinChances

        settings, steady = plan.settings, steady_clock()
        pictures, turns = Pictures(), PictureTurns()
        self._closing = ExitStack()  # undone in the order opposite to the one below
        self.facts = plan.facts(pins)
        setup, tray = open_camera_setup(plan), open_tray(settings, plan.database)
        camera = open_table_camera(settings, setup)
        open_one = open_demo_reader if plan.demo else open_table_reader

        def wanted() -> str:
            return demo_reader(session.view) if plan.demo else session.view.reader

        opening = _pipeline_of(tray, pictures, wanted, open_one, lambda: session.view.rolled_dice)
        tick = (lambda: Ticked(steady())) if settings.confirm.seconds else None
        watch = CameraWatch(camera, opening, tick=tick)
        store = open_store(plan.database)
        self._closing.callback(store.close)
        self.games, self.access = store.count(), open_access(plan, store, steady)
        if isinstance(camera, FolderCamera):  # where games are stored its pictures are of one
            camera.begin_with_newest(known=self.games > 0)
        live = LiveViews(settings.page.viewer_limit)
        client = open_event_client(plan.database, store)
        path = database_path(plan.database)
        kept = None if path is None else path.with_suffix(".coach.json")
        advice = user_data_path("tablescore") / "advice"
        coach = Coach(store, advice, kept)
        self._closing.callback(coach.close)
        kept_games = settings.table.photo_games
        told = () if client is None else (client.photographed,)
        keeper = PhotoKeeper(store.photos, pictures, kept_games, *told)
        statistics = Statistics(store, utc_now, settings.table.dice, advice)
        upkeep = Upkeep(store, utc_now, count=statistics.bring_up_to_date)
        demo = Demo(camera) if isinstance(camera, DemoCamera) else None
        costs = statistics.cost_of_game
        chances = [WinChances(default_rng(), advice, costs)] if settings.page.chances else []
        announcers: list[Announcer] = [
            live,
            *([] if demo is None else [demo]),
            *self._lamps(settings, pins),
            *self._speaker(settings),
            *self._mqtt(settings),
            *([] if client is None else [client]),
            upkeep,
            coach,
            *chances,
        ]
        session = _session(
            plan,
            store,
            announcers,
            watch,
            tray,
            keepers=[keeper],
            steady=steady,
            client=client,
            worths=coach.worths,
        )
        inbox = self._inbox = Inbox(session)
        machine = MachineWatch(plan.machine())
        table = Table(
            inbox,
            session,
            pictures,
            Archive(store, sql=store),
            live,
            steady,
            self.facts,
            plan.allowed_hosts(),
            addresses=partial(plan.reachable, port),
            uploads=Uploads(camera, turns) if isinstance(camera, UploadCamera) else None,
            phone=camera if isinstance(camera, PhoneCamera) else None,
            tray=tray,
            camera=CameraDesk(camera, setup, lambda: open_one(wanted()), start_again),
            lessons=open_training_jobs(watch.read_again, turns),
            event=client,
            demo=demo,
            statistics=statistics,
            access=self.access,
            certificate=certificate,
            store=store,
            machine_faults=lambda: (
                *machine.faults,
                *worker_faults(),
                *keeper.faults,
                *upkeep.faults,
            ),
            backed_up_at=store.backed_up_at,
            speaks=settings.sound.voice == "browser",
            long_press=long_press(settings),
            coach=coach,
            chances=next(iter(chances), None),
        )
        diagnostics = Diagnostics(settings_without_secrets(settings), table, recent)
        self.app: Flask = create_app(table, diagnostics, own_key())
        workers: list[Upkeep | WinChances | PhotoKeeper] = [upkeep, *chances, keeper]
        for each in workers:
            self._run(each.start, each.stop)
        tray.listen(_calibrated(inbox.post, watch))
        self._run(inbox.start, inbox.stop)
        if client is not None:
            self._run(partial(client.start, inbox.post), client.stop)
        self._press_buttons(settings, pins, session, inbox.post, steady)
        if demo is not None:
            demo.start(inbox.post)
        self.addresses = watch_addresses(settings.page.host, port, https=settings.page.https)
        ticker = Ticker(
            steady,
            lambda: (now := session.view.clock) is not None and now.since is not None,
            inbox.post,
        )
        for repeated in (ticker, machine, self.addresses, *_page_upkeep(plan, port, certificate)):
            self._run(repeated.start, repeated.stop)
        self._run(partial(watch.start, inbox.post), watch.stop)
        self._closing.callback(live.close)
        self._be_found(plan, port, diagnostics.key)

    @property
    def alive(self) -> bool:
        """Whether the one thread that changes the table goes on."""
        return self._inbox.alive

    def close(self) -> None:
        """Let the viewers go, stop camera and buttons, then finish what the inbox has."""
        self._closing.close()

    def _run(self, start: Callable[[], None], stop: Callable[[], None]) -> None:
        """Start a part, and stop it when the table is closed."""
        start()
        self._closing.callback(stop)

    def _be_found(self, plan: Plan, port: int, key: str) -> None:
        """Log what runs, and have `tablescore diagnose` find it until it is closed."""
        from scoreboard.storage import database_path
        from web.table.diagnostics import RunningNote

        camera, pins = self.facts.camera, self.facts.pins
        LOG.info("version %s: camera %s, pins %s, %s", web.__version__, camera, pins, plan.place)
        path = database_path(plan.database)
        if path is not None:
            note = RunningNote(path)
            note.write(plan.addresses(port)[0], key)
            self._closing.callback(note.remove)

    def _lamps(self, settings: Settings, pins: Pins) -> list[Announcer]:
        """The lamps as an announcer, when there are pins for them."""
        if pins.simulated:
            return []
        from hardware.lamps import Lamps

        lamps = Lamps(lamp_pins(settings), pins.factory)
        lamps.open()
        self._closing.callback(lamps.close)
        return [lamps]

    def _speaker(self, settings: Settings) -> list[Announcer]:
        """The loudspeaker, where it is to speak."""
        if settings.sound.voice != "speaker":
            return []
        from hardware.speaker import Speaker

        speaker = Speaker(translator(settings.sound.language), settings.sound.language)
        self._run(speaker.start, speaker.stop)
        return [speaker]

    def _mqtt(self, settings: Settings) -> list[Announcer]:
        """The announcer to a broker, where one is named."""
        if not settings.mqtt.broker:
            return []
        from web.mqtt import MqttAnnouncer

        mqtt = MqttAnnouncer(settings.mqtt)
        self._run(mqtt.start, mqtt.stop)
        return [mqtt]

    def _press_buttons(
        self,
        settings: Settings,
        pins: Pins,
        session: TableSession,
        post: Callable[[TableRequest], None],
        clock: Clock,
    ) -> None:
        """Post the presses of the buttons, on pins and on a keypad, where there are any."""
        from hardware.buttons import Buttons, on_pins
        from hardware.keys import KeyDevice

        holds = PanelHolds(session, post, self.access.pairing)
        made = partial(
            Buttons,
            pressed=lambda action, at: post(Pressed(action, at)),
            clock=clock,
            holds={AGREE_SECONDS: holds.agree, LET_IN_SECONDS: holds.let_in},
            long_press=long_press(settings),
        )
        if not pins.simulated:
            buttons = made(on_pins(button_pins(settings), pins.factory))
            self._run(buttons.start, buttons.close)
        if settings.buttons.keys:
            keypad = KeyDevice(settings.buttons.keys, key_meanings(settings))
            buttons = made(keypad.contacts(), settle_seconds=0)
            self._run(buttons.start, buttons.close)
            self._run(keypad.start, keypad.close)


def _page_upkeep(plan: Plan, port: int, certificate: TableCertificate | None) -> Iterator[Worker]:
    """What keeps the page found and trusted while the network changes."""
    page = plan.settings.page
    yield from announcements("Tablescore", page.host, port, https=page.https)
    if certificate is not None:
        yield Worker("certificate", certificate.keep_renewed, RENEWAL_SECONDS)


class PanelHolds:
    """What it means that KEEP and REROLL are held down together on the real panel.

    After a second everybody agrees to the result that waits at an event; where none does, after
    three the next device that asks is let in.
    """

    def __init__(
        self, session: TableSession, post: Callable[[TableRequest], None], pairing: Pairing
    ) -> None:
        self._session = session
        self._post = post
        self._pairing = pairing
        self._agreed = False

    def agree(self, at: datetime) -> None:
        """They were held for a second."""
        event = self._session.view.event
        self._agreed = event is not None and any(result.unsigned for result in event.results)
        self._post(BothButtonsHeld(at))

    def let_in(self, at: datetime) -> None:
        """They were held for three seconds."""
        if not self._agreed:
            self._pairing.held()
            self._post(DeviceExpected(at))


def open_access(plan: Plan, store: SqlStore, steady: Clock) -> Access:
    """What the devices that are stored with the games may do. Raises StoreError."""
    from scoreboard.storage import database_path
    from web.table.access import Access
    from web.table.devices import Devices, Pairing

    devices = Devices(utc_now, store.devices)
    path, watching = database_path(plan.database), plan.settings.page.watching
    opened = None if path is None else path.with_suffix(".opened")
    return Access(devices, Pairing(devices, steady), watching, opened)


def start_table(
    plan: Plan,
    port: int,
    recent: Callable[[], Sequence[str]] = tuple,
    certificate: TableCertificate | None = None,
    start_again: Callable[[], None] | None = None,
) -> RunningTable:
    """Start the table with the pins that this machine has.

    Raises:
        PinError: real pins are wanted, and cannot be used.
        OSError: as for `RunningTable`.
        ValueError: as for `RunningTable`.
    """
    from hardware.pins import open_pins

    settings = plan.settings
    pins = open_pins(settings.buttons.pins, claim=lambda factory: claim_pins(settings, factory))
    return RunningTable(plan, port, pins, recent, certificate, start_again)


def claim_pins(settings: Settings, factory: Any) -> None:
    """Take the pins of all buttons and lamps, and let go of them: one in use is known at once.

    Raises:
        PinError: a pin cannot be used.
    """
    from hardware.buttons import Buttons, on_pins
    from hardware.lamps import Lamps

    with ExitStack() as taken:
        lamps = Lamps(lamp_pins(settings), factory)
        contacts = on_pins(button_pins(settings), factory)
        buttons = Buttons(contacts, lambda *_: None, clock=utc_now)
        for device in (lamps, buttons):
            device.open()
            taken.callback(device.close)


def button_pins(settings: Settings) -> dict[Action, int]:
    """The pin of each button."""
    return {action: getattr(settings.buttons, action.value) for action in Action}


def long_press(settings: Settings) -> float | None:
    """For how many seconds KEEP is held to be REROLL; None where it never is."""
    return settings.buttons.long_press_seconds if settings.buttons.one_button else None


def key_meanings(settings: Settings) -> dict[str, Action]:
    """What each key means, by its name."""
    return {
        key: action
        for action in Action
        for key in getattr(settings.buttons, f"{action.value}_keys")
    }


def lamp_pins(settings: Settings) -> dict[Lamp, int]:
    """The pin of each lamp that there is."""
    from hardware.lamps import Lamp

    pins = {lamp: getattr(settings.lamps, lamp.value) for lamp in Lamp}
    return {lamp: pin for lamp, pin in pins.items() if pin}


def _session(  # noqa: PLR0913 -- the parts around the session, each named where it is wired
    plan: Plan,
    store: EventStore,
    announcers: Sequence[Announcer],
    watch: CameraWatch,
    tray: FixedTray,
    *,
    keepers: Sequence[PhotoKeeper],
    steady: Clock,
    client: EventClient | None,
    worths: Worths,
) -> TableSession:
    """The session with the newest unfinished game.

    The demo opens one when there is none, and no event waits for its own.
    """
    from scoreboard.table.button_actions import ConfirmPolicy
    from scoreboard.table.session import TableSession

    def confirmed(reading: ConfirmedReading) -> None:
        tray.note(reading)
        for keeper in keepers:
            keeper.keep(reading)

    confirm = plan.settings.confirm
    session = TableSession(
        store,
        utc_now,
        announcers,
        new_game_id,
        steady=steady,
        read_again=watch.read_again,
        confirmed=confirmed,
        policy=ConfirmPolicy(confirm.seconds, confirm.confidence) if confirm.seconds else None,
        tray=tray.outline is not None,
        notary=client,
        worths=worths,
    )
    session.resume_newest()
    if plan.demo and session.view.game_id is None and (client is None or not client.attends):
        session.receive(OPENING)
    for announcer in announcers:
        announcer.announce(session.view)
    return session


def new_game_id() -> str:
    """A name for a new game that can be read out and typed: the day and six hex digits."""
    return f"{utc_now().astimezone():%Y-%m-%d}-{secrets.token_hex(3)}"


def open_table_camera(settings: Settings, setup: CameraSetup) -> Camera:
    """The camera of these settings, not entered yet; the demo evening's without one.

    Raises:
        CameraError: no camera is called so.
    """
    from hardware.camera import CameraParts
    from hardware.cameras import open_camera
    from hardware.cameras.demo import DemoCamera
    from vision.capture.photo import MOST_FRAME_PIXELS, MOST_JPEG_PIXELS, open_to_read

    source = settings.camera.source
    if not source:
        return DemoCamera(settings.demo.frames_per_second)
    most = MOST_FRAME_PIXELS if source == "phone" else MOST_JPEG_PIXELS
    parts = CameraParts(lambda file: open_to_read(file, most)[0], utc_now, setup.controls)
    return open_camera(source, parts)


def _pipeline_of(
    tray: FixedTray,
    pictures: Pictures,
    wanted: Callable[[], str],
    open_one: Callable[[str], Recogniser] = open_table_reader,
    expected: Callable[[], int | None] = lambda: None,
) -> Callable[[], TablePipeline]:
    def open_pipeline() -> TablePipeline:
        from vision.quality.health import HealthWatch
        from vision.read.readers import ReaderSelector
        from vision.watch.pipeline import TablePipeline

        reader = ReaderSelector(wanted, open_one, expected)
        examine = HealthWatch(tray.fingerprint, tray.area)
        return TablePipeline(reader, pictures, within=tray.look_at, examine=examine)

    return open_pipeline


def open_watching_pipeline(plan: Plan) -> TablePipeline:
    """What reads the table of this plan without a page.

    Raises:
        CalibrationError: the stored calibration is damaged.
        SettingsError: the settings' corners are no tray's.
        WeightsError: the reader's model cannot be loaded.
    """
    from vision.watch.pictures import Pictures

    tray = open_tray(plan.settings, plan.database)
    return _pipeline_of(tray, Pictures(most=1), lambda: "dice")()
