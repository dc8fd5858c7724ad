"""The page about the cost of reading: promises and measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.benchmarks.accuracy import Reads, kept_accuracy
from tests.benchmarks.composing import CROWDED_SIDES
from tests.benchmarks.contest import (
    BLOBS,
    COUNTED,
    COUNTS,
    OURS,
    PREPARING,
    SIZES,
    YOLO,
    YOLO_IN_BYTES,
)
from tests.benchmarks.machine import machine, versions
from tests.benchmarks.plots import Axes, Curve, draw
from tests.benchmarks.stages import STAGES, Stages
from tests.benchmarks.tables import (
    Bar,
    at_least,
    at_most,
    bar_rows,
    curve_table,
    rows,
    stage_rows,
    told,
)
from tests.benchmarks.timing import Times, ratios, spread
from tests.benchmarks.yolo_shape import PUBLISHED_GIGAFLOPS, PUBLISHED_PARAMETERS

MOST_MILLISECONDS: Final = 30.0
LEAST_RATIO: Final = 8.0
MOST_MEGABYTES: Final = 300.0
MOST_MEGABYTES_LARGE: Final = 600.0
MOST_MODEL_MEGABYTES: Final = 2.0

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = DOCS / "reference" / "benchmark-reading.md"
MEGAPIXELS_PLOT: Final = DOCS / "images" / "cost-by-megapixels.svg"
DICE_PLOT: Final = DOCS / "images" / "cost-by-dice.svg"

TEMPLATE: Final = """\
# Benchmark: reading a photo

The cost of reading the dice on a photo: our reader, an untrained network of YOLOv8n's shape,
and the blob detector with clustering that hobbyists' projects use. All three take turns in the same
process, on one thread; onnxruntime has the same settings for both networks. A photo
is a decoded picture of 1280x960 with five dice of 60 to 200 pixels, composed from the demo
evening's pictures. Preparing it counts, decoding it does not. Times are medians, with the 10th and
90th percentiles of the repeats.

## Promises

| promise | at most / at least | measured | kept |
|---|---|---|---|
{bars}

CPU time counts: on a quiet machine it equals the wall time; on a busy machine the wall time
includes other jobs.

## Side by side

| reader | CPU ms | wall ms | times our CPU time | photos read exactly |
|---|---|---|---|---|
{contest}

YOLOv8n's shape has {parameters:.3f} million weights (published: {published_parameters:.1f})
and takes {gigaflops:.2f} GFLOPs at 640 pixels, counted over its convolutions (published:
{published_gigaflops}). Its weights are random and for 80 classes, so it reads nothing.
The work that a trained network does on its boxes afterwards is left out, in its favour.
It computes in 32-bit floats, as published; {precision}.
Counted the same way a reading of ours takes {plain:.2f} GFLOPs, and {counted:.2f} with the number
of dice. The ratio of the times moves with the processor: one without instructions for bytes (VNNI)
gains less from them; see below which this one has. All is read as pictures of a watched table are:
in a photo by itself dice that touch are looked at from nearer, too, which takes two looks more.

## Our reader by stage

| stage | CPU ms | share | given to the network |
|---|---|---|---|
{stages}

## Accuracy and cost

{accuracy}

## By megapixels

The same scene of five dice at camera sizes from 0.3 to 50 megapixels.

![CPU time a photo against megapixels, for the three readers](../images/{megapixels_plot})

{megapixels}

## By the number of dice

1 to 40 dice of {least_crowded:.0f} to {most_crowded:.0f} pixels on a photo of 1280x960.

![CPU time a photo against the number of dice, for the three readers](../images/{dice_plot})

{dice}

## Measured on

- {machine}
- {versions}
- begun {before}
- ended {after}

`make benchmark` measures again and rewrites this page.
"""

ACCURACY: Final = """\
The dev photographs of the sources whose cameras the reader was trained on. The blob detector's
settings are the best of those tried on the train photographs of the same sources.

