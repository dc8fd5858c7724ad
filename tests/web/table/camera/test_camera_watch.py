"""The thread that watches the table."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from threading import Event
from typing import Any, Self

import numpy as np
import pytest

from hardware.camera import AdjustableCamera, Camera, CameraParts, Capture
from hardware.cameras.stream import StreamCamera
from hardware.errors import CameraError
from scoreboard.message import message
from scoreboard.table.game_session import TurnClock
from scoreboard.table.proposal import Light
from scoreboard.table.requests import (
    Proposed,
    TableRequest,
    TableStatus,
    TableStatusChanged,
    Ticked,
)
from tests.patience import PATIENCE_SECONDS
from tests.vision.fake_table import KnowingRecogniser, Table, die
from tests.web.table_fake import view_of
from vision.capture.frame import Frame, Image
from vision.errors import WeightsError
from vision.watch.pipeline import Changes, Pictures, TablePipeline
from web.table.camera.camera_watch import AutomaticHold, CameraWatch, ticker

NOW = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)
MOVING = TableStatusChanged(TableStatus.MOVING)
Step = Capture | Exception | None


PICTURE = np.zeros((4, 6, 3), np.uint8)


def picture(*, single: bool = False, known: bool = False) -> Capture:
    """A small black picture."""
    return Capture(PICTURE, NOW, single, known)


class ScriptedCamera:
    """Gives what the script says, then nothing any more; `openings` may fail first."""

    name = "scripted"
    simulated = False

    def __init__(self, script: Sequence[Step], openings: Sequence[Exception | None] = ()) -> None:
        self._script = iter(script)
        self._openings = iter(openings)
        self.entered = 0
        self.left = 0

    def __enter__(self) -> Self:
        self.entered += 1
        fault = next(self._openings, None)
        if fault is not None:
            raise fault
        return self

    def __exit__(self, *_: object) -> None:
        self.left += 1

    def capture(self) -> Capture | None:
        step = next(self._script, None)
        if isinstance(step, Exception):
            raise step
        return step


class NotingPipeline(TablePipeline):
    """Says MOVING for each picture, and notes what happens to it."""

    def __init__(self) -> None:
        super().__init__(KnowingRecogniser(), Pictures())
        self.frames: list[Frame] = []
        self.losses = 0
        self.asked_again = 0

    def feed(self, frame: Frame | None) -> Changes:
        if frame is None:
            return ()
        self.frames.append(frame)
        return (MOVING,)

    def read_again(self) -> None:
        self.asked_again += 1

    def lose(self) -> None:
        self.losses += 1


@contextmanager
def watching(
    camera: Camera,
    open_pipeline: Callable[[], NotingPipeline],
    **timing: Any,
) -> Iterator[tuple[CameraWatch, Callable[[], TableRequest]]]:
    """A running watch, and what gives the next message that it posts."""
    posted: queue.Queue[TableRequest] = queue.Queue()
    watch = CameraWatch(camera, open_pipeline, first_pause_seconds=0.001, **timing)
    watch.start(posted.put)
    try:
        yield watch, lambda: posted.get(timeout=PATIENCE_SECONDS)
    finally:
        watch.stop()


def test_pictures_reach_the_pipeline_numbered_and_timed() -> None:
    """Every picture becomes a frame with a number of its own; nothing is made of none."""
    pipeline = NotingPipeline()
    camera = ScriptedCamera([picture(), None, picture(single=True, known=True)])
    with watching(camera, lambda: pipeline) as (_, posted):
        assert [posted(), posted()] == [MOVING, MOVING]
    first, second = pipeline.frames
    assert (first.sequence, first.captured_at, first.single, first.known) == (0, NOW, False, False)
    assert (second.sequence, second.captured_at) == (1, NOW)
    assert (second.single, second.known) == (True, True)
    assert camera.left == 1


def test_a_lost_camera_is_reported_and_taken_up_again() -> None:
    """The reason reaches the players, the camera is left and entered, numbers go on."""
    pipeline = NotingPipeline()
    camera = ScriptedCamera([picture(), CameraError(message("It was unplugged.")), picture()])
    with watching(camera, lambda: pipeline) as (_, posted):
        assert posted() == MOVING
        lost = posted()
        assert isinstance(lost, TableStatusChanged)
        assert lost.status is TableStatus.LOST
        assert str(lost.cause).startswith("It was unplugged. Play on by hand;")
        assert posted() == TableStatusChanged(TableStatus.NOTHING)
        assert posted() == MOVING
    assert pipeline.losses == 1
    assert [frame.sequence for frame in pipeline.frames] == [0, 1]


def test_a_camera_that_cannot_be_opened_is_tried_again() -> None:
    """Nothing else takes its place meanwhile."""
    missing = CameraError(message("No camera answers."))
    camera = ScriptedCamera([picture()], openings=[missing, missing])
    with watching(camera, NotingPipeline) as (_, posted):
        sights = [posted() for _ in range(4)]
    assert [each.status for each in sights if isinstance(each, TableStatusChanged)] == [
        TableStatus.LOST,
        TableStatus.LOST,
        TableStatus.NOTHING,
        TableStatus.MOVING,
    ]


def test_a_fault_of_our_own_is_reported_too(caplog: pytest.LogCaptureFixture) -> None:
    """The watch lives on, the players know, and see the log it was."""
    camera = ScriptedCamera([ZeroDivisionError(), picture()])
    with watching(camera, NotingPipeline) as (_, posted):
        lost = posted()
        assert isinstance(lost, TableStatusChanged)
        assert "see the log" in str(lost.cause)
        assert [posted(), posted()] == [TableStatusChanged(TableStatus.NOTHING), MOVING]
    assert "ZeroDivisionError" in caplog.text


def test_a_reader_that_cannot_be_loaded_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    """Without a reader no camera is opened, and play on by hand."""

    def broken() -> NotingPipeline:
        raise WeightsError(message("The reader is damaged; install again."))

    camera = ScriptedCamera([])
    with watching(camera, broken) as (watch, posted):
        lost = posted()
        watch.read_again()
    assert isinstance(lost, TableStatusChanged)
    assert str(lost.cause).startswith("The reader is damaged; install again. Until then")
    assert camera.entered == 0
    assert "The reader is damaged" in caplog.text


def test_reading_again_reaches_the_pipeline() -> None:
    """A rejected reading is read once more."""
    pipeline = NotingPipeline()
    with watching(ScriptedCamera([picture()]), lambda: pipeline) as (watch, posted):
        posted()
        watch.read_again()
    assert pipeline.asked_again == 1


def test_time_is_reported_when_a_policy_needs_it() -> None:
    """After each look, picture or none, the table hears what time it is."""
    camera = ScriptedCamera([picture()])
    with watching(camera, NotingPipeline, tick=lambda: Ticked(NOW)) as (_, posted):
        assert [posted(), posted(), posted()] == [MOVING, Ticked(NOW), Ticked(NOW)]


class HangingCamera(ScriptedCamera):
    """Hangs at its first picture until it is let go."""

    def __init__(self) -> None:
        super().__init__([picture(), picture()])
        self.go_on = threading.Event()

    def capture(self) -> Capture | None:
        assert self.go_on.wait(PATIENCE_SECONDS)
        return super().capture()


def test_a_camera_that_says_nothing_is_reported_and_taken_up_again() -> None:
    """Neither a picture nor a fault comes: the page says so, until the next picture."""
    pipeline, camera = NotingPipeline(), HangingCamera()
    with watching(camera, lambda: pipeline, silent_seconds=0.05) as (_, posted):
        silent = posted()
        camera.go_on.set()
        assert isinstance(silent, TableStatusChanged)
        assert silent.status is TableStatus.LOST
        assert "isn’t answering" in str(silent.cause)
        assert [posted(), posted()] == [TableStatusChanged(TableStatus.NOTHING), MOVING]
        assert pipeline.losses == 1


NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def test_it_ticks_while_a_turn_is_timed() -> None:
    """Each tick carries the time; when no turn is timed nothing is posted."""
    posted, enough = list[TableRequest](), Event()

    def post(table_request: TableRequest) -> None:
        posted.append(table_request)
        if len(posted) == 3:
            enough.set()

    running, still = (
        replace(view_of(), clock=TurnClock(60, 60, "pass", since)) for since in (NOON, None)
    )
    views = iter([view_of(), running, still, running, view_of(), running])
    ticks = ticker(lambda: NOON, lambda: next(views, still), post, rest_seconds=0.001)
    ticks.start()
    assert enough.wait(PATIENCE_SECONDS)
    ticks.stop()
    assert posted == [Ticked(NOON)] * 3


class FocusingCamera(AdjustableCamera):
    """Notes when what it adjusts by itself is held, True, and let go, False."""

    name = "focusing"
    simulated = False

    def __init__(self) -> None:
        super().__init__(CameraParts(lambda _: np.zeros((4, 6, 3), np.uint8), lambda: NOW))
        self.holds: list[bool] = []
        self.taken = 0
        self.changed = Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def capture(self) -> Capture:
        self.taken += 1
        return Capture(np.zeros((4, 6, 3), np.uint8), NOW + timedelta(seconds=self.taken))

    def _adjust(self) -> None:
        self.holds.append(self.held)
        self.changed.set()


def test_a_watched_camera_is_held_once_nothing_moves() -> None:
    """The pipeline says when the table is at rest."""
    camera, seconds = FocusingCamera(), count()
    watch = CameraWatch(
        camera,
        lambda: TablePipeline(KnowingRecogniser(), Pictures()),
        monotonic=lambda: float(next(seconds)),
        sleep=lambda _: None,
    )
    watch.start(lambda _: None)
    try:
        assert camera.changed.wait(PATIENCE_SECONDS)
    finally:
        watch.stop()
    assert camera.holds == [True]


GREEN, AMBER, RED = Light.GREEN, Light.AMBER, Light.RED


@pytest.mark.parametrize(
    ("looks", "holds"),
    [
        # three seconds without motion; a hand afterwards does not let it hunt again
        ([(2, rests, GREEN) for rests in (True, False, True)], []),
        ([(4, True, GREEN), (9, False, GREEN), (9, True, GREEN)], [True]),
        # after sunset: held anew in the light that there is then, which is no reason to let go
        (
            [(10, True, light) for light in (GREEN, GREEN, AMBER, AMBER, AMBER, RED)],
            [True, False, True, False],
        ),
        # some tell a wrong exposure: held at it, the picture would go dark again and again
        ([(4, True, GREEN), (2, True, RED), (60, True, GREEN), (60, True, GREEN)], [True, False]),
    ],
    ids=["unrest", "hand", "sunset", "in vain"],
)
def test_automatic_controls_are_held_while_that_helps(
    looks: list[tuple[float, bool, Light]], holds: list[bool]
) -> None:
    """A lens that hunts looks like motion; a camera that sees worse when held is left alone."""
    camera, now = FocusingCamera(), 100.0
    hold = AutomaticHold(camera, lambda: now)
    for seconds, at_rest, light in looks:
        now += seconds
        hold.follow(at_rest=at_rest, light=light)
    assert camera.holds == holds


def test_a_change_of_the_settings_is_followed_by_a_new_hold() -> None:
    """The camera lets go by itself then."""
    camera, now = FocusingCamera(), 100.0
    hold = AutomaticHold(camera, lambda: now)
    for _ in range(2):
        now += 10
        hold.follow(at_rest=True, light=Light.GREEN)
        camera.hold(on=False)
    assert camera.holds == [True, False, True, False]


START = datetime(2026, 1, 2, 20, tzinfo=UTC)
CAMERA_FRAMES_A_SECOND = 30
HAND_SECONDS = 2.0
SECONDS = 12.0
DICE = ((100, 100), (300, 200))


class FastCamera(ScriptedCamera):
    """Thirty pictures a second: a hand for two seconds, then dice at rest; none after `SECONDS`.

    Time passes only when it or the watch waits.
    """

    def __init__(self) -> None:
        super().__init__([])
        self.seconds = 0.0
        self.given: list[float] = []
        self.done = Event()

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds

    def capture(self) -> Capture | None:
        if self.seconds >= SECONDS:
            self.done.set()
            return None
        number = int(np.floor(self.seconds * CAMERA_FRAMES_A_SECOND + 1e-6)) + 1
        self.seconds = number / CAMERA_FRAMES_A_SECOND
        self.given.append(self.seconds)
        reach = 80 + 12 * (number % 20) if self.seconds < HAND_SECONDS else 0
        return Capture(Table().picture(DICE, hand=reach), START + timedelta(seconds=self.seconds))

    def between(self, first: float, last: float) -> int:
        """How many pictures it was asked for in that time."""
        return sum(first <= at < last for at in self.given)


def test_a_table_at_rest_is_looked_at_five_times_a_second() -> None:
    """Fifteen times while a hand moves, always while the dice come to rest, and read only then."""
    recogniser = KnowingRecogniser((die("1", *DICE[0]), die("1", *DICE[1])))
    camera = FastCamera()
    watch = CameraWatch(
        camera,
        lambda: TablePipeline(recogniser, Pictures()),
        monotonic=lambda: camera.seconds,
        sleep=camera.sleep,
    )
    posted: list[TableRequest] = []
    watch.start(posted.append)
    assert camera.done.wait(PATIENCE_SECONDS)
    watch.stop()
    assert camera.between(0, HAND_SECONDS) <= 15 * HAND_SECONDS + 1
    assert camera.between(HAND_SECONDS + 0.2, HAND_SECONDS + 0.3) == 3
    (read,) = [each.proposal for each in posted if isinstance(each, Proposed)]
    assert (read.seen_at - START).total_seconds() < HAND_SECONDS + 0.5
    for second in range(3, int(SECONDS)):
        assert camera.between(second, second + 1) <= 5
    assert len(recogniser.asked) == 2


class GlancingCamera(StreamCamera):
    """A stream of which each second glance shows something new; notes what it was asked."""

    def __init__(self, asked: list[str]) -> None:
        super().__init__("http://192.0.2.1/", CameraParts(lambda _: PICTURE, lambda: NOW))
        self.asked = asked

    def __enter__(self) -> Self:
        return self

    def capture(self) -> Capture | None:
        self.asked.append("capture")
        return picture()

    def glance(self) -> Capture | None:
        self.asked.append("glance")
        return picture()


class RestingPipeline(NotingPipeline):
    """Takes glances; only the first says that nothing is new."""

    glances = 0
    takes_glances = True

    def glance(self, _small: Image, _at: datetime) -> bool:
        self.glances += 1
        return self.glances == 1


def test_a_whole_picture_of_a_stream_is_taken_only_after_a_glance() -> None:
    """Which costs a fraction of it; other cameras have none."""
    asked: list[str] = []
    with watching(GlancingCamera(asked), RestingPipeline) as (_, next_message):
        assert next_message() == MOVING
    assert asked[:3] == ["glance", "glance", "capture"]
