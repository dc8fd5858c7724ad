"""Kill -9, fifty times: what was answered is on disk, and the game goes on."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from statistics import median

import pytest

from scoreboard.games.dice.acts import CategoryScored, DiceRolled
from scoreboard.games.engine.transcript import RecordedEvent, Retraction
from scoreboard.games.notation import replay_text
from scoreboard.storage import open_store
from tests.web.process import NEW_GAME, Form, RunningProcess, answer_of, document, running
from web.table.history.archive import Archive

pytestmark = pytest.mark.slow

KILLS = 50
MOST_KILLS = 200  # on a machine where the answer often is faster than the kill
LEAST_IN_FLIGHT = 20  # kills between a request and its answer
MOST_ACTS = 4
SEED = 20260102
UNDO_SHARE = 0.12
FIRST_GUESS_SECONDS = 0.01
MOST_SHARE = 0.9  # of the usual time to an answer that passes before a kill
SOONER = 0.7  # after an answer that was faster than the kill
TURNS = (
    ("11123", "aces"), ("12223", "twos"), ("12333", "threes"), ("12444", "fours"),
    ("12555", "fives"), ("12666", "sixes"), ("22245", "three-of-a-kind"),
    ("33335", "four-of-a-kind"), ("22233", "full-house"), ("12346", "small-straight"),
    ("23456", "large-straight"), ("44444", "yahtzee"), ("13566", "chance"),
)  # fmt: skip
OPEN, UNDO = "open", "undo"


@dataclass(frozen=True, slots=True)
class Request:
    """A request that records one step: `step` is what the store then has more."""

    step: str
    path: str
    form: Form


@dataclass(slots=True)
class Evening:
    """What has surely happened: the steps whose answers were seen or that are on disk."""

    database: str
    chance: random.Random
    steps: list[str] = field(default_factory=list)
    in_flight: int = 0
    share: float = MOST_SHARE
    seconds: list[float] = field(default_factory=lambda: [FIRST_GUESS_SECONDS])

    def next_step(self) -> str:
        """The game's next step, now and then the taking back of the last."""
        plan = game_plan()
        standing = in_force(self.steps)
        if not self.steps or len(standing) == len(plan):
            return OPEN
        if standing and self.chance.random() < UNDO_SHARE:
            return UNDO
        return plan[len(standing)]

    def check(self, sent: str | None) -> None:
        """Compare with the disk: all that was answered, and at most `sent` more.

        A rejected step leaves the evening as it was; one that was kept belongs to it from now.
        """
        stored = stored_steps(self.database)
        more = [sent] if sent else []
        assert stored in (self.steps, self.steps + more), (self.steps, stored, sent)
        self.steps = stored


def game_plan() -> list[str]:
    """A game of two, roll and box in turn; no box takes a 0, which would be asked about."""
    return [step for roll, box in TURNS for step in (f"roll {roll}", f"score {box}") * 2]


def in_force(steps: Sequence[str]) -> list[str]:
    """The steps of the newest game that were not taken back."""
    standing: list[str] = []
    for step in steps:
        if step == OPEN:
            standing = []
        elif step == UNDO:
            standing.pop()
        else:
            standing.append(step)
    return standing


def stored_steps(database: str) -> list[str]:
    """What is on disk, step by step, game after game."""
    store = open_store(database)
    try:
        headers = reversed(store.headers())
        return [step for header in headers for step in steps_of(store.events(header.game_id))]
    finally:
        store.close()


def steps_of(records: Sequence[RecordedEvent]) -> list[str]:
    """A game's steps in words, its opening first."""
    first = (next(group).event for _, group in groupby(records, lambda record: record.step))
    return [OPEN, *map(step_of, first)]


def step_of(event: object) -> str:
    """A step by its first event."""
    match event:
        case DiceRolled(roll):
            return f"roll {roll.ascending}"
        case CategoryScored(category=category):
            return f"score {category}"
        case Retraction():
            return UNDO
        case _:
            raise AssertionError(event)


def prepared(table: RunningProcess, step: str) -> Request:
    """The request that records this step, after what must be entered before it."""
    act, _, detail = step.partition(" ")
    match act:
        case "open":
            return Request(step, "/setup", NEW_GAME)
        case "undo":
            return Request(step, "/press", [("action", "undo"), ("seen", table.seen())])
        case "score":
            return Request(step, "/choose", [("offer", f"score:{detail}"), ("seen", table.seen())])
    entered = document(table.ask("/roll", [("roll", detail), ("seen", table.seen())]))
    assert entered["verdict"] == "done", entered["notice"]
    seen = f"{entered['run']}.{entered['version']}"
    return Request(step, "/press", [("action", "keep"), ("seen", seen)])


def play(table: RunningProcess, evening: Evening) -> None:
    """Do the next step, see its answer."""
    request = prepared(table, evening.next_step())
    begun = time.perf_counter()
    answer = table.ask(request.path, request.form)
    evening.seconds.append(time.perf_counter() - begun)
    assert answer.status in {200, 303}, answer
    evening.steps.append(request.step)


def play_and_kill(table: RunningProcess, evening: Evening) -> str | None:
    """Send the next step and kill before its answer; the step when no answer was seen."""
    request = prepared(table, evening.next_step())
    delay = evening.chance.uniform(0, evening.share * median(evening.seconds))
    with table.send(request.path, request.form) as connection:
        time.sleep(delay)
        table.kill()
        if answer_of(connection) is None:
            evening.in_flight += 1
            evening.share = min(MOST_SHARE, evening.share / SOONER)
            return request.step
    evening.share *= SOONER
    evening.steps.append(request.step)
    return None


def one_life(evening: Evening, kill: int) -> str | None:
    """Start the table, play on, and kill it; the step that was under way."""
    table = RunningProcess("--camera", "upload", "--database", evening.database)
    try:
        if kill % 10 == 9:  # while it starts
            time.sleep(evening.chance.uniform(0, 1.5))
            table.kill()
            return None
        table.wait_until_listening()
        for _ in range(evening.chance.randrange(MOST_ACTS + 1)):
            play(table, evening)
        if kill % 10 in {3, 6}:  # while nobody acts
            time.sleep(evening.chance.uniform(0, 0.05))
            table.kill()
            return None
        return play_and_kill(table, evening)
    finally:
        table.end()


def test_what_was_answered_outlives_fifty_kills(tmp_path: Path) -> None:
    """Every step whose answer was seen is there after each kill -9, at most one more."""
    database = f"sqlite:///{tmp_path}/games.sqlite3"
    evening = Evening(database, random.Random(SEED))
    for kill in range(MOST_KILLS):
        if kill >= KILLS and evening.in_flight >= LEAST_IN_FLIGHT:
            break
        evening.check(one_life(evening, kill))
    assert evening.in_flight >= LEAST_IN_FLIGHT
    with running("--camera", "upload", "--database", database) as table:
        play(table, evening)
        evening.check(None)
    assert_readable(database)


def assert_readable(database: str) -> None:
    """Every game's export replays to the same figures."""
    with closing(open_store(database)) as store:
        archive = Archive(store)
        for game in archive.summaries():
            written = archive.export(game.game_id, "txt")
            replayed = replay_text(written)
            totals = replayed.game.scoresheet(replayed.state).row("grand").cells
            assert tuple(cell.points for cell in totals) == game.totals
