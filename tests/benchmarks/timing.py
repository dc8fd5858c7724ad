"""Fair times on a busy machine: contestants take turns, and CPU time counts.

A repeat runs every contestant once, one right after another, so that all share a slow moment of
the machine. Ratios are taken within a repeat, and then their median.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some figures, and their 10th and 90th percentiles."""

    median: float
    low: float
    high: float


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


def together(many: Sequence[Mapping[str, Times]]) -> dict[str, Times]:
    """Join the same contestants' times on several pictures."""
    return {
        name: Times(
            tuple(cpu for times in many for cpu in times[name].cpu),
            tuple(wall for times in many for wall in times[name].wall),
        )
        for name in many[0]
    }


def clocked(work: Work) -> tuple[float, float]:
    """Run a piece of work; return its milliseconds of processor and of wall time."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return (time.process_time() - cpu) * 1000, (time.perf_counter() - wall) * 1000


def _rotated(names: tuple[str, ...], by: int) -> tuple[str, ...]:
    start = by % len(names)
    return names[start:] + names[:start]
