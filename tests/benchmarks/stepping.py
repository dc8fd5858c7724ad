"""How long a step takes early and late in a long game, from the request to the view."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click

from scoreboard.table.requests import Chosen, GameOpened
from scoreboard.table.session import TableSession
from tests.benchmarks.machine import machine, moment, versions
from tests.benchmarks.timing import Times, ratios, spread, take_turns
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.table.fakes import FakeClock

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "benchmark-steps.md"
EARLY: Final = 2
LATE: Final = 2000
MOST_TIMES: Final = 1.5
REPEATS: Final = 40
TEMPLATE: Final = """\
# Benchmark: a step of a long game

One tap by a player, from the request to the new view: the rulebook decides, the store (in memory)
keeps the event, the state changes, offers and sheet are computed. The game is Rummikub; the tap
corrects a rack's count, so each tap adds only one event to the game. Two tables
take turns, {repeats} times each: one begins at step {early:,}, one at step {late:,}.

The promise: the late step takes at most {most} times as long as the early one. {verdict}

| step | median, ms of the processor | a tenth below | a tenth above |
|---|---|---|---|
| {early:,} | {first.median:.2f} | {first.low:.2f} | {first.high:.2f} |
| {late:,} | {last.median:.2f} | {last.low:.2f} | {last.high:.2f} |

Late over early, within each repeat: {ratio.median:.2f} ({ratio.low:.2f} to {ratio.high:.2f}).

Measured on {machine}; {versions}; {moment}.

`make benchmark` measures again and rewrites this page.
"""


class LongGame:
    """A game with this many steps; each call of `step` adds one."""

    def __init__(self, steps: int) -> None:
        self._session = TableSession(MemoryStore(), FakeClock(), (), lambda: "long")
        self._session.receive(GameOpened("rummikub", ("Ann", "Ben"), {"clock": "off"}))
        self._number = 0
        self._choose("begin:0")
        while self._session.view.sequence < steps - 1:
            self.step()

    def step(self) -> None:
        """Correct the count of a rack."""
        self._number += 1
        self._choose("count:0", str(self._number % 2 + 7))

    def _choose(self, offer: str, filling: str | None = None) -> None:
        answer = self._session.receive(Chosen(offer, self._session.view.version, filling))
        assert answer.verdict == "done", answer


def taken(repeats: int = REPEATS) -> dict[int, Times]:
    """The times of early and late steps, taken in turns."""
    games = {str(steps): LongGame(steps).step for steps in (EARLY, LATE)}
    return {int(steps): times for steps, times in take_turns(games, repeats).items()}


def measure_steps() -> bool:
    """Measure, write the page, and return whether the promise is kept."""
    times = taken()
    ratio = ratios(times[LATE], times[EARLY])
    kept = ratio.median <= MOST_TIMES
    verdict = f"It takes {ratio.median:.2f} times as long: {'kept' if kept else 'not kept'}."
    PAGE.write_text(
        TEMPLATE.format(
            repeats=REPEATS,
            early=EARLY,
            late=LATE,
            most=MOST_TIMES,
            verdict=verdict,
            first=spread(times[EARLY].cpu),
            last=spread(times[LATE].cpu),
            ratio=ratio,
            machine=machine(),
            versions=versions(),
            moment=moment(),
        ),
        encoding="utf-8",
    )
    click.echo(f"{PAGE.name}: a step at {LATE} takes {ratio.median:.2f} times one at {EARLY}")
    return kept


if __name__ == "__main__":
    sys.exit(0 if measure_steps() else 1)
