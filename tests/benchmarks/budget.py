"""The cost of watching the table, stage by stage, here and computed for a Raspberry Pi.

`python -m tests.benchmarks.budget` measures only this and writes docs/reference/budget.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import click
import cv2
import numpy as np

from tests.benchmarks.contest import five_dice
from tests.benchmarks.machine import machine, moment, versions
from tests.benchmarks.timing import Spread, spread, take_turns
from tests.benchmarks.yolo_shape import build, load_yolo_shape
from vision.capture.frame import Frame, Image
from vision.capture.photo import encode_jpeg
from vision.quality.health import health
from vision.quality.rectify import TrayCorners, rectify
from vision.read.dice import DiceRecogniser
from vision.watch.pictures import Pictures
from vision.watch.proposals import ProposalTracker, agree, merge, proposal
from vision.watch.stillness import Stillness, small_grey

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "budget.md"
SIZES: Final = ((640, 480), (1280, 960), (1920, 1080))
REPEATS: Final = 40
MOST_STILLNESS_MILLISECONDS: Final = 2.0
FRAMES_A_SECOND: Final = 5
READINGS: Final = 2
# The yardstick's operations, and the peak of one Pi core: an A76 multiplies and
# adds 2 x 4 floats a cycle at 2.4 GHz, an A72 1 x 4 at 1.8 GHz. A network reaches 40 to 70 % of it.
YOLO_GIGAFLOPS: Final = 8.7
PEAK_GIGAFLOPS: Final = {"Pi 5": 38.4, "Pi 4": 14.4}
REACHED: Final = (0.7, 0.4)

YOLO: Final = "yardstick: an untrained network of YOLOv8n's shape, 640 px"
DECODING: Final = "decoding a camera's JPEG (not counted below)"
RECTIFYING: Final = "rectifying the tray, where one is calibrated"
GREY: Final = "the small grey frame"
STILL: Final = "stillness, while nothing moves"
MOVING: Final = "stillness, while something moves"
LOOKING: Final = "the table's health, once a second"
READING: Final = "reading five dice"
PROPOSING: Final = "consensus and proposing"
ENCODING: Final = "the page's JPEG of a proposal"

TEMPLATE: Final = """\
# The time budget of a watched table

The cost of each stage from a camera's picture to a proposal, on one thread, in processor
milliseconds: medians, with the 10th and 90th percentiles of the repeats. Five dice are on the
table. `make benchmark` writes this page.

Measured on {machine}; {versions}; {moment}.

**Computed, not measured:** the columns of the Pi 5 and the Pi 4. The yardstick's
{gigaflops} GFLOP took {yolo:.1f} ms here, in the same run as everything else: {here:.0f} GFLOP/s.
One core of a Pi 5 peaks at {pi_5:.1f} GFLOP/s and one of a Pi 4 at {pi_4:.1f}, and networks
reach 40 to 70 % of a peak. So the columns assume a Pi 5 {factor_5} times slower than this
machine, and a Pi 4 {factor_4} times. The shipped networks are quantised to 8 bits: this machine
and the Pi 5 have instructions for that, the Pi 4 has none, so expect its upper end or more. To
measure instead, run `python -m tests.benchmarks.budget` on a Pi and send us the page.

The small grey frame and stillness must take less than 2 ms. At 1280x960 they take
{stillness:.2f} ms while nothing moves and {moving:.2f} ms while something does, {verdict}.

{tables}

## Five frames a second

Every frame is rectified, made small and compared. Only a table at rest is
read: {readings} times per roll, more often if a reading is in doubt, at most once per frame.
A frame that is read takes longest, and has 200 ms.

