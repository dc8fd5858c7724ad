"""The composition root: the only file that knows cameras, pins, reader and database.

OpenCV, onnxruntime, the database and the pins are loaded on first use: the table's page is up while
the reader is still loading, and most commands need none of them.
"""
# ruff: noqa: PLC0415 -- see above: seconds on a Raspberry Pi

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from scoreboard.table.requests import Pressed, Ticked, TrayCalibrated
from scoreboard.worker import Worker, worker_faults
from web.shared.addresses import AddressWatch, announcements
from web.shared.clocks import steady_clock, utc_now
from web.shared.faults import MachineWatch
from web.shared.live import LiveViews
from web.shared.plan import Plan, StartAgain, advice_folder, own_key, settings_without_secrets
from web.shared.settings import Settings
from web.shared.words import translator
from web.table.camera.camera_setup import CameraSetup, open_camera_setup
from web.table.camera.camera_watch import CameraWatch, ticker
from web.table.camera.tray import FixedTray, open_tray
from web.table.camera.uploads import PictureTurns, Uploads
from web.table.history.archive import Archive, Upkeep
from web.table.history.statistics import Statistics
from web.table.play import panel
from web.table.play.demo import (
    Demo,
    dated_id,
    demo_reader,
    ending_the_demo,
    open_demo_reader,
    open_show,
)
from web.table.sets.taught_readers import open_table_reader, open_training_jobs

if TYPE_CHECKING:
    from flask import Flask

    from hardware.camera import Camera
    from hardware.pins import Pins
    from scoreboard.message import Message
    from scoreboard.storage import SqlStore
    from scoreboard.table.pending_acts import ConfirmedReading
    from scoreboard.table.ports import Announcer, Clock, EventStore
    from scoreboard.table.session import TableSession
    from scoreboard.table.view import TableView
    from scoreboard.tournament.client.tournament_client import TournamentClient
    from vision.read.observation import Recogniser
    from vision.watch.pipeline import Pictures, TablePipeline
    from web.shared.certificates import TableCertificate
    from web.table.app import OtherWing
    from web.table.camera.wing import CameraWing
    from web.table.history.photo_keeper import PhotoKeeper
    from web.table.parts import Parts
    from web.table.people.access import Access
    from web.table.people.wing import PeopleWing
    from web.table.play.mqtt import MqttAnnouncer
    from web.table.play.wing import PlayWing

RENEWAL_SECONDS: Final = 5.0  # as often as the addresses are looked at

LOG: Final = logging.getLogger(__name__)


