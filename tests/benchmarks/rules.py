"""What rulebooks, advice and tournaments take: times of pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from random import Random
from statistics import median
from typing import Any, Final

import numpy as np

from scoreboard.games import DICE_GAMES
from scoreboard.games.advice.best_turns import best_turn
from scoreboard.games.advice.chances import DiceFutures, win_chances
from scoreboard.games.advice.dice_advice import options
from scoreboard.games.advice.dice_values import DiceValues, load, model_of, solve
from scoreboard.games.dice.state import Card
from scoreboard.games.rummikub.partition import partition
from scoreboard.games.rummikub.referee import TableSets, judge
from scoreboard.games.rummikub.sets import Laid
from scoreboard.games.rummikub.tiles import CLASSIC, COLOURS, NUMBERS, Tiles
from scoreboard.table.requests import Chosen, GameOpened
from scoreboard.table.session import TableSession
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Entered
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.pairing.swiss import SwissConstraints, draw_swiss
from scoreboard.tournament.model.results import ResultReported
from scoreboard.tournament.model.rounds import RoundClosed, RoundDrawn, RoundStarted
from scoreboard.tournament.model.scores import GameScores, Score
from scoreboard.tournament.model.scoring import awarded
from scoreboard.tournament.model.seating.constraints import Constraints, table_sizes
from scoreboard.tournament.model.seating.table_draw import draw_tables
from scoreboard.tournament.model.standings import standings_of
from scoreboard.tournament.model.tournament import Event, Tournament, evolve, opened
from tests.benchmarks.harness import Line, at_most, clocked, p95, ratios, spread, take_turns
from tests.scoreboard.games.advice.best_turns import filled
from tests.scoreboard.games.dice.playing import random_roll
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.table.fakes import FakeClock

ROUNDS: Final = 8
EARLY: Final = 2
LATE: Final = 2000


class LongGame:
    """A game of Rummikub with this many steps; each call of `step` adds one."""

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


def steps() -> Iterator[Line]:
    """A late step takes little longer than an early one."""
    games = {str(number): LongGame(number).step for number in (EARLY, LATE)}
    times = take_turns(games, repeats=40)
    for number, took in times.items():
        yield Line(f"step {number}, CPU ms", str(spread(took.cpu)))
    ratio = ratios(times[str(LATE)], times[str(EARLY)])
    yield at_most("late over early, within each repeat", 1.5, ratio.median, "", 2)


SHIPPED: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("yahtzee", {}),
    ("yahtzee-bga", {"full_house": "30"}),
    ("chaser", {"strict_full_house": "no"}),
    ("chaser", {"strict_full_house": "yes"}),
)


def advice() -> Iterator[Line]:
    """Options of a roll, loading a table, working tables out."""
    took = [each for name, agreed in SHIPPED for each in _options(_values(name, agreed))]
    yield at_most("all options of a roll, p95", 5.0, p95(took), digits=2)
    again = [clocked(lambda: load(DICE_GAMES["yahtzee"], {}))[0] for _ in range(20)]
    yield at_most("loading a table", 10.0, median(again), digits=2)
    for name, agreed in SHIPPED:
        model = model_of(DICE_GAMES[name], agreed)
        assert model is not None
        seconds = clocked(partial(solve, model))[0] / 1000
        yield at_most(" ".join(("table of", name, *agreed.values())), 15.0, seconds, "s")


def _values(name: str, agreed: dict[str, str]) -> DiceValues:
    values = load(DICE_GAMES[name], agreed)
    assert values is not None
    return values


def _options(values: DiceValues) -> list[float]:
    chance = Random(1)
    cases = [(_card(values, chance), random_roll(chance, 5)) for _ in range(500)]
    return [clocked(partial(options, values, card, roll, 2))[0] for card, roll in cases]


def _card(values: DiceValues, chance: Random, boxes: int | None = None) -> Card:
    """A card with some boxes filled, or so many, with what they may hold."""
    points = values.model.points
    count = chance.randrange(len(points)) if boxes is None else boxes
    full = set(chance.sample(range(len(points)), count))
    held = (int(chance.choice(each)) if box in full else None for box, each in enumerate(points))
    return Card(values.model.form, tuple(held))


def chances() -> Iterator[Line]:
    """Games played in advance, and how far the chances of few are from those of many."""
    values = _values("yahtzee", {})
    futures, empty = DiceFutures(values), Card.empty(values.model.form)
    start = np.full(2_000, values.model.number(empty))
    games = [
        clocked(lambda: futures.play(start, np.random.default_rng(2)))[0] / 1000 for _ in range(4)
    ]
    yield at_most("2,000 games of Yahtzee", 0.7, min(games[1:]), "s", 2)
    chaser = _values("chaser", {"strict_full_house": "no"})
    exact = partial(DiceFutures(chaser).finals, [Card.empty(chaser.model.form)])
    seconds = clocked(lambda: exact(np.random.default_rng(3)))[0] / 1000
    yield at_most("Chaser exactly, once", 4.7, seconds, "s")
    worst = max(_error(futures, values, filled) for filled in (0, 6, 11))
    yield at_most("error of 5,000 futures of 4 players, in points of a hundred", 2.0, worst, "", 2)


def _error(futures: DiceFutures, values: DiceValues, filled: int) -> float:
    chance = Random(filled)
    cards = [_card(values, chance, filled) for _ in range(4)]
    many = futures.finals(cards, np.random.default_rng(0), futures=200_000)
    true = np.array(win_chances(many))
    own = (futures.finals(cards, np.random.default_rng(seed)) for seed in range(1, 11))
    return max(100 * float(np.abs(np.array(win_chances(each)) - true).max()) for each in own)


def sets() -> Iterator[Line]:
    """Heaps that may or may not be divided into sets, and a first meld of the whole box."""
    chance, box = Random(1), [*CLASSIC.tiles.pieces]
    for size in (20, 60, 95, 106):
        heaps = [Tiles(tuple(chance.sample(box, size))) for _ in range(25)]
        took = [clocked(partial(partition, heap))[0] for heap in heaps]
        yield at_most(f"{size} tiles, longest of 25", 1000, max(took), digits=0)
    standing = TableSets(_runs(1), melded=False, may_build=True)
    groups = ", ".join(" ".join(f"{colour}{number}" for colour in COLOURS) for number in NUMBERS)
    after = Laid.parse(f"{groups}, {_runs(2)}")
    took = [clocked(lambda: judge(standing, after))[0] for _ in range(20)]
    yield at_most("a disputed first meld judged, longest of 20", 50, max(took))


def _runs(lowest: int) -> Laid:
    """All runs of three from this number on, next to each other."""
    lows = range(lowest, NUMBERS[-1] - 1, 3)
    runs = ([f"{c}{low + step}" for step in range(3)] for c in COLOURS for low in lows)
    return Laid.parse(", ".join(map(" ".join, runs)))


def best_turns() -> Iterator[Line]:
    """Racks at tables of three sizes."""
    for sizes, positions, most in (
        (range(61), 120, 50),
        (range(60, 76), 60, 200),
        (range(84, 101), 60, 200),
    ):
        chance, took = Random(1), []
        for _ in range(positions):
            before, rack = filled(chance, chance.choice(sizes), chance.randint(5, 20))
            standing = TableSets(before, melded=True, rack=rack)
            took.append(clocked(partial(best_turn, standing))[0])
        name = f"{sizes[0]} to {sizes[-1]} tiles on the table, p95 of {positions}"
        yield at_most(name, most, p95(took), digits=0)


CASES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("club-evening", ("points", "wins", "best-game")),
    ("club-evening", ("points", "head-to-head", "buchholz", "sonneborn-berger")),
    ("yahtzee-evening", ("points", "wins", "head-to-head", "buchholz", "score", "best-game")),
)


def standings() -> Iterator[Line]:
    """By what counts, for 1,000 players, and once for 3,000."""
    for entrants, (preset, tiebreaks) in [*((1000, case) for case in CASES), (3000, CASES[-1])]:
        state = _played(entrants, preset, tiebreaks)
        took = median(clocked(lambda: standings_of(state))[0] for _ in range(15))  # noqa: B023 -- called at once
        name = f"{entrants:,} players: {', '.join(tiebreaks)}"
        yield at_most(name, 50, took) if entrants == 1000 else Line(name, f"{took:.1f} ms")


def _played(entrants: int, preset: str, tiebreaks: tuple[str, ...]) -> Tournament:
    """A tournament in its last round, with random tables and scores."""
    form = replace(FORMATS[preset], rounds=ROUNDS, games=1, tiebreaks=tiebreaks)
    entered = [Entered(Entrant(each, f"Player {each}")) for each in range(1, entrants + 1)]
    state, chance = reduce(evolve, entered, opened("Open", form)), Random(1)
    for number in range(1, ROUNDS + 1):
        events = _round(state, number, chance)
        state = reduce(evolve, events[: len(events) - (number == ROUNDS)], state)
    return state


def _round(state: Tournament, number: int, chance: Random) -> list[Event]:
    seats = chance.sample(state.numbers, len(state.numbers))
    fours = [tuple(seats[at : at + 4]) for at in range(0, len(seats), 4)]
    tables = tuple(TableSeats(at, four) for at, four in enumerate(fours, start=1))
    reported = [
        ResultReported(number, table.number, 1, awarded(state.format, table, scores))
        for table in tables
        for scores in [_scores(table, chance, adds_up=state.format.zero_sum)]
    ]
    drawn = RoundDrawn(number, 0, 1, 1, Draw(tables), 1)
    return [drawn, RoundStarted(number), *reported, RoundClosed(number)]


def _scores(table: TableSeats, chance: Random, *, adds_up: bool) -> GameScores:
    """Points that add up to 0, or one of five scores, so that many tie."""
    if not adds_up:
        return GameScores(tuple(Score(seat, chance.randint(20, 24) * 10) for seat in table.seats))
    losses = [chance.randint(1, 60) for _ in table.seats[1:]]
    figures = chance.sample([sum(losses), *(-loss for loss in losses)], len(table.seats))
    return GameScores(tuple(map(Score, table.seats, figures)))


def seating() -> Iterator[Line]:
    """Rounds at fours and by the Swiss system; no meeting is repeated."""
    for kind, event, sizes, most in (
        ("at fours", _event_at_fours, (100, 998, 1000), 50),
        ("Swiss", _swiss_event, (200, 999, 1000), 2000),
    ):
        for players in sizes:
            draws, took = event(players)
            met = Counter(pair for draw in draws for pair in draw.meetings())
            longest = f"{players:,} {kind}, longest round"
            if players == 1000:
                yield at_most(longest, most, max(took), digits=0)
            else:
                yield Line(longest, f"{max(took):.0f} ms")
            again = sum(times - 1 for times in met.values())
            yield at_most(f"{players:,} {kind}, repeated meetings", 0, again, "", 0)


Drawn = tuple[list[Draw], list[float]]


def _event_at_fours(players: int) -> Drawn:
    draws: list[Draw] = []
    took = []
    everyone = range(1, players + 1)
    for number in range(ROUNDS):
        wish = Constraints(
            entrants=tuple(everyone),
            sizes=table_sizes(players, 4, 3),
            past=tuple(draws),
            clubs={each: f"Club {each % 20}" for each in everyone},
            seed=number,
            rounds_planned=ROUNDS,
        )
        took.append(clocked(lambda: draws.append(draw_tables(wish)))[0])  # noqa: B023 -- called at once
    return draws, took


def _swiss_event(players: int) -> Drawn:
    draws: list[Draw] = []
    took = []
    chance, floated = Random(0), Counter[int]()
    scores: dict[int, int | Fraction] = dict.fromkeys(range(1, players + 1), 0)
    for number in range(ROUNDS):
        entrants = tuple(sorted(scores, key=lambda each: (-scores[each], each)))
        wish = SwissConstraints(
            entrants=entrants, scores=scores, past=tuple(draws), floated=floated, seed=number
        )
        took.append(clocked(lambda: draws.append(draw_swiss(wish)))[0])  # noqa: B023 -- called at once
        _play(draws[-1], scores, floated, chance)
    return draws, took


def _play(draw: Draw, scores: dict[int, Any], floated: Counter[int], chance: Random) -> None:
    """One game in ten is drawn; a bye is a win."""
    for table in draw.tables:
        one, other = table.seats
        if scores[one] != scores[other]:
            floated.update(table.seats)
        drawn = chance.random() < 0.1
        result = Fraction(1, 2) if drawn else Fraction(chance.choice((0, 1)))
        scores[one] += result
        scores[other] += 1 - result
    for each in draw.byes:
        scores[each] += 1
