"""A table without a session: says what it is told to say and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from secrets import token_urlsafe
from types import SimpleNamespace
from typing import Any, cast

from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache

from hardware.cameras.upload import UploadCamera
from hardware.errors import CameraError
from scoreboard.dice import Roll
from scoreboard.errors import UnknownGameError
from scoreboard.games.dice import yahtzee
from scoreboard.games.dice.acts import Command
from scoreboard.games.engine.game import Setup, replay
from scoreboard.games.engine.transcript import GameHeader
from scoreboard.message import Message, message
from scoreboard.storage import SqlStore
from scoreboard.storage.devices import Device, SqlDevices
from scoreboard.storage.finished_games import Result
from scoreboard.storage.profiles import Profile, SqlProfiles
from scoreboard.table.inbox import Inbox
from scoreboard.table.requests import Answer, TableRequest, TableStatus
from scoreboard.table.session import TableSession
from scoreboard.table.view import LastDie, ShownDie, ShownProposal, TableView
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.web.lesson_fake import FakeJobs
from vision.watch.pipeline import Picture, Pictures
from web.shared.clocks import utc_now
from web.shared.live import LiveViews
from web.shared.plan import Facts
from web.shared.settings import Watching
from web.table.app import create_app
from web.table.camera.camera_page import CameraDesk
from web.table.camera.tray import FixedTray
from web.table.camera.uploads import PictureTurns, Uploads
from web.table.camera.wing import CameraWing
from web.table.diagnostics import Diagnostics
from web.table.history.archive import Archive, ExportFormat, GamesPage, GameSummary
from web.table.history.statistics import Statistics
from web.table.history.wing import HistoryWing
from web.table.parts import Asker, Parts
from web.table.people.access import Access
from web.table.people.devices import Devices, Pairing
from web.table.people.wing import PeopleWing
from web.table.play.coach import Coach, CoachChoice
from web.table.play.table_page import Extras
from web.table.play.wing import PlayWing
from web.table.sets.wing import SetsWing

NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
JPEG = b"\xff\xd8 not really a picture"
PICTURE = Picture(JPEG, 800, 600)
FACTS = Facts(
    camera=message("Demo evening"),
    camera_simulated=True,
    buttons_simulated=True,
    pins="no pins in this test",
    demo=True,
    open_to_network=False,
)
FINISHED_GAME = GameSummary(
    "g1", message("Yahtzee"), ("North", "<b>South</b>"), NOON, "finished", (254, 199)
)
OPEN_GAME = GameSummary("g2", message("Yahtzee"), ("East",), NOON, "on the table", (31,))
NO_GAME = TableView(version=1, stage="no game", status=TableStatus.NOTHING)


class CompiledTemplates(BytecodeCache):
    """Templates compiled once for all applications of a process: half a second for each page."""

    def __init__(self) -> None:
        self._compiled: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """The template as it was compiled before, if it is unchanged."""
        if bucket.key in self._compiled:
            bucket.bytecode_from_string(self._compiled[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it for the next application."""
        self._compiled[bucket.key] = bucket.bytecode_to_string()


COMPILED = CompiledTemplates()


class FakeInbox(Inbox):
    """Remembers each request and answers as the test says."""

    def __init__(self, fake: FakeTable) -> None:
        self._fake = fake

    def submit(
        self,
        request: TableRequest,
        timeout_seconds: float = 0,  # noqa: ARG002
        *,
        by: str = "",
    ) -> Answer:
        self._fake.messages.append(request)
        self._fake.senders.append(by)
        return self._fake.reply(request)


class PromptInbox(Inbox):
    """Has the session answer at once."""

    def __init__(self, session: TableSession) -> None:
        self._prompt = session

    def submit(self, request: TableRequest, timeout_seconds: float = 0, *, by: str = "") -> Answer:  # noqa: ARG002 -- nobody waits
        return self._prompt.receive(request, by)


class FakeSession(TableSession):
    """Shows what the test says."""

    def __init__(self, fake: FakeTable) -> None:
        self._fake = fake

    @property
    def view(self) -> TableView:
        return self._fake.shown


class FakePictures(Pictures):
    """Has one frame, and always a newest one."""

    def picture(self, number: int) -> Picture | None:
        return PICTURE if number == 7 else None

    def latest(self) -> Picture | None:
        return PICTURE