class RunningTable:
    """The whole table behind the page: started once, in the process that serves it.

    `facts` say what is real here; `games` is how many were stored at the start; `app` is the page,
    `access` who may do what there, `addresses` watches where it is reached.
    """

    def __init__(  # noqa: PLR0913, PLR0917 -- each named where it is wired
        self,
        plan: Plan,
        port: int,
        pins: Pins | None = None,
        recent: Callable[[], Sequence[str]] = tuple,
        certificate: TableCertificate | None = None,
        start_again: StartAgain | None = None,
    ) -> None:
        """Start all that moves, with this machine's pins; `recent` gives the log's newest lines.

        With a `certificate` it is kept renewed; with `start_again` camera and network can be chosen
        on the page, after which it is called. Raises StoreError if the database cannot be used, and
        CameraError if no camera is called as the settings say; PinError if a pin cannot be
        used; SettingsError if the tray's corners are none.
        """
        from hardware.cameras.folder import FolderCamera
        from hardware.pins import open_pins
        from scoreboard.storage import open_store
        from scoreboard.table.inbox import Inbox
        from web.table.app import create_app
        from web.table.diagnostics import Diagnostics
        from web.table.parts import Parts

        self._plan, settings, steady = plan, plan.settings, steady_clock()
        if pins is None:
            pins = open_pins(settings.buttons.pins, claim=partial(panel.claim_pins, settings))
        self._closing = ExitStack()  # undone in the order opposite to the one below
        self.facts = plan.facts(pins)
        camera = open_camera(plan, steady, lambda: session.view, start_again)
        store = open_store(plan.database)
        self._closing.callback(store.close)
        self.games, self.access = store.count(), open_access(plan, store, steady)
        if isinstance(camera.source, FolderCamera):  # its pictures are of a stored game
            camera.source.begin_with_newest(known=self.games > 0)
        live = LiveViews(settings.page.viewer_limit)
        history = open_history(plan, store, camera)
        play = open_play(plan, store, camera, history)
        self._closing.callback(play.extras.coach.close)
        self._mqtt: MqttAnnouncer | None = None
        self._reachable = partial(plan.reachable, port)
        announcers = self._announcers(pins, live, history, play)
        session = _session(plan, store, announcers, camera, history, play, steady)
        inbox = self._inbox = Inbox(session)
        asker, addresses = self.access.asker, self._reachable
        opened = (inbox, session, camera.pictures, store, live, steady, self.facts)
        parts = Parts(*opened, asker, addresses, self.access.pairing.lasting_code)
        machine = MachineWatch(plan.machine())
        people = open_people(plan, self.access, certificate, camera, history, machine)
        wings = open_wings(parts, camera, history, self.access, play)
        diagnostics = Diagnostics(settings_without_secrets(settings), parts, recent)
        self.app: Flask = create_app(parts, people, wings, diagnostics, own_key())
        self._start(pins, parts, camera, history, play)
        self.addresses = AddressWatch(settings.page.host, port, https=settings.page.https)
        ticks = ticker(parts.clock, lambda: session.view, inbox.post)
        found = announcements("Tablescore", settings.page.host, port, https=settings.page.https)
        for repeated in (ticks, machine, self.addresses, *found):
            self._run(repeated.start, repeated.stop)
        if certificate is not None:
            renewal = Worker("certificate", certificate.keep_renewed, RENEWAL_SECONDS)
            self._run(renewal.start, renewal.stop)
        self._run(partial(camera.watch.start, inbox.post), camera.watch.stop)
        self._closing.callback(live.close)
        self._be_found(port, diagnostics.key)

    def _start(
        self, pins: Pins, parts: Parts, camera: OpenedCamera, history: OpenedHistory, play: PlayWing
    ) -> None:
        for worker in (history.upkeep, play.chances, history.keeper):
            if worker is not None:
                self._run(worker.start, worker.stop)
        post = parts.inbox.post

        def calibrated(known: bool) -> None:  # noqa: FBT001 -- called with one answer
            post(TrayCalibrated(known))
            camera.watch.read_again()

        camera.tray.listen(calibrated)
        self._run(parts.inbox.start, parts.inbox.stop)
        if play.tournament is not None:
            self._run(partial(play.tournament.start, post), play.tournament.stop)
        self._press_buttons(pins, parts)
        if play.extras.demo is not None:
            play.extras.demo.start(post)

    def _announcers(
        self, pins: Pins, live: LiveViews, history: OpenedHistory, play: PlayWing
    ) -> list[Announcer]:
        demo, coach, devices = play.extras.demo, play.extras.coach, self._devices(pins)
        heard = (live, demo, *devices, play.tournament, history.upkeep, coach, play.chances)
        return [each for each in heard if each is not None]

    @property
    def alive(self) -> bool:
        """Whether the one thread that changes the table goes on."""
        return self._inbox.alive

    def close(self) -> None:
        """Let the viewers go, stop camera and buttons, then finish what the inbox has."""
        self._closing.close()

    def _run(self, start: Callable[[], None], stop: Callable[[], None]) -> None:
        start()
        self._closing.callback(stop)

    def _be_found(self, port: int, key: str) -> None:
        """Log what runs, and have `tablescore diagnose` find it until it is closed."""
        from scoreboard.storage import database_path
        from web.table.diagnostics import RunningNote

        plan, now, facts = self._plan, version("tablescore"), self.facts
        LOG.info("version %s: camera %s, pins %s, %s", now, facts.camera, facts.pins, plan.place)
        path = database_path(plan.database)
        if path is not None:
            note = RunningNote(path)
            note.write(plan.addresses(port)[0], key)
            self._closing.callback(note.remove)

    def _devices(self, pins: Pins) -> Iterator[Announcer]:
        """What hears of each new view and is no page: lamps, the speaker, a broker."""
        settings = self._plan.settings
        if not pins.simulated:
            from hardware.lamps import Lamps

            lamps = Lamps(panel.lamp_pins(settings), pins.factory)
            self._run(lamps.open, lamps.close)
            yield lamps
        if settings.sound.voice == "speaker":
            from hardware.speaker import Speaker

            spoken = settings.sound.language
            speaker = Speaker(translator(spoken), spoken)
            self._run(speaker.start, speaker.stop)
            yield speaker
        if settings.mqtt.broker:
            from web.table.play.mqtt import MqttAnnouncer

            self._mqtt = MqttAnnouncer(settings.mqtt, self._reachable)
            self._run(self._mqtt.start, self._mqtt.stop)
            yield self._mqtt

    def _press_buttons(self, pins: Pins, parts: Parts) -> None:
        from hardware.buttons import Buttons, on_pins
        from hardware.keys import KeyDevice

        settings, post = self._plan.settings, parts.inbox.post
        holds = panel.PanelHolds(parts.session, post, self.access.pairing)
        made = partial(
            Buttons,
            pressed=lambda action, at: post(Pressed(action, at)),
            clock=parts.clock,
            holds={panel.AGREE_SECONDS: holds.agree, panel.LET_IN_SECONDS: holds.let_in},
            long_press=panel.long_press(settings),
        )
        if not pins.simulated:
            buttons = made(on_pins(panel.button_pins(settings), pins.factory))
            self._run(buttons.start, buttons.close)
        if settings.buttons.keys:
            keypad = KeyDevice(settings.buttons.keys, panel.key_meanings(settings))
            buttons = made(keypad.contacts(), settle_seconds=0)
            self._run(buttons.start, buttons.close)
            self._run(keypad.start, keypad.close)
        if self._mqtt is not None:
            self._mqtt.listen(lambda action: post(Pressed(action, parts.clock(), radio=True)))


