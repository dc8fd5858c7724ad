"""Promises, stages and curves as the rows of a page's tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from tests.benchmarks.stages import Stages
from tests.benchmarks.timing import Spread, spread

if TYPE_CHECKING:  # matplotlib is there for tests alone
    from tests.benchmarks.plots import Curve


@dataclass(frozen=True, slots=True)
class Bar:
    """One promise: its subject, its limit, the measurement, and whether it was kept."""

    what: str
    promised: str
    measured: str
    kept: bool


def at_most(what: str, most: float, measured: float, *, digits: int = 1) -> Bar:
    """A promise that a figure is at most this."""
    return Bar(what, f"{most:g}", f"{measured:.{digits}f}", measured <= most)


def at_least(what: str, least: float, measured: Spread) -> Bar:
    """A promise that a median is at least this."""
    return Bar(what, f"{least:g}", told(measured, 2), measured.median >= least)


def told(figures: Spread, digits: int = 1) -> str:
    """A median with its 10th and 90th percentiles."""
    low, high = f"{figures.low:.{digits}f}", f"{figures.high:.{digits}f}"
    return f"{figures.median:.{digits}f} ({low}–{high})"


def rows(cells: Sequence[Sequence[str]]) -> str:
    """The rows of a Markdown table."""
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def bar_rows(bars: Sequence[Bar]) -> str:
    """A row for every promise; a broken one stands out."""
    verdicts = ("**no**", "yes")
    return rows([(bar.what, bar.promised, bar.measured, verdicts[bar.kept]) for bar in bars])


def stage_rows(names: Sequence[str], all_stages: Sequence[Stages]) -> str:
    """A row for every stage: its time, its share, and its network's input."""
    whole = median(sum(each.milliseconds.values()) for each in all_stages)
    return rows([_stage_row(stage, all_stages, whole) for stage in names])


def _stage_row(stage: str, all_stages: Sequence[Stages], whole: float) -> tuple[str, ...]:
    spent = spread([each.milliseconds[stage] for each in all_stages])
    runs = [shape for each in all_stages for shape in each.inputs.get(stage, ())]
    given = ", ".join(sorted({_shape(shape) for shape in runs}))
    return (stage, told(spent, 2), f"{spent.median / whole:.0%}", given or "–")


def _shape(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape))


def curve_table(across: str, curves: Sequence[Curve]) -> str:
    """A table of each contestant's time at each point."""
    head = [(across, *(f"{curve.name}, CPU ms" for curve in curves)), ("---",) * (1 + len(curves))]
    return rows([*head, *(_point_row(curves, at) for at in range(len(curves[0].across)))])


def _point_row(curves: Sequence[Curve], at: int) -> tuple[str, ...]:
    return (f"{curves[0].across[at]:.3g}", *(told(curve.costs[at]) for curve in curves))
