"""What watching a table costs: each stage on one picture, and what a second of rest adds up to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from tests.benchmarks.harness import Spread
from vision.capture.frame import Frame, Image
from vision.capture.photo import encode_jpeg, open_to_read, open_to_watch
from vision.quality.health import health
from vision.quality.tray import TrayCorners, rectify
from vision.read.dice import DiceRecogniser
from vision.watch.pipeline import Pictures
from vision.watch.proposals import (
    ProposalTracker,
    agree,
    merge,
    proposal,
    sharp_readings,
    with_sharpness,
)
from vision.watch.stillness import LONGER_SIDE, Stillness, small_grey

FRAMES_A_SECOND: Final = 5  # that are looked at while a table is at rest
WHOLE_A_SECOND: Final = 0.2  # of a stream's, the rest are small copies
READINGS: Final = 2

DECODING: Final = "decoding a stream's JPEG"
GLANCING: Final = "a small copy of it"
GREY: Final = "the small grey frame"
TRAY_GREY: Final = "the small grey frame of a calibrated tray"
STILL: Final = "stillness, while nothing moves"
MOVING: Final = "stillness, while something moves"
LOOKING: Final = "the table's health, once a second"
RECTIFYING: Final = "rectifying a calibrated tray, to read it"
READING: Final = "reading five dice"
PROPOSING: Final = "consensus and proposing"
ENCODING: Final = "the page's JPEG of a proposal"


@dataclass(frozen=True, slots=True)
class WatchingCost:
    """The stages' milliseconds, of a table with a calibrated tray."""

    stages: Mapping[str, Spread]

    @property
    def frame(self) -> float:
        """A frame that is looked at while nothing moves."""
        return self._sum(TRAY_GREY, STILL)

    @property
    def read_frame(self) -> float:
        return self.frame + self._sum(RECTIFYING, READING, PROPOSING, ENCODING, LOOKING)

    @property
    def second_at_rest(self) -> float:
        """A second in which nothing moves, the camera's JPEGs apart."""
        return FRAMES_A_SECOND * self.frame + self._sum(LOOKING)

    @property
    def second_of_a_stream(self) -> float:
        """The same with a stream's JPEGs decoded, of which most are small copies."""
        whole = WHOLE_A_SECOND * self._sum(DECODING, GLANCING, GREY, STILL, LOOKING)
        return whole + (FRAMES_A_SECOND - WHOLE_A_SECOND) * self._sum(GLANCING, GREY, STILL)

    def _sum(self, *names: str) -> float:
        return sum(self.stages[name].median for name in names)


def stages_of(image: Image) -> dict[str, Callable[[], object]]:
    """Each stage on this picture, with its inputs prepared."""
    jpeg = encode_jpeg(image, 90)
    corners = TrayCorners(((0.05, 0.04), (0.96, 0.05), (0.94, 0.95), (0.04, 0.97)))
    grey, moved = small_grey(image), small_grey(np.roll(image, 40, axis=1))
    at = datetime(2026, 1, 1, tzinfo=UTC)
    later, still = at + timedelta(seconds=0.2), Stillness().after(grey, at).read()
    recogniser, frame = DiceRecogniser(), Frame(0, at, image)
    readings = [recogniser(frame)] * READINGS

    def propose() -> object:
        sharp = sharp_readings([with_sharpness(each, image) for each in readings])
        agree(sharp)
        merged = merge(sharp)
        ProposalTracker(readings[0].detections, image).due(merged, image)
        return proposal(merged, frame)

    return {
        DECODING: lambda: open_to_read(jpeg),
        GLANCING: lambda: open_to_watch(jpeg),
        GREY: lambda: small_grey(image),
        TRAY_GREY: lambda: small_grey(rectify(image, corners, 2 * LONGER_SIDE)),
        STILL: lambda: still.after(grey, later),
        MOVING: lambda: still.after(moved, later),
        LOOKING: lambda: health(image),
        RECTIFYING: lambda: rectify(image, corners),
        READING: lambda: recogniser(frame),
        PROPOSING: propose,
        ENCODING: lambda: Pictures().keep(frame, frame.image),
    }