def open_access(plan: Plan, store: SqlStore, steady: Clock) -> Access:
    """The rights of the stored devices. Raises StoreError."""
    from web.table.people.access import Access
    from web.table.people.devices import Devices, Pairing

    devices = Devices(utc_now, store.devices)
    watching, opened = plan.settings.page.watching, plan.file(".opened")
    return Access(devices, Pairing(devices, steady), watching, opened)


@dataclass(frozen=True, slots=True)
class OpenedCamera:
    """The camera's pages, the camera itself, and what watches it.

    `pictures` are the newest that it took; photographs of players are read by `turns`.
    """

    wing: CameraWing
    source: Camera
    tray: FixedTray
    watch: CameraWatch
    pictures: Pictures
    turns: PictureTurns


@dataclass(frozen=True, slots=True)
class OpenedHistory:
    """What keeps the games of earlier, and the `client` of the event that they may belong to."""

    statistics: Statistics
    upkeep: Upkeep
    keeper: PhotoKeeper
    client: TournamentClient | None


def open_camera(
    plan: Plan, steady: Clock, view: Callable[[], TableView], start_again: StartAgain | None
) -> OpenedCamera:
    """Open the camera and its pages, without a first picture. Raises CameraError, SettingsError."""
    from hardware.cameras.phone import PhoneCamera
    from hardware.cameras.upload import UploadCamera
    from vision.watch.pipeline import Pictures
    from web.table.camera.camera_page import CameraDesk
    from web.table.camera.wing import CameraWing

    settings = plan.settings
    pictures, turns = Pictures(), PictureTurns()
    setup, tray = open_camera_setup(plan), open_tray(plan)
    camera = open_table_camera(settings, setup)
    open_one = open_demo_reader if plan.demo else open_table_reader

    def wanted() -> str:
        return demo_reader(view()) if plan.demo else view().reader

    opening = partial(_pipeline, tray, pictures, wanted, open_one, lambda: view().rolled_dice)
    tick = (lambda: Ticked(steady())) if settings.confirm.seconds else None
    wing = CameraWing(
        CameraDesk(camera, setup, lambda: open_one(wanted()), start_again),
        tray,
        phone=camera if isinstance(camera, PhoneCamera) else None,
        uploads=Uploads(camera, turns) if isinstance(camera, UploadCamera) else None,
    )
    watch = CameraWatch(camera, opening, tick=tick)
    return OpenedCamera(wing, camera, tray, watch, pictures, turns)


def open_history(plan: Plan, store: SqlStore, camera: OpenedCamera) -> OpenedHistory:
    """Open what keeps the games. Raises StoreError."""
    from web.table.history.photo_keeper import PhotoKeeper
    from web.table.play.tournament import open_tournament_client

    client = open_tournament_client(plan.database, store)
    photographed = () if client is None else (client.photographed,)
    if client is not None:
        store.keeps_names = client.plays
    table = plan.settings.table
    keeper = PhotoKeeper(store.photos, camera.pictures, table.photo_games, *photographed)
    statistics = Statistics(store, utc_now, table.dice, advice_folder())
    upkeep = Upkeep(store, utc_now, count=statistics.bring_up_to_date)
    return OpenedHistory(statistics, upkeep, keeper, client)


def open_play(
    plan: Plan, store: SqlStore, camera: OpenedCamera, history: OpenedHistory
) -> PlayWing:
    """Open what plays along: the coach, the chances to win, the demo."""
    from numpy.random import default_rng

    from hardware.cameras.demo import DemoCamera
    from web.table.play.coach import Coach
    from web.table.play.table_page import Extras
    from web.table.play.win_chances import WinChances
    from web.table.play.wing import PlayWing

    settings, advice = plan.settings, advice_folder()
    demo = Demo(camera.source) if isinstance(camera.source, DemoCamera) else None
    coach = Coach(store, advice, plan.file(".coach.json"))
    return PlayWing(
        Extras(camera.wing, history.statistics, coach, demo),
        history.client,
        WinChances(default_rng(), advice) if settings.page.chances else None,
        speaks=settings.sound.voice == "browser",
        long_press=panel.long_press(settings),
    )


