"""How long a draw takes, at tables of four and by the Swiss system, and its repeated meetings."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

import click

from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.pairing.swiss import SwissConstraints, draw_swiss
from scoreboard.tournament.model.seating.constraints import Constraints
from scoreboard.tournament.model.seating.seat_order import table_sizes
from scoreboard.tournament.model.seating.table_draw import draw_tables
from tests.benchmarks.machine import machine, moment, versions
from tests.benchmarks.timing import clocked

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "benchmark-seating.md"
AT_FOURS: Final = (40, 100, 400, 998, 1000)
AT_TWOS: Final = (200, 500, 999, 1000)
ROUNDS: Final = 8
EVENTS: Final = 3
PROMISED: Final = 1000
MOST_AT_FOURS: Final = 50.0
MOST_AT_TWOS: Final = 2000.0
DRAWN_GAMES: Final = 0.1
TEMPLATE: Final = """\
# Benchmark: seating and pairing

{events} tournaments of {rounds} rounds each; every draw takes all earlier rounds into account. At
tables of four nobody leaves, and the players belong to twenty clubs; 998 players have two tables
of three a round. In the Swiss system one game in ten is drawn and the others are decided at
random; 999 players have a bye a round. Times are processor milliseconds per round.

The promises: {promised:,} at fours in at most {fours:.0f} ms a round and no repeated meeting over
{rounds} rounds; a Swiss round of {promised:,} in at most {twos:,.0f} ms. {verdict}

| players | draw | median | longest | repeated meetings |
|---|---|---|---|---|
{rows}

Every Swiss round is a matching of least total cost, proven for that round by a bound in whole
numbers; tests compare the cost with networkx's matching for up to 200 players. For all pairs of
1,000 players rustworkx's matching took 17 s here; for the pairs that the bound leaves, a tenth of a
second.

Measured on {machine}; {versions}, rustworkx {rustworkx}, highspy {highspy}; {moment}.

`make benchmark` measures again and rewrites this page.
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """The tournaments of one size: milliseconds per round, and repeated meetings."""

    players: int
    kind: str
    milliseconds: tuple[float, ...]
    repeats: int

    @property
    def row(self) -> str:
        """The line of the page."""
        middle, longest = median(self.milliseconds), max(self.milliseconds)
        return f"| {self.players:,} | {self.kind} | {middle:.0f} | {longest:.0f} | {self.repeats} |"


Event = Callable[[int, int], tuple[list[Draw], list[float]]]


def measure_seating() -> bool:
    """Measure, write the page, and return whether the promises are kept."""
    fours = [_measured(players, "at fours", _event_at_fours) for players in AT_FOURS]
    twos = [_measured(players, "Swiss", _swiss_event) for players in AT_TWOS]
    longest = [max(each[-1].milliseconds) for each in (fours, twos)]
    kept = longest[0] <= MOST_AT_FOURS and longest[1] <= MOST_AT_TWOS
    kept = kept and not any(each.repeats for each in (*fours, *twos))
    said = f"The longest took {longest[0]:.0f} ms and {longest[1]:,.0f} ms"
    PAGE.write_text(
        TEMPLATE.format(
            events=EVENTS,
            rounds=ROUNDS,
            promised=PROMISED,
            fours=MOST_AT_FOURS,
            twos=MOST_AT_TWOS,
            verdict=f"{said}: {'kept' if kept else 'not kept'}.",
            rows="\n".join(each.row for each in (*fours, *twos)),
            machine=machine(),
            versions=versions(),
            rustworkx=version("rustworkx"),
            highspy=version("highspy"),
            moment=moment(),
        ),
        encoding="utf-8",
    )
    click.echo(f"{PAGE.name}: {said.lower()}")
    return kept


def _measured(players: int, kind: str, event: Event) -> Measured:
    events = [event(players, seed) for seed in range(EVENTS)]
    return Measured(
        players,
        kind,
        tuple(took for _, times in events for took in times),
        sum(_repeats(draws) for draws, _ in events),
    )


def _repeats(draws: list[Draw]) -> int:
    met = Counter(pair for draw in draws for pair in draw.meetings())
    return sum(times - 1 for times in met.values())


def _event_at_fours(players: int, seed: int) -> tuple[list[Draw], list[float]]:
    draws: list[Draw] = []
    times = []
    for number in range(ROUNDS):
        wish = Constraints(
            entrants=tuple(range(1, players + 1)),
            sizes=table_sizes(players, 4, 3),
            past=tuple(draws),
            clubs={each: f"Club {each % 20}" for each in range(1, players + 1)},
            seed=100 * seed + number,
            rounds_planned=ROUNDS,
        )
        times.append(clocked(lambda: draws.append(draw_tables(wish)))[0])  # noqa: B023
    return draws, times


def _swiss_event(players: int, seed: int) -> tuple[list[Draw], list[float]]:
    draws: list[Draw] = []
    times = []
    chance = Random(seed)
    scores: dict[int, int | Fraction] = dict.fromkeys(range(1, players + 1), 0)
    floated: Counter[int] = Counter()
    for number in range(ROUNDS):
        wish = SwissConstraints(
            entrants=tuple(sorted(scores, key=lambda each: (-scores[each], each))),
            scores=scores,
            past=tuple(draws),
            floated=floated,
            seed=100 * seed + number,
        )
        times.append(clocked(lambda: draws.append(draw_swiss(wish)))[0])  # noqa: B023
        _play(draws[-1], scores, floated, chance)
    return draws, times


def _play(
    draw: Draw, scores: dict[int, int | Fraction], floated: Counter[int], chance: Random
) -> None:
    for table in draw.tables:
        one, other = table.seats
        if scores[one] != scores[other]:
            floated.update(table.seats)
        drawn = chance.random() < DRAWN_GAMES
        result = Fraction(1, 2) if drawn else chance.choice((Fraction(0), Fraction(1)))
        scores[one] += result
        scores[other] += 1 - result
    for each in draw.byes:
        scores[each] += 1


if __name__ == "__main__":
    sys.exit(0 if measure_seating() else 1)