| source | reader | dice right | false dice a photo | photos exact | median CPU ms |
|---|---|---|---|---|---|
{rows}"""
OURS_IN_BYTES: Final = (
    "our networks compute in bytes,\nwhich is part of what makes them fast, so the table "
    "also shows it quantised the same way"
)
OURS_IN_FLOATS: Final = "so do ours"
NO_PHOTOGRAPHS: Final = (
    "Measured by an earlier run: the photographs (`../shared/data/dice`, next to the\n"
    "repository) were missing in this one."
)


@dataclass(frozen=True, slots=True)
class Figures:
    """All measurements of one run; times in milliseconds, memory and sizes in megabytes."""

    times: Mapping[str, Times]
    stages: Sequence[Stages]
    photos: int
    exact: Mapping[str, int]
    by_megapixels: Sequence[Curve]
    by_dice: Sequence[Curve]
    reads: Sequence[Reads]
    peak: float
    peak_large: float
    models: float
    in_bytes: bool
    parameters: int
    operations: int
    multiply_adds: tuple[float, float]
    moments: tuple[str, str]

    @property
    def bars(self) -> tuple[Bar, ...]:
        """The promises in the order of the page."""
        cost, ratio = spread(self.times[OURS].cpu), ratios(self.times[YOLO], self.times[COUNTED])
        return (
            at_most("a photo on one thread, median CPU time, ms", MOST_MILLISECONDS, cost.median),
            at_least(
                "told five dice: times as fast as YOLOv8n's shape (CPU time)", LEAST_RATIO, ratio
            ),
            at_most("peak memory of `tablescore read`, MB", MOST_MEGABYTES, self.peak),
            at_most("the same for 50 megapixels, MB", MOST_MEGABYTES_LARGE, self.peak_large),
            at_most("all dice models, MB", MOST_MODEL_MEGABYTES, self.models, digits=2),
        )

    @property
    def kept(self) -> bool:
        """Whether every promise was kept."""
        return all(bar.kept for bar in self.bars)

    def page(self) -> str:
        """The page as Markdown."""
        return TEMPLATE.format(
            bars=bar_rows(self.bars),
            contest=_contest(self),
            parameters=self.parameters / 1e6,
            published_parameters=PUBLISHED_PARAMETERS / 1e6,
            gigaflops=self.operations / 1e9,
            plain=2 * self.multiply_adds[0] / 1e9,
            counted=2 * self.multiply_adds[1] / 1e9,
            published_gigaflops=PUBLISHED_GIGAFLOPS,
            precision=OURS_IN_BYTES if self.in_bytes else OURS_IN_FLOATS,
            stages=stage_rows(STAGES, self.stages),
            accuracy=_accuracy(self.reads),
            megapixels_plot=MEGAPIXELS_PLOT.name,
            megapixels=curve_table("megapixels", self.by_megapixels),
            dice_plot=DICE_PLOT.name,
            dice=curve_table("dice", self.by_dice),
            least_crowded=CROWDED_SIDES[0],
            most_crowded=CROWDED_SIDES[1],
            machine=machine(),
            versions=versions(),
            before=self.moments[0],
            after=self.moments[1],
        )


def write_page(figures: Figures) -> str:
    """Write the page and return its text."""
    text = figures.page()
    PAGE.write_text(text, encoding="utf-8")
    return text


def draw_plots(figures: Figures) -> None:
    """Draw both plots that the page shows."""
    sizes = tuple(round(width * height / 1e6, 1) for width, height in SIZES)
    megapixels = Axes("Cost of one scene of five dice", "megapixels", sizes, logarithmic=True)
    draw(figures.by_megapixels, megapixels, MEGAPIXELS_PLOT)
    dice = Axes("Cost of a photo of 1280x960", "dice on the photo", tuple(map(float, COUNTS)))
    draw(figures.by_dice, dice, DICE_PLOT)


def _contest(figures: Figures) -> str:
    return rows(
        [
            _contest_row(figures, name)
            for name in (OURS, COUNTED, YOLO, PREPARING, YOLO_IN_BYTES, BLOBS)
        ]
    )


def _contest_row(figures: Figures, name: str) -> tuple[str, ...]:
    times = figures.times[name]
    exact = figures.exact.get(name)
    read = "–" if exact is None else f"{exact} of {figures.photos}"
    ratio = told(ratios(times, figures.times[OURS]), 2)
    return (name, told(spread(times.cpu)), told(spread(times.wall)), ratio, read)


def _accuracy(reads: Sequence[Reads]) -> str:
    if not reads:
        return kept_accuracy(PAGE, NO_PHOTOGRAPHS)
    return ACCURACY.format(rows=rows([_read_row(each) for each in reads]))


def _read_row(read: Reads) -> tuple[str, ...]:
    score = read.score
    return (
        read.source,
        read.reader,
        f"{score.right:.1%}",
        f"{score.false_per_photo:.2f}",
        f"{score.exact:.1%}",
        f"{read.milliseconds:.0f}",
    )
