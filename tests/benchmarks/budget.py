"""The cost of watching the table, stage by stage, here and computed for a Raspberry Pi.

`python -m tests.benchmarks.budget` measures only this and writes docs/reference/budget.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import cv2

from tests.benchmarks.machine import machine, moment, versions
from tests.benchmarks.timing import spread, take_turns
from tests.benchmarks.watching import (
    CAMERA_FRAMES_A_SECOND,
    FRAMES_A_SECOND,
    GREY,
    MOVING,
    READINGS,
    STILL,
    WatchingCost,
    five_dice_picture,
    stages_of,
)
from tests.benchmarks.yolo_shape import build, load_yolo_shape
from vision.capture.frame import Image

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "budget.md"
SIZES: Final = ((640, 480), (1280, 960), (1920, 1080))
REPEATS: Final = 40
SECOND: Final = 1000  # milliseconds
MOST_STILLNESS_MILLISECONDS: Final = 2.0
# The yardstick's operations, and the peak of one Pi core: an A76 multiplies and
# adds 2 x 4 floats a cycle at 2.4 GHz, an A72 1 x 4 at 1.8 GHz. A network reaches 40 to 70 % of it.
YOLO_GIGAFLOPS: Final = 8.7
PEAK_GIGAFLOPS: Final = {"Pi 5": 38.4, "Pi 4": 14.4}
REACHED: Final = (0.7, 0.4)

YOLO: Final = "yardstick: an untrained network of YOLOv8n's shape, 640 px"

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
measure instead, run `make measure` on a Pi and send us what it prints.

The small grey frame and stillness must take less than 2 ms. At 1280x960 they take
{stillness:.2f} ms while nothing moves and {moving:.2f} ms while something does, {verdict}.

{tables}

## A table at rest

Five frames a second are looked at while nothing moves: made small, a calibrated tray straightened
on the way, and compared. Only a table that has just come to rest is read: {readings} times per
roll, more often if a reading is in doubt, at most once per frame. A frame that is read takes
longest, and has 200 ms.

If every frame of a camera of {camera} a second were rectified whole and looked at, a second at rest
would cost {before:.0f} ms here at 1280x960; it costs {rest:.1f}, {ratio:.0f} times less, both from
the table above.

| picture | computer | a second at rest | of one core | a frame that is read | fits into 200 ms |
|---|---|---|---|---|---|
{paces}
"""


@dataclass(frozen=True, slots=True)
class Budget(WatchingCost):
    """The cost of the stages at one picture size, in processor milliseconds."""

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
        camera=CAMERA_FRAMES_A_SECOND,
        before=budgets[1].second_of_every_frame,
        rest=budgets[1].second_at_rest,
        ratio=budgets[1].second_of_every_frame / budgets[1].second_at_rest,
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
    size = f"{budget.size[0]}x{budget.size[1]}"
    here = (
        f"| {size} | this machine | {budget.second_at_rest:.1f} ms "
        f"| {budget.second_at_rest / SECOND:.1%} "
        f"| {budget.read_frame:.1f} ms | {_fits(budget.read_frame, budget.read_frame)} |"
    )
    return [
        here,
        *(
            f"| {size} | {name}, computed | {_range(budget.second_at_rest, times)} ms "
            f"| {_range(100 * budget.second_at_rest / SECOND, times)} % "
            f"| {_range(budget.read_frame, times)} ms "
            f"| {_fits(*(budget.read_frame * factor for factor in times))} |"
            for name, times in slower.items()
        ),
    ]


def _fits(low: float, high: float) -> str:
    """Whether reading and everything else fits before the next frame."""
    most = SECOND / FRAMES_A_SECOND
    return "yes" if high < most else "no" if low >= most else "perhaps"


def _measured(size: tuple[int, int], yolo: Callable[[Image], object]) -> Budget:
    image = five_dice_picture(size)
    times = take_turns({**stages_of(image), YOLO: lambda: yolo(image)}, REPEATS)
    return Budget(size, {name: spread(took.cpu) for name, took in times.items()})


if __name__ == "__main__":
    sys.exit(0 if measure_budget() else 1)