def open_people(  # noqa: PLR0913, PLR0917 -- as above
    plan: Plan,
    access: Access,
    certificate: TableCertificate | None,
    camera: OpenedCamera,
    history: OpenedHistory,
    machine: MachineWatch,
) -> PeopleWing:
    """Open who may do what, and what its owner should mend."""
    from web.table.people.wing import PeopleWing

    def faults() -> tuple[Message, ...]:
        workers = (*history.keeper.faults, *history.upkeep.faults)
        return (*machine.faults, *worker_faults(), *workers)

    phone, ingress = camera.wing.phone, plan.settings.page.ingress
    return PeopleWing(access, plan.allowed_hosts(), certificate, phone, faults, ingress)


def open_wings(
    parts: Parts, camera: OpenedCamera, history: OpenedHistory, access: Access, play: PlayWing
) -> tuple[OtherWing, ...]:
    """Open the pages by topic."""
    from web.table.history.wing import HistoryWing
    from web.table.sets.wing import SetsWing

    def coaches(game_id: str) -> bool:
        return play.extras.coach.coaches(parts.session.view, game_id)

    names, archive = access.devices.name_of, Archive(parts.store)
    sets = SetsWing(open_training_jobs(camera.watch.read_again, camera.turns))
    past = HistoryWing(archive, history.statistics, names, coaches)
    return camera.wing, sets, past, play


def _session(  # noqa: PLR0913, PLR0917 -- the parts around the session, each named where it is wired
    plan: Plan,
    store: EventStore,
    announcers: Sequence[Announcer],
    camera: OpenedCamera,
    history: OpenedHistory,
    play: PlayWing,
    steady: Clock,
) -> TableSession:
    """The session with the newest unfinished game, or a show where no event waits for its own."""
    from scoreboard.table.button_actions import ConfirmPolicy
    from scoreboard.table.session import TableSession

    def confirmed(reading: ConfirmedReading) -> None:
        camera.tray.note(reading)
        history.keeper.keep(reading)

    confirm, client = plan.settings.confirm, play.tournament
    session = TableSession(
        store,
        utc_now,
        announcers,
        lambda: dated_id(utc_now()),
        steady=steady,
        read_again=camera.watch.read_again,
        confirmed=confirmed,
        policy=ConfirmPolicy(confirm.seconds, confirm.confidence) if confirm.seconds else None,
        tray=camera.tray.outline is not None,
        notary=client,
        ranks=play.extras.coach.ranks,
    )
    session.resume_newest()
    if plan.demo and client is not None and client.attends:
        for ending in ending_the_demo(session.view):
            session.receive(ending)
    elif plan.demo and session.view.game_id is None:
        session.receive(open_show(store, utc_now()))
    for announcer in announcers:
        announcer.announce(session.view)
    return session


def open_table_camera(settings: Settings, setup: CameraSetup) -> Camera:
    """The camera of these settings, not entered yet, else the demo's. Raises CameraError."""
    from hardware.camera import CameraParts
    from hardware.cameras import open_camera
    from hardware.cameras.demo import DemoCamera
    from vision.capture.photo import (
        MOST_FRAME_PIXELS,
        MOST_JPEG_PIXELS,
        open_to_read,
        open_to_watch,
    )

    source = settings.camera.source
    if not source:
        return DemoCamera(settings.demo.frames_per_second)
    most = MOST_FRAME_PIXELS if source == "phone" else MOST_JPEG_PIXELS
    parts = CameraParts(
        lambda file: open_to_read(file, most)[0],
        utc_now,
        setup.controls,
        lambda file: open_to_watch(file, most),
    )
    return open_camera(source, parts)


def _pipeline(
    tray: FixedTray,
    pictures: Pictures,
    wanted: Callable[[], str],
    open_one: Callable[[str], Recogniser] = open_table_reader,
    expected: Callable[[], int | None] = lambda: None,
) -> TablePipeline:
    from vision.quality.health import HealthWatch
    from vision.read.readers import ReaderSelector
    from vision.watch.pipeline import TablePipeline

    reader = ReaderSelector(wanted, open_one, expected)
    examine = HealthWatch(tray.fingerprint, tray.area)
    return TablePipeline(reader, pictures, within=tray.look_at, examine=examine)


def open_watching_pipeline(plan: Plan) -> TablePipeline:
    """The pipeline of this plan. Raises CalibrationError, SettingsError and WeightsError."""
    from vision.watch.pipeline import Pictures

    return _pipeline(open_tray(plan), Pictures(most=1), lambda: "dice")
