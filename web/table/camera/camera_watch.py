"""The thread that watches the table: pictures into the pipeline, changes into the inbox."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from threading import Event, Lock
from typing import TYPE_CHECKING, Final

from hardware.camera import AdjustableCamera
from hardware.errors import CameraError
from scoreboard.message import Message, message
from scoreboard.table.ports import Clock
from scoreboard.table.proposal import Light
from scoreboard.table.requests import TableRequest, TableStatus, TableStatusChanged, Ticked
from scoreboard.table.view import TableView
from scoreboard.worker import Worker
from vision.errors import WeightsError

if TYPE_CHECKING:
    from hardware.camera import Camera
    from vision.watch.pipeline import TablePipeline


FIRST_PAUSE_SECONDS: Final = 0.5
LONGEST_PAUSE_SECONDS: Final = 5.0
SILENT_SECONDS: Final = 10.0
TICK_SECONDS: Final = 0.25
CHECKS_WHILE_SILENT: Final = 10
SETTLE_SECONDS: Final = 3.0
IN_VAIN_SECONDS: Final = 5.0  # the health is judged once a second, and needs a second look
_BADNESS: Final = (Light.GREEN, Light.AMBER, Light.RED)
LOG: Final = logging.getLogger(__name__)


class CameraWatch:
    """Watches the table through one camera as long as the table is open.

    A camera that fails is reported to the players with its reason, left, and entered again after
    a pause that grows; no other camera ever takes its place. One that neither gives a picture nor
    fails for `silent_seconds` is reported, too, by a second thread. `open_pipeline` is called in
    the thread, because loading the reader takes a while.
    """

    def __init__(  # noqa: PLR0913 -- the tests' own times are named
        self,
        camera: Camera,
        open_pipeline: Callable[[], TablePipeline],
        *,
        tick: Callable[[], TableRequest] | None = None,
        first_pause_seconds: float = FIRST_PAUSE_SECONDS,
        silent_seconds: float = SILENT_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        """Prepare to watch; `tick`, if given, makes a request to post after each picture."""
        self._camera = camera
        self._open_pipeline = open_pipeline
        self._tick = tick
        self._first_pause_seconds = first_pause_seconds
        self._pause_seconds = first_pause_seconds
        self._pipeline: TablePipeline | None = None
        self._numbers = count()
        self._silent_seconds = silent_seconds
        self._monotonic = monotonic
        self._asked_at: float | None = None  # when the camera was asked for what it still owes
        self._hold: AutomaticHold | None = None
        self._lost = False
        self._silent = False
        self._changing = Lock()
        self._stopping = Event()
        self._sleep = self._stopping.wait if sleep is None else sleep
        self._workers: tuple[Worker, ...] = ()

    def start(self, post: Callable[[TableRequest], None]) -> None:
        """Begin to watch and to post changes; call it once, after any fork."""
        looks = self._silent_seconds / CHECKS_WHILE_SILENT
        self._workers = (
            Worker("camera", partial(self._watch, post), wake=self._stopping.set),
            Worker("camera guard", partial(self._guard, post), looks),
        )
        for each in self._workers:
            each.start()

    def stop(self) -> None:
        """End the thread; a camera that hangs is not waited for."""
        for each in self._workers:
            each.stop()

    def read_again(self) -> None:
        """Read again; from any thread. A reader that still loads reads anyway."""
        if self._pipeline is not None:
            self._pipeline.read_again()

    def _watch(self, post: Callable[[TableRequest], None]) -> None:
        cause = self._watch_until_lost(post)
        if cause is None:
            return
        if self._pipeline is not None:
            self._pipeline.lose()
        with self._changing:
            self._asked_at = None
            self._lost, self._silent = True, False
            post(TableStatusChanged(TableStatus.LOST, cause))
        self._stopping.wait(self._pause_seconds)
        self._pause_seconds = min(2 * self._pause_seconds, LONGEST_PAUSE_SECONDS)

    def _watch_until_lost(self, post: Callable[[TableRequest], None]) -> Message | None:
        """The reason the camera was lost, or has no reader; None when the watch was stopped."""
        try:
            pipeline = self._pipeline = self._pipeline or self._open_pipeline()
            self._asked_at = self._monotonic()
            with self._camera as camera:
                if isinstance(camera, AdjustableCamera):
                    self._hold = AutomaticHold(camera, self._monotonic)
                while not self._stopping.is_set():
                    self._take(camera, pipeline, post)
        except WeightsError as error:
            if not self._lost:  # it is tried again every few seconds: once is enough
                LOG.error("%s", error)  # noqa: TRY400 -- the sentence is the cure; no trace is needed
            return message("{reason} Until then, play on by hand.", reason=error.message)
        except CameraError as error:
            if not self._lost:
                LOG.warning("%s", error)
            return without_camera(error.message)
        except Exception:  # the thread's edge: without it the table would go blind in silence
            LOG.exception("the watch over the table failed")
            return FAULT
        return None

    def _take(
        self, camera: Camera, pipeline: TablePipeline, post: Callable[[TableRequest], None]
    ) -> None:
        from vision.capture.frame import Frame  # noqa: PLC0415 -- needs numpy, see above

        self._asked_at = asked_at = self._monotonic()
        rests = self._rests(camera, pipeline)
        capture, frame = None if rests else camera.capture(), None
        if capture is not None:
            frame = Frame(
                next(self._numbers),
                capture.captured_at,
                capture.image,
                single=capture.single,
                known=capture.known,
                small=capture.small,
            )
        with self._changing:
            self._asked_at = None
            if self._silent:  # its last picture is of long ago
                self._silent = False
                pipeline.lose()
            if self._lost:
                self._lost = False
                post(TableStatusChanged(TableStatus.NOTHING))
        self._pause_seconds = self._first_pause_seconds
        for change in pipeline.feed(frame):
            post(change)
        if self._hold is not None:
            self._hold.follow(at_rest=pipeline.at_rest, light=pipeline.light)
        if self._tick is not None:
            post(self._tick())
        # A camera gives 30 pictures a second, come what may; the processor is for other things, too
        left_seconds = asked_at + pipeline.pause_seconds - self._monotonic()
        if (rests or frame is not None) and left_seconds > 0:
            self._sleep(left_seconds)

    def _rests(self, camera: Camera, pipeline: TablePipeline) -> bool:
        """Whether a glance shows that nothing is new: a stream's whole pictures take long."""
        from hardware.cameras.stream import StreamCamera  # noqa: PLC0415 -- needs numpy, see above

        if not (isinstance(camera, StreamCamera) and pipeline.takes_glances):
            return False
        glance = camera.glance()
        return glance is not None and pipeline.glance(glance.image, glance.captured_at)

    def _guard(self, post: Callable[[TableRequest], None]) -> None:
        """Report once that the camera is silent; its next picture ends that."""
        with self._changing:
            asked_at = self._asked_at
            silent = asked_at is not None and self._monotonic() - asked_at >= self._silent_seconds
            if silent and not self._lost:
                LOG.warning("%s", SILENT)
                self._lost = self._silent = True
                post(TableStatusChanged(TableStatus.LOST, without_camera(SILENT)))


