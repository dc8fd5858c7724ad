"""What the health light lets through: red proposes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from scoreboard.message import message
from scoreboard.table.proposal import HEALTHY, Health, Light
from scoreboard.table.requests import HealthChanged, Proposed, TableStatus, TableStatusChanged
from tests.vision.fake_table import KnowingRecogniser, Table, die
from vision.capture.frame import Frame
from vision.quality.health import HealthWatch
from vision.quality.tray import TrayCorners
from vision.watch.pipeline import Pictures, TableChange, TablePipeline

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
RED = Health(Light.RED, (message("It is too dark."),))
AMBER = Health(Light.AMBER, (message("It is rather dark."),))
DICE = (die("2", 100, 100), die("5", 300, 200))


@dataclass
class Examiner:
    """Says of the table what the test says, and notes what it was shown."""

    health: Health | None = HEALTHY
    shown: list[tuple[Frame, bool]] = field(default_factory=list)

    def __call__(self, frame: Frame, *, at_rest: bool) -> Health | None:
        self.shown.append((frame, at_rest))
        return self.health


class Watched:
    """A pipeline over a drawn table at ten frames a second."""

    def __init__(self, examine: Callable[..., Health | None]) -> None:
        self.table = Table()
        self.recogniser = KnowingRecogniser(DICE)
        self.pipeline = TablePipeline(self.recogniser, Pictures(), examine=examine)
        self.frames = 0

    def rest(self, frames: int = 12, **scene: float) -> list[TableChange]:
        happened: list[TableChange] = []
        for _ in range(frames):
            image = self.table.picture(**scene)  # type: ignore[arg-type]  # gain and cloth
            at = NOON + timedelta(seconds=self.frames / 10)
            happened += self.pipeline.feed(Frame(self.frames, at, image))
            self.frames += 1
        return happened


def proposals(happened: list[TableChange]) -> int:
    """How many proposals there are among them."""
    return sum(isinstance(each, Proposed) for each in happened)


def test_red_reads_nothing_until_it_is_fixed() -> None:
    """The dice that lay there all the time are proposed once, when they can be seen."""
    examine = Examiner(RED)
    watched = Watched(examine)
    happened = watched.rest()
    assert proposals(happened) == 0
    assert happened.count(HealthChanged(RED)) == 1
    assert watched.recogniser.asked == []
    examine.health = HEALTHY
    happened = watched.rest()
    assert proposals(happened) == 1
    assert happened[0] == HealthChanged(HEALTHY)


def test_amber_and_unknown_read_on() -> None:
    """What is only worse than it could be stops nobody."""
    for health in (AMBER, None):
        assert proposals(Watched(Examiner(health)).rest()) == 1


def test_the_examiner_sees_the_pictures_as_the_camera_gave_them() -> None:
    """Before they are rectified, and it knows when the table is at rest."""
    examine = Examiner()
    table = Table()
    corners = TrayCorners((0, 0), (0.5, 0), (0.5, 0.5), (0, 0.5))
    pipeline = TablePipeline(
        KnowingRecogniser(), Pictures(), within=lambda _: corners, examine=examine
    )
    for number in range(10):
        at = NOON + timedelta(seconds=number / 10)
        pipeline.feed(Frame(number, at, table.picture()))
    assert {frame.image.shape for frame, _ in examine.shown} == {(480, 640, 3)}
    assert [at_rest for _, at_rest in examine.shown][0::9] == [False, True]


def test_a_photo_that_cannot_be_read_is_answered_with_the_reason() -> None:
    """The sender of a single photo is not left waiting."""
    watched = Watched(Examiner(RED))
    photo = Frame(0, NOON, watched.table.picture(), single=True)
    changed, answered = watched.pipeline.feed(photo)
    assert changed == HealthChanged(RED)
    assert isinstance(answered, TableStatusChanged)
    assert answered.status is TableStatus.STILL
    assert str(answered.cause) == "The photo was not read. It is too dark."


def test_a_real_watch_stops_at_night_and_goes_on_in_the_morning() -> None:
    """The lamp goes out: nothing is proposed, although a throw was made; then it is."""
    watched = Watched(HealthWatch())
    assert proposals(watched.rest()) == 1
    watched.pipeline.read_again()
    assert proposals(watched.rest(gain=0.1)) == 0
    assert proposals(watched.rest(frames=40)) == 1
