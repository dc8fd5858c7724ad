"""Curves of cost, as pictures for the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from matplotlib import rc_context
from matplotlib.figure import Figure

from tests.benchmarks.timing import Spread

COLOURS: Final = ("#1b6e3c", "#b5482a", "#3b5ba9")
MARKS: Final = ("o", "s", "^")
_INCHES: Final = (7.2, 4.2)
_SALT: Final = "tablescore"


@dataclass(frozen=True, slots=True)
class Curve:
    """One contestant's cost: the measured points and their milliseconds."""

    name: str
    across: tuple[float, ...]
    costs: tuple[Spread, ...]


@dataclass(frozen=True, slots=True)
class Axes:
    """The picture's title and its x axis; both scales may be logarithmic."""

    title: str
    across: str
    ticks: tuple[float, ...]
    logarithmic: bool = False


def draw(curves: Sequence[Curve], axes: Axes, file: Path) -> None:
    """Write the curves as an SVG file, the same bytes for the same figures."""
    figure = Figure(figsize=_INCHES, layout="constrained")
    plane: Any = figure.add_subplot()
    for curve, colour, mark in zip(curves, COLOURS, MARKS, strict=False):
        _draw_curve(plane, curve, colour, mark)
    _label(plane, axes)
    file.parent.mkdir(parents=True, exist_ok=True)
    with rc_context({"svg.hashsalt": _SALT}):
        figure.savefig(file, format="svg", metadata={"Date": None})


def _draw_curve(plane: Any, curve: Curve, colour: str, mark: str) -> None:
    medians = [cost.median for cost in curve.costs]
    plane.plot(curve.across, medians, color=colour, marker=mark, label=curve.name)
    low, high = ([getattr(cost, edge) for cost in curve.costs] for edge in ("low", "high"))
    plane.fill_between(curve.across, low, high, color=colour, alpha=0.15, linewidth=0)


def _label(plane: Any, axes: Axes) -> None:
    plane.set_title(axes.title)
    plane.set_xlabel(axes.across)
    plane.set_ylabel("CPU milliseconds a photo")
    if axes.logarithmic:
        plane.set_xscale("log")
        plane.set_yscale("log")
        plane.yaxis.set_major_formatter("{x:g}")
    else:
        plane.set_ylim(bottom=0)
    plane.set_xticks(axes.ticks, [f"{tick:g}" for tick in axes.ticks])
    plane.minorticks_off()
    plane.grid(color="#dddddd")
    plane.legend(frameon=False)
