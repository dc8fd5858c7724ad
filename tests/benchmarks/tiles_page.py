"""The page about the cost of reading tiles: promises and measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Final

from tests.benchmarks.accuracy import Reads, kept_accuracy
from tests.benchmarks.machine import machine, versions
from tests.benchmarks.plots import Axes, Curve, draw
from tests.benchmarks.stages import Stages
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
from tests.benchmarks.tiles_picture import NARROWEST, PICTURE, WIDEST
from tests.benchmarks.tiles_stages import STAGES
from tests.benchmarks.timing import Times, ratios, spread

OURS: Final = "Tablescore's tile reader"
YOLO: Final = "YOLOv8n's shape, 1280 px"
YOLO_IN_BYTES: Final = "the same, quantised to bytes"
PREPARING: Final = "of which preparing the picture"
TILES: Final = 60
SOME_TILES: Final = 28
COUNTS: Final = (1, 10, SOME_TILES, TILES, 106)

MOST_MILLISECONDS: Final = 100.0
MOST_OF_SOME: Final = 60.0
LEAST_RATIO: Final = 5.0
MOST_MODEL_MEGABYTES: Final = 3.0

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = DOCS / "reference" / "benchmark-tiles.md"
PLOT: Final = DOCS / "images" / "cost-by-tiles.svg"

TEMPLATE: Final = """\
# Benchmark: reading tiles

The cost of reading the Rummikub tiles on a photo: our reader compared with an untrained network
of YOLOv8n's shape. Both take turns in the same process, on one thread; onnxruntime has the same
settings for both. A photo is a decoded picture of {width}x{height} with {tiles} drawn tiles that
are {narrowest:.0f} to {widest:.0f} pixels wide, in sets on a wooden table, some of them upside
down. Preparing it counts, decoding it does not. Times are medians, with the 10th and 90th
percentiles of the repeats.

## Promises

| promise | at most / at least | measured | kept |
|---|---|---|---|
{bars}

CPU time counts: on a quiet machine it equals the wall time; on a busy machine the wall time
includes other jobs.

## Side by side

| reader | CPU ms | 95 of 100 below, CPU ms | wall ms | times our CPU time |
|---|---|---|---|---|
{contest}

YOLOv8n's shape takes {gigaflops:.1f} GFLOPs on a square of 1280 pixels, counted over its
convolutions. Its weights are random and for 80 classes, so it reads nothing. The work that a
trained network does on its boxes afterwards is left out, in its favour. A quarter of the square
is padding, which an export for 1280x960 only would save. It computes in 32-bit floats, as
published; {precision}.

Our reader read {right} of the {laid} drawn tiles right. They belong to an edition that nobody
sells, and serve only to measure time; for real tiles see [the model's
evaluation](../../models/tiles/evaluation.md).

## Our reader by stage

| stage | CPU ms | share | given to the network |
|---|---|---|---|
{stages}

Upside-down tiles are read twice, and doubtful ones again: after a second look of the finder, as
their neighbours stand, and in crops of three more widths.

| model | MB |
|---|---|
{models}

## Accuracy and cost

{accuracy}

## By the number of tiles

From one tile to the whole box on a photo of {width}x{height}.

![CPU time a photo against the number of tiles, for both](../images/{plot})

{counts}

## Measured on

- {machine}
- {versions}
- begun {before}
- ended {after}

`make benchmark` measures again and rewrites this page; so does `python -m tests.benchmarks.tiles`.
"""

ACCURACY: Final = """\
The dev photographs of the source that trained the reader: other scenes of the same tile set.