| picture | computer | each frame | of one core | a frame that is read | fits into 200 ms |
|---|---|---|---|---|---|
{paces}
"""


@dataclass(frozen=True, slots=True)
class Budget:
    """The cost of the stages at one picture size, in processor milliseconds."""

    size: tuple[int, int]
    stages: Mapping[str, Spread]

    @property
    def frame(self) -> float:
        """The cost of every frame, including rectification of the tray."""
        return sum(self.stages[name].median for name in (RECTIFYING, GREY, STILL))

    @property
    def read_frame(self) -> float:
        """The cost of a frame that is read and proposed."""
        parts = (READING, PROPOSING, ENCODING, LOOKING)
        return self.frame + sum(self.stages[name].median for name in parts)

    @property
    def stillness(self) -> float:
        """The small grey frame and its comparison, while nothing moves."""
        return self.stages[GREY].median + self.stages[STILL].median

    @property
    def moving(self) -> float:
        """The small grey frame and its comparison, while something moves."""
        return self.stages[GREY].median + self.stages[MOVING].median

    @property
    def kept(self) -> bool:
        """Whether both take less than promised."""
        return max(self.stillness, self.moving) < MOST_STILLNESS_MILLISECONDS


def measure_budget() -> bool:
    """Measure, write the page, and return whether stillness keeps its promise."""
    cv2.setNumThreads(1)
    yolo = load_yolo_shape(build()[0])
    budgets = [_measured(size, yolo) for size in SIZES]
    PAGE.write_text(page(budgets), encoding="utf-8")
    both = f"{budgets[1].stillness:.2f} ms at rest, {budgets[1].moving:.2f} ms in motion"
    click.echo(f"{PAGE.name}: stillness at 1280x960 {both}")
    return budgets[1].kept


def page(budgets: list[Budget]) -> str:
    """The whole page."""
    yolo = budgets[1].stages[YOLO].median
    here = YOLO_GIGAFLOPS / yolo * 1000
    slower = {
        name: (here / peak / REACHED[0], here / peak / REACHED[1])
        for name, peak in PEAK_GIGAFLOPS.items()
    }
    return TEMPLATE.format(
        machine=machine(),
        versions=versions(),
        moment=moment(),
        gigaflops=YOLO_GIGAFLOPS,
        here=here,
        pi_5=PEAK_GIGAFLOPS["Pi 5"],
        pi_4=PEAK_GIGAFLOPS["Pi 4"],
        factor_5=_range(1.0, slower["Pi 5"]),
        factor_4=_range(1.0, slower["Pi 4"]),
        yolo=yolo,
        stillness=budgets[1].stillness,
        moving=budgets[1].moving,
        verdict="which keeps it" if budgets[1].kept else "which does not keep it",
        tables="\n\n".join(_table(budget, slower) for budget in budgets),
        readings=READINGS,
        paces="\n".join(row for budget in budgets for row in _paces(budget, slower)),
    )


Slower = Mapping[str, tuple[float, float]]  # per computer: times slower, from and to


def _range(milliseconds: float, times: tuple[float, float]) -> str:
    low, high = (milliseconds * factor for factor in times)
    return f"{low:.1f} to {high:.1f}" if high < 10 else f"{low:.0f} to {high:.0f}"


def _table(budget: Budget, slower: Slower) -> str:
    head = (
        f"## {budget.size[0]}x{budget.size[1]}\n\n"
        "| stage | here | Pi 5, computed | Pi 4, computed |\n|---|---|---|---|\n"
    )
    rows = (
        f"| {name} | {took.median:.2f} ({took.low:.2f} to {took.high:.2f}) "
        f"| {_range(took.median, slower['Pi 5'])} | {_range(took.median, slower['Pi 4'])} |"
        for name, took in budget.stages.items()
    )
    return head + "\n".join(rows)


def _paces(budget: Budget, slower: Slower) -> list[str]:
    most = 1000 / FRAMES_A_SECOND
    size = f"{budget.size[0]}x{budget.size[1]}"
    here = (
        f"| {size} | this machine | {budget.frame:.1f} ms | {budget.frame / most:.1%} "
        f"| {budget.read_frame:.1f} ms | {_fits(budget.read_frame, budget.read_frame)} |"
    )
    return [
        here,
        *(
            f"| {size} | {name}, computed | {_range(budget.frame, times)} ms "
            f"| {_range(100 * budget.frame / most, times)} % "
            f"| {_range(budget.read_frame, times)} ms "
            f"| {_fits(*(budget.read_frame * factor for factor in times))} |"
            for name, times in slower.items()
        ),
    ]


def _fits(low: float, high: float) -> str:
    """Whether reading and everything else fits before the next frame."""
    most = 1000 / FRAMES_A_SECOND
    return "yes" if high < most else "no" if low >= most else "perhaps"


def _measured(size: tuple[int, int], yolo: Callable[[Image], object]) -> Budget:
    image = _picture(size)
    times = take_turns({**_stages(image), YOLO: lambda: yolo(image)}, REPEATS)
    return Budget(size, {name: spread(took.cpu) for name, took in times.items()})


def _stages(image: Image) -> dict[str, Callable[[], object]]:
    """Each stage on this picture, with its inputs prepared."""
    packed = np.frombuffer(encode_jpeg(image, 90), np.uint8)
    corners = TrayCorners((0.05, 0.04), (0.96, 0.05), (0.94, 0.95), (0.04, 0.97))
    grey, moved = small_grey(image), small_grey(np.roll(image, 40, axis=1))
    at = datetime(2026, 1, 1, tzinfo=UTC)
    later, still = at + timedelta(seconds=0.2), Stillness().after(grey, at).read()
    recogniser, frame = DiceRecogniser(), Frame(0, at, image)
    readings = [recogniser(frame)] * READINGS
    return {
        DECODING: lambda: cv2.imdecode(packed, cv2.IMREAD_COLOR),
        RECTIFYING: lambda: rectify(image, corners),
        GREY: lambda: small_grey(image),
        STILL: lambda: still.after(grey, later),
        MOVING: lambda: still.after(moved, later),
        LOOKING: lambda: health(image),
        READING: lambda: recogniser(frame),
        PROPOSING: lambda: (
            agree(readings),
            ProposalTracker(readings[0].detections, image).due(merge(readings), image),
            proposal(readings[0], frame),
        ),
        ENCODING: lambda: Pictures().keep(frame),
    }


def _picture(size: tuple[int, int]) -> Image:
    """Five dice in a picture of this size; a wider picture continues the scene at its sides."""
    height = size[1]
    width = height * 4 // 3
    shape = (width, height)
    image = cv2.resize(five_dice(1)[0].image, shape, interpolation=cv2.INTER_AREA)
    left = (size[0] - width) // 2
    right = size[0] - width - left
    wide = cv2.copyMakeBorder(image, 0, 0, left, right, cv2.BORDER_REPLICATE)
    return np.asarray(wide, np.uint8)


if __name__ == "__main__":
    sys.exit(0 if measure_budget() else 1)