class FakeArchive(Archive):
    """Holds the games that the test lists."""

    def __init__(self, fake: FakeTable) -> None:
        self._fake = fake

    def page(self, number: int, on_the_table: str | None) -> GamesPage:  # noqa: ARG002
        return GamesPage(self._fake.summaries, number, self._fake.pages)

    def summary(self, game_id: str, on_the_table: str | None) -> GameSummary | None:  # noqa: ARG002
        return next((one for one in self._fake.summaries if one.game_id == game_id), None)

    def bin(self) -> tuple[GameSummary, ...]:
        return self._fake.binned

    def export(self, game_id: str, form: ExportFormat) -> str:
        return f"{game_id} as {form}\n"


class FakeProfiles(SqlProfiles):
    """Knows whom the test names."""

    def __init__(self, *profiles: Profile) -> None:
        self._profiles = {one.name: one for one in profiles}
        self.revision = 0

    def note(self, names: Collection[str], *, apart: bool = False) -> None:
        """Forget them."""

    def by_name(self) -> Mapping[str, Profile]:
        return self._profiles


class FakeEvents(MemoryStore):
    """The events of games in memory; nobody is known, and nothing was photographed or finished."""

    def __init__(self) -> None:
        super().__init__()
        self.profiles = FakeProfiles()
        self.photos = SimpleNamespace(
            steps=lambda _id: frozenset(), of_game=lambda *_: (), newest=lambda _ids: {}
        )
        self.finished = SimpleNamespace(results=lambda _ids: {})

    def backed_up_at(self) -> datetime | None:
        return None


def stored_events() -> SqlStore:
    """A store of events alone, as pages and session have it."""
    return cast("SqlStore", FakeEvents())


class FakeStore:
    """Has the headers that the test names, and no profiles."""

    def __init__(self, fake: FakeTable) -> None:
        self._fake = fake
        self.profiles = FakeProfiles()
        self.finished = SimpleNamespace(results=lambda _ids: fake.results)
        self.photos = SimpleNamespace(newest=lambda _ids: {"g1": 3})

    def headers(self) -> tuple[GameHeader, ...]:
        return self._fake.headers

    def header(self, game_id: str) -> GameHeader:
        raise UnknownGameError(game_id)

    def games(self, start: int, most: int) -> tuple[SimpleNamespace, ...]:
        return tuple(SimpleNamespace(header=each) for each in self._fake.headers[start:most])

    def backed_up_at(self) -> datetime | None:
        return None


class FakeUploads(Uploads):
    """Takes any photo but an empty one."""

    def __init__(self, fake: FakeTable) -> None:
        super().__init__(cast("UploadCamera", self), PictureTurns())
        self._fake = fake

    def put(self, photo: bytes) -> None:
        """Take it as the camera would."""
        self._fake.uploaded.append(photo)
        if not photo:
            raise CameraError(message("This photo is empty."))


class FakeStatistics(Statistics):
    """Statistics of a table at which no record ever falls."""

    def __init__(self) -> None:
        pass

    def records(self, view: TableView) -> tuple[Message, ...]:  # noqa: ARG002 -- no game has any
        return ()


class FakeCoach(Coach):
    """A coach whom nobody chose."""

    def __init__(self) -> None:
        self.chosen: list[CoachChoice] = []

    def choice(self, view: TableView) -> CoachChoice:
        return CoachChoice(view.game_id)

    def choose(self, choice: CoachChoice) -> None:
        self.chosen.append(choice)

    def card(self, view: TableView) -> None:
        """Nothing to say."""