class AutomaticHold:
    """Holds a camera's automatic controls once the table has been at rest for three seconds.

    A lens that hunts looks like motion. It is released when the table is seen worse than before; if
    that comes at once, holding is the cause, and is given up.
    """

    def __init__(self, camera: AdjustableCamera, monotonic: Callable[[], float]) -> None:
        self._camera = camera
        self._monotonic = monotonic
        self._moved_at = monotonic()
        self._held_at = -math.inf
        self._held_light = Light.GREEN
        self._in_vain = False

    def follow(self, *, at_rest: bool, light: Light) -> None:
        now = self._monotonic()
        if not at_rest:
            self._moved_at = now
        if self._camera.held:
            if _BADNESS.index(light) > _BADNESS.index(self._held_light):
                self._in_vain = now - self._held_at < IN_VAIN_SECONDS
                self._moved_at = now
                self._camera.hold(on=False)
        elif now - self._moved_at >= SETTLE_SECONDS and not self._in_vain:
            self._held_at, self._held_light = now, light
            self._camera.hold(on=True)


FAULT: Final = message(
    "Something went wrong while watching the table; see the log. Play on by hand."
)
SILENT: Final = message(
    "The camera isn’t answering: unplug it and plug it back in, or check its folder."
)


def without_camera(reason: Message) -> Message:
    """The notice while the camera is lost."""
    return message(
        "{reason} Play on by hand; the camera is used again as soon as it’s back.", reason=reason
    )


def ticker(
    clock: Clock,
    view: Callable[[], TableView],
    post: Callable[[TableRequest], None],
    rest_seconds: float = TICK_SECONDS,
) -> Worker:
    """What posts a tick a few times a second while a player's time runs."""

    def tick() -> None:
        timed = view().clock
        if timed is not None and timed.since is not None:
            post(Ticked(clock()))

    return Worker("clock", tick, rest_seconds)
