"""How many pictures of a camera are looked at: few at rest, every one that is needed to read."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Event
from types import TracebackType
from typing import Self

import numpy as np

from hardware.camera import Capture
from scoreboard.table.requests import Proposed, TableRequest
from tests.patience import PATIENCE_SECONDS
from tests.vision.fake_table import KnowingRecogniser, Table, die
from vision.watch.pictures import Pictures
from vision.watch.pipeline import TablePipeline
from web.table.camera.camera_watch import CameraWatch

START = datetime(2026, 1, 2, 20, tzinfo=UTC)
CAMERA_FRAMES_A_SECOND = 30
HAND_SECONDS = 2.0
SECONDS = 12.0
DICE = ((100, 100), (300, 200))


@dataclass
class Clock:
    """Time that passes only when the camera or the watch wait."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds


@dataclass
class FastCamera:
    """Thirty pictures a second: a hand for two seconds, then dice at rest; none after `SECONDS`."""

    clock: Clock
    table: Table = field(default_factory=Table)
    given: list[float] = field(default_factory=list)
    done: Event = field(default_factory=Event)
    name: str = "fast"
    simulated: bool = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing to free."""

    def capture(self) -> Capture | None:
        if self.clock.seconds >= SECONDS:
            self.done.set()
            return None
        number = int(np.floor(self.clock.seconds * CAMERA_FRAMES_A_SECOND + 1e-6)) + 1
        self.clock.seconds = number / CAMERA_FRAMES_A_SECOND
        self.given.append(self.clock.seconds)
        reach = 80 + 12 * (number % 20) if self.clock.seconds < HAND_SECONDS else 0
        at = START + timedelta(seconds=self.clock.seconds)
        return Capture(self.table.picture(DICE, hand=reach), at)

    def between(self, first: float, last: float) -> int:
        return sum(first <= at < last for at in self.given)


def test_a_table_at_rest_is_looked_at_five_times_a_second() -> None:
    """Fifteen times while a hand moves, always while the dice come to rest, and read only then."""
    recogniser = KnowingRecogniser((die("1", *DICE[0]), die("1", *DICE[1])))
    clock = Clock()
    camera = FastCamera(clock)
    watch = CameraWatch(
        camera,
        lambda: TablePipeline(recogniser, Pictures()),
        monotonic=clock,
        sleep=clock.sleep,
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