@dataclass
class FakeTable:
    """What the page sees of it is set by the test; what the page did stands in `messages`."""

    shown: TableView = NO_GAME
    reply: Callable[[TableRequest], Answer] = field(default=lambda _message: Answer())
    messages: list[TableRequest] = field(default_factory=list)
    senders: list[str] = field(default_factory=list)
    uploaded: list[bytes] = field(default_factory=list)
    summaries: tuple[GameSummary, ...] = (OPEN_GAME, FINISHED_GAME)
    results: dict[str, tuple[Result, ...]] = field(default_factory=dict)
    headers: tuple[GameHeader, ...] = ()
    binned: tuple[GameSummary, ...] = ()
    pages: int = 1
    live: LiveViews = field(default_factory=lambda: LiveViews(heartbeat_seconds=0.05))

    def parts(self, asker: Callable[[], Asker], **changes: Any) -> Parts:
        parts = Parts(
            FakeInbox(self),
            FakeSession(self),
            FakePictures(),
            cast("SqlStore", FakeStore(self)),
            self.live,
            lambda: NOON,
            FACTS,
            asker,
            addresses=tuple,
            code=str,
        )
        return replace(parts, **changes)

    def app(self, diagnosed: str = "", **changes: Any) -> Flask:
        """The pages of this table, with what a test changes of its parts and wings.

        `diagnosed` is the key of its diagnostics.
        """
        named = {each.name for each in fields(Parts)}
        access: Access = changes.pop("access", None) or forgetful_access()
        given = {name: changes.pop(name) for name in {*changes} & named}
        parts = self.parts(access.asker, **{"code": access.pairing.lasting_code, **given})
        hosts = changes.pop("allowed_hosts", frozenset({"localhost", "127.0.0.1"}))
        take = changes.pop
        camera = CameraWing(
            take("camera", None) or cast("CameraDesk", None),
            take("tray", None) or FixedTray("webcam:0", None),
            take("phone", None),
            take("uploads", None),
        )
        statistics = take("statistics", None) or FakeStatistics()
        coach = take("coach", None) or FakeCoach()
        people = PeopleWing(
            access,
            hosts,
            take("certificate", None),
            camera.phone,
            take("machine_faults", tuple),
            take("ingress", ""),
        )
        wings = (
            camera,
            SetsWing(take("lessons", None) or FakeJobs()),
            HistoryWing(
                take("archive", None) or FakeArchive(self),
                statistics,
                access.devices.name_of,
                lambda game_id: coach.coaches(parts.session.view, game_id),
            ),
            PlayWing(Extras(camera, statistics, coach, take("demo", None)), **changes),
        )
        diagnostics = Diagnostics({}, parts, tuple, diagnosed or token_urlsafe())
        app = create_app(parts, people, wings, diagnostics, token_urlsafe())
        app.jinja_env.bytecode_cache = COMPILED
        return app

    @property
    def seen(self) -> str:
        """What a form of the shown page sends as the version it saw."""
        return f"{self.live.run}.{self.shown.version}"


class NoDevices(SqlDevices):
    """Stored devices that are forgotten at once."""

    def __init__(self) -> None: ...

    def all(self) -> tuple[Device, ...]:
        return ()

    def add(self, device: Device) -> None: ...

    def change(self, devices: Sequence[Device]) -> None: ...


def forgetful_access(watching: Watching = "open") -> Access:
    """Rights that no device has yet, and none has for longer than the test."""
    devices = Devices(utc_now, NoDevices())
    return Access(devices, Pairing(devices, utc_now), watching)


def view_of(*commands: Command, players: tuple[str, ...] = ("North", "South")) -> TableView:
    """The view of a game of Yahtzee after these commands; the first named starts."""
    game = yahtzee.GAME
    setup = Setup(players, {"start": "first"})
    events: list[Any] = []
    for command in commands:
        events.extend(game.decide(replay(game, setup, events), command))
    state = replay(game, setup, events)
    turn = game.turn(state)
    boxes = [offer for offer in game.offers(state) if offer.key.startswith("score:")]
    return TableView(
        version=5,
        stage=turn.phase,
        status=TableStatus.STILL,
        game_id="g2",
        game="yahtzee",
        sequence=len(events),
        scoresheet=game.scoresheet(state),
        turn=turn,
        last_roll=tuple(
            LastDie(face, kept=False) for face in (turn.roll.faces if turn.roll else ())
        ),
        offers=game.offers(state),
        pointer=boxes[0].key if boxes and turn.phase == "choosing" else None,
        undo=message("Undo the last roll") if events else None,
        outcome=game.outcome(state),
    )


def proposal_of(
    text: str, *, doubts: tuple[Message, ...] = (), frame: int | None = 7, asked: bool = False
) -> ShownProposal:
    """A reading in one row; `?` is a die that cannot be read."""
    dice = tuple(
        ShownDie(
            face=None if letter == "?" else int(letter),
            box=(
                90.0 + 130 * place,
                180.0 + 40 * (place % 2),
                180.0 + 130 * place,
                270.0 + 40 * (place % 2),
            ),
            doubtful=letter == "?" or bool(doubts and place == 1),
            doubt=doubts[0] if doubts and place == 1 else None,
        )
        for place, letter in enumerate(text)
    )
    readable = "?" not in text
    return ShownProposal(
        dice=dice,
        roll=Roll.parse("".join(sorted(text))) if readable else None,
        doubts=doubts,
        asked=asked,
        frame=frame,
        width=800,
        height=600,
    )