| source | photos | tiles found | tiles right | photos exact | median CPU ms |
|---|---|---|---|---|---|
{rows}"""
OURS_IN_BYTES: Final = (
    "our networks compute in bytes, which is part of what makes them fast, so the table\n"
    "also shows it quantised the same way"
)
OURS_IN_FLOATS: Final = "so do ours"
NO_PHOTOGRAPHS: Final = (
    "Measured by an earlier run: the photographs (`../shared/data/tiles`, next to the\n"
    "repository) were missing in this one."
)


@dataclass(frozen=True, slots=True)
class TileFigures:
    """All measurements of one run; times in milliseconds, model sizes in megabytes.

    `right` of the `laid` tiles on the contest's pictures were read right.
    """

    times: Mapping[str, Times]
    stages: Sequence[Stages]
    right: int
    laid: int
    by_tiles: Sequence[Curve]
    reads: Sequence[Reads]
    models: Mapping[str, float]
    in_bytes: bool
    operations: int
    moments: tuple[str, str]

    @property
    def bars(self) -> tuple[Bar, ...]:
        """The promises in the order of the page."""
        cost, ratio = spread(self.times[OURS].cpu), ratios(self.times[YOLO], self.times[OURS])
        size = sum(self.models.values())
        return (
            at_most(
                f"a photo of {TILES} tiles on one thread, median CPU time, ms",
                MOST_MILLISECONDS,
                cost.median,
            ),
            at_most(
                f"a photo of {SOME_TILES} tiles on one thread, median CPU time, ms",
                MOST_OF_SOME,
                self._median_of_some,
            ),
            at_least("times as fast as YOLOv8n's shape at 1280 px (CPU time)", LEAST_RATIO, ratio),
            at_most("all tile models, MB", MOST_MODEL_MEGABYTES, size, digits=2),
        )

    @property
    def _median_of_some(self) -> float:
        (ours,) = (each for each in self.by_tiles if each.name == OURS)
        return ours.costs[ours.across.index(SOME_TILES)].median

    @property
    def kept(self) -> bool:
        """Whether every promise was kept."""
        return all(bar.kept for bar in self.bars)

    def page(self) -> str:
        """The page as Markdown."""
        return TEMPLATE.format(
            width=PICTURE[0],
            height=PICTURE[1],
            tiles=TILES,
            narrowest=NARROWEST,
            widest=WIDEST,
            bars=bar_rows(self.bars),
            contest=_contest(self.times),
            gigaflops=self.operations / 1e9,
            precision=OURS_IN_BYTES if self.in_bytes else OURS_IN_FLOATS,
            right=self.right,
            laid=self.laid,
            stages=stage_rows(STAGES, self.stages),
            models=rows([(name, f"{size:.2f}") for name, size in self.models.items()]),
            accuracy=_accuracy(self.reads),
            plot=PLOT.name,
            counts=curve_table("tiles", self.by_tiles),
            machine=machine(),
            versions=versions(),
            before=self.moments[0],
            after=self.moments[1],
        )


def write_page(figures: TileFigures) -> str:
    """Write the page and return its text."""
    text = figures.page()
    PAGE.write_text(text, encoding="utf-8")
    return text


def draw_plot(figures: TileFigures) -> None:
    """Draw the plot that the page shows."""
    title = f"Cost of a photo of {PICTURE[0]}x{PICTURE[1]}"
    draw(figures.by_tiles, Axes(title, "tiles on the photo", tuple(map(float, COUNTS))), PLOT)


def p95(figures: Sequence[float]) -> float:
    """The 95th percentile of two or more figures."""
    return quantiles(figures, n=20, method="inclusive")[-1]


def _contest(times: Mapping[str, Times]) -> str:
    names = (OURS, YOLO, PREPARING, YOLO_IN_BYTES)
    return rows([_contest_row(name, times[name], times[OURS]) for name in names])


def _contest_row(name: str, times: Times, ours: Times) -> tuple[str, ...]:
    ratio = told(ratios(times, ours), 2)
    return (name, told(spread(times.cpu)), f"{p95(times.cpu):.1f}", told(spread(times.wall)), ratio)


def _accuracy(reads: Sequence[Reads]) -> str:
    if not reads:
        return kept_accuracy(PAGE, NO_PHOTOGRAPHS)
    return ACCURACY.format(rows=rows([_read_row(each) for each in reads]))


def _read_row(read: Reads) -> tuple[str, ...]:
    score = read.score
    shares = (score.found, score.right, score.exact)
    told_shares = (f"{share:.1%}" for share in shares)
    return (read.source, str(score.photos), *told_shares, f"{read.milliseconds:.0f}")
