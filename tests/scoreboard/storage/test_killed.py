"""A process that is killed at any moment has kept what it said it kept, and nothing twice."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Timer

import pytest

from scoreboard.storage import open_store
from scoreboard.table.ports import EventStore
from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store
from tests.scoreboard.storage.records import EVENING, RECORDS, header, record
from tests.scoreboard.tournament.storage.samples import MORNING, items
from tests.scoreboard.tournament.storage.samples import record as hub_record

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
KILLS = 2  # each process goes on where the one before was killed
LONGEST_SECONDS = 0.4


def recorded_until_killed(url: str, random: Random) -> dict[str, int]:
    """Let a process append, kill it after a while, and give the last numbers that it told."""
    command = [sys.executable, "-m", "tests.scoreboard.storage.killed", "append", url]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(3)]
        assert all(lines), "the process did not keep one of each"
        killing = Timer(random.uniform(0, LONGEST_SECONDS), process.kill)
        killing.start()
        lines.extend(process.stdout)
        killing.join()
    pairs = [line.split() for line in lines if line.endswith("\n")]
    return {kind: int(number) for kind, number in pairs}


def test_what_was_recorded_outlives_its_process(database: str) -> None:
    """All that was told is there once and in order; at most the one act on its way came besides."""
    random = Random()
    with closing(open_store(database)) as store, closing(open_hub_store(database)) as hub:
        store.open_game(header())
        hub.tournaments.create("open", "Winter Open", MORNING)
        for _ in range(KILLS):
            given = recorded_until_killed(database, random)
            kept = {
                "events": whole_events(store),
                "records": whole_records(hub),
                "items": whole_items(hub),
            }
            besides = {kind: kept[kind] - given[kind] for kind in kept}
            assert besides["events"] in {0, 2}
            assert sorted(map(bool, besides.values()))[:2] == [False, False]
            assert max(besides["records"], besides["items"]) <= 1
            require_news_of(hub, kept)


@pytest.mark.parametrize(
    ("act", "in_bin", "done"),
    [
        ("put_in_bin", False, (False, True)),
        ("take_back", True, (True, False)),
        ("delete", True, (False, False)),
        ("empty_bin", True, (False, False)),
    ],
)
def test_a_kill_leaves_a_game_in_the_list_or_in_the_bin(
    database: str,
    act: str,
    in_bin: bool,  # noqa: FBT001 -- where the game is at first
    done: tuple[bool, bool],
) -> None:
    """Killed at each statement in turn: where it was before, with every event, or all done."""
    with closing(open_store(database)) as store:
        store.open_game(header())
        store.append("evening", 0, RECORDS)
        if in_bin:
            store.put_in_bin("evening", EVENING)
        for number in range(1, 20):
            command = [sys.executable, "-m", "tests.scoreboard.storage.killed", act]
            ended = subprocess.run([*command, database, str(number)], cwd=ROOT, check=False)
            places = tuple(bool(store.games(in_bin=place)) for place in (False, True))
            if ended.returncode == 0:
                break
            assert ended.returncode == -signal.SIGKILL
            assert places == (not in_bin, in_bin)
            assert len(store.raw("evening").splitlines()) == 1 + len(RECORDS)
        assert number > 2, "the process was never killed between two statements"
        assert places == done


def whole_events(store: EventStore) -> int:
    kept = store.events("evening")
    assert kept == tuple(record(one, RECORDS[0].event) for one in range(1, len(kept) + 1))
    return len(kept)


def whole_records(hub: SqlHubStore) -> int:
    kept = hub.tournaments.records("open")
    assert kept == tuple(hub_record(one) for one in range(1, len(kept) + 1))
    return len(kept)


def whole_items(hub: SqlHubStore) -> int:
    through = hub.deliveries.held("g").through
    assert hub.deliveries.game("g") == items(*range(1, through + 1))
    return through


def require_news_of(hub: SqlHubStore, kept: dict[str, int]) -> None:
    last = hub.change_feed.since(max(0, hub.change_feed.latest() - 2))
    assert {change.topic: change.through for change in last} == {
        "tournament": kept["records"],
        "game": kept["items"],
    }
