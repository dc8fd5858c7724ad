"""One harness for all benchmarks: fair times on a busy machine, and the page of figures.

Contestants take turns, and processor time counts: a repeat runs each once, one right after another,
so that all share a slow moment of the machine. Ratios are taken within a repeat, then their median.
"""

from __future__ import annotations

import importlib
import os
import platform
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median, quantiles
from typing import Final

PAGE: Final = Path(__file__).with_name("figures.md")
_PROCESSOR: Final = re.compile(r"^(?:model name|Model)\s*:\s*(.+)$", re.MULTILINE)
_BYTE_UNITS: Final = ("avx512_vnni", "avx_vnni", "asimddp")
_LIBRARIES: Final = ("onnxruntime", "opencv-python-headless", "numpy")
Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table: a figure, and what was promised of it, if anything."""

    what: str
    measured: str
    promised: str = ""
    kept: bool = True


Lines = Iterable[Line]


def at_most(what: str, most: float, measured: float, unit: str = "ms", digits: int = 1) -> Line:
    """A promise that a figure is at most this."""
    told = f"{measured:,.{digits}f} {unit}".strip()
    return Line(what, told, f"at most {most:,g} {unit}".strip(), measured <= most)


def at_least(what: str, least: float, measured: float, unit: str = "", digits: int = 1) -> Line:
    """A promise that a figure is at least this."""
    told = f"{measured:,.{digits}f} {unit}".strip()
    return Line(what, told, f"at least {least:,g} {unit}".strip(), measured >= least)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A section of the page: what is measured, and the function that measures, as `module:name`.

    Its module is loaded when it is run: some need a browser, PostgreSQL or what training takes.
    """

    about: str
    function: str

    def lines(self) -> list[Line]:
        module, _, name = self.function.partition(":")
        measure: Callable[[], Lines] = getattr(
            importlib.import_module(f"tests.benchmarks.{module}"), name
        )
        return list(measure())


def section(name: str, about: str, lines: Sequence[Line]) -> str:
    """A benchmark's part of the page; a promise that was not kept stands out."""
    rows = (
        f"| {each.what} | {each.promised} | {each.measured}{'' if each.kept else ' **no**'} |"
        for each in lines
    )
    table = "\n".join(["| what | promised | measured |", "|---|---|---|", *rows])
    return (
        f"## {name}\n\n{about}\n\n{table}\n\nMeasured on {machine()}; {versions()}; {moment()}.\n"
    )


def put(text: str, page: str) -> str:
    """The page with this section in the place of the one of the same heading, or at its end."""
    heading = text.partition("\n")[0]
    before, *parts = re.split(r"(?m)^(?=## )", page)
    kept = [part.rstrip("\n") + "\n" for part in parts]
    places = [part.partition("\n")[0] for part in kept]
    if heading in places:
        kept[places.index(heading)] = text
    else:
        kept.append(text)
    return "\n".join([before.rstrip("\n") + "\n", *kept])


def machine() -> str:
    """The processor, its cores, and whether it has instructions for dot products of bytes."""
    file = Path("/proc/cpuinfo")
    told = file.read_text(encoding="utf-8") if file.exists() else ""
    found = _PROCESSOR.search(told)
    name = found[1] if found else platform.processor() or "an unnamed processor"
    units = [unit for unit in _BYTE_UNITS if unit in told.split()]
    return f"{name} ({platform.machine()}, {os.cpu_count()} cores, {', '.join(units) or 'no VNNI'})"


def versions() -> str:
    """Python and the libraries that do the work."""
    libraries = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    return f"Python {platform.python_version()}, {libraries}"


def moment() -> str:
    """Today's date and the machine's load now."""
    loads = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    return f"{datetime.now(UTC):%Y-%m-%d}, load averages {loads}"


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some figures, and their 10th and 90th percentiles."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.low:.2f}–{self.high:.2f})"


@dataclass(frozen=True, slots=True)
class Times:
    """One contestant's milliseconds in each repeat: processor time and wall time."""

    cpu: tuple[float, ...]
    wall: tuple[float, ...]


def spread(figures: Sequence[float]) -> Spread:
    """The spread of one or more figures."""
    if not figures[1:]:
        return Spread(figures[0], figures[0], figures[0])
    tenths = quantiles(figures, n=10, method="inclusive")
    return Spread(median(figures), tenths[0], tenths[-1])


def p95(figures: Sequence[float]) -> float:
    """The 95th percentile of two or more figures."""
    return quantiles(figures, n=20, method="inclusive")[-1]


def ratios(slow: Times, fast: Times) -> Spread:
    """The ratio of processor times of the one to the other, repeat by repeat."""
    return spread([one / other for one, other in zip(slow.cpu, fast.cpu, strict=True)])


def take_turns(contestants: Mapping[str, Work], repeats: int) -> dict[str, Times]:
    """Run all contestants in turn this many times, after one untimed run."""
    for work in contestants.values():
        work()
    spans: dict[str, list[tuple[float, float]]] = {name: [] for name in contestants}
    for repeat in range(repeats):
        for name in _rotated(tuple(contestants), repeat):
            spans[name].append(clocked(contestants[name]))
    return {
        name: Times(tuple(cpu for cpu, _ in all_spans), tuple(wall for _, wall in all_spans))
        for name, all_spans in spans.items()
    }


def for_a_while(work: Work, seconds: float, fewest: int = 3) -> Times:
    """Run a piece of work for about that long, after one untimed run, and at least that often."""
    work()
    spans, end = [clocked(work)], time.perf_counter() + seconds
    while len(spans) < fewest or time.perf_counter() < end:
        spans.append(clocked(work))
    return Times(tuple(cpu for cpu, _ in spans), tuple(wall for _, wall in spans))


def clocked(work: Work) -> tuple[float, float]:
    """Run a piece of work; return its milliseconds of processor and of wall time."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return (time.process_time() - cpu) * 1000, (time.perf_counter() - wall) * 1000


def _rotated(names: tuple[str, ...], by: int) -> tuple[str, ...]:
    start = by % len(names)
    return names[start:] + names[:start]
