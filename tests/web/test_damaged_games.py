"""One game that cannot be read hides, blocks and breaks no other one."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from shutil import copy
from typing import Any, cast

import pytest

from scoreboard.storage import open_store
from scoreboard.table.requests import GameDeleted, GameResumed
from tests.patience import PATIENCE_SECONDS
from tests.scoreboard.storage.records import RECORDS, header
from tests.scoreboard.table.fakes import Table
from tests.web.cli.calling import call
from tests.web.table_fake import FakeTable
from web.table.history.archive import Archive

ROOT = Path(__file__).parents[2]
DAMAGE = {
    "no JSON": "UPDATE events SET event = '{' WHERE sequence = 1",
    "JSON without end": "UPDATE events SET event = printf('%.*c', 100000, '[') WHERE sequence = 1",
    "an unknown kind": """UPDATE events SET event = '{"kind": "dice-blown"}' WHERE sequence = 1""",
    "a wrong roll": (
        """UPDATE events SET event = '{"kind": "dice-rolled", "roll": "999"}' WHERE sequence = 1"""
    ),
    "null": "UPDATE events SET event = 'null' WHERE sequence = 1",
    "bytes that are no text": (
        "UPDATE events SET event = CAST(x'7bff7d' AS TEXT) WHERE sequence = 1"
    ),
    "no time": "UPDATE events SET recorded_at = '' WHERE sequence = 1",
    "nobody's act": "UPDATE events SET source = 'ghost' WHERE sequence = 1",
    "a step to come": "UPDATE events SET step = 99 WHERE sequence = 1",
    "a missing event": "DELETE FROM events WHERE sequence = 2",
    "no players": "UPDATE games SET players = '[]'",
    "players that are no names": "UPDATE games SET players = '[1]'",
    "a day in words": "UPDATE games SET opened_at = 'gestern'",
    "options that are none": "UPDATE games SET options = 'x'",
    "a game of a newer version": "UPDATE games SET game = 'backgammon'",
}


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a database of three games."""
    path = tmp_path_factory.mktemp("healthy") / "games.db"
    with closing(open_store(f"sqlite:///{path}")) as store:
        for game_id in ("old", "bad", "new"):
            store.open_game(header(game_id))
            store.append(game_id, 0, [replace(one, game_id=game_id) for one in RECORDS[:3]])
    return path


@pytest.fixture(params=list(DAMAGE.values()), ids=list(DAMAGE))
def url(request: pytest.FixtureRequest, healthy: Path, tmp_path: Path) -> str:
    """A database of three games, of which the middle one was damaged by hand."""
    path = copy(healthy, tmp_path)
    more = "AND" if " WHERE " in request.param else "WHERE"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"{request.param} {more} game_id = 'bad'")
    return f"sqlite:///{path}"


def test_it_is_listed_beside_the_others(url: str) -> None:
    """On the page and on the command line, with a sentence and what can be done."""
    with closing(open_store(url)) as store:
        archive = Archive(store)
        fake = FakeTable()
        app = fake.app(archive=archive)
        client = app.test_client()
        page = client.get("/games").text
        # A day in words can't be put in order
        assert sorted(game.state for game in archive.summaries()) == [
            "damaged",
            "unfinished",
            "unfinished",
        ]
        for path in ("/games/new/resume", "/games/old/resume", "/games/bad/delete"):
            assert path in page
        assert "/games/bad/resume" not in page
        assert "cannot be read" in page
        assert client.get("/games/bad/delete").status_code == 200
        assert client.get("/games/bad/game.raw").status_code == 200
    listed = call("games", "--database", url)
    assert {line.split()[0] for line in listed.stdout.splitlines()} == {"new", "bad", "old"}
    (damaged,) = (line for line in listed.stdout.splitlines() if line.startswith("bad"))
    assert "damaged" in damaged


def test_it_is_exported_raw_and_deleted(url: str) -> None:
    """Nothing of it is lost before it goes; the others stay."""
    at = ("--database", url)
    raw = call("export", "bad", "--format", "raw", *at)
    head, *events = map(json.loads, raw.stdout.splitlines())
    assert head["game_id"] == "bad"
    assert {event["game_id"] for event in events} == {"bad"}
    assert call("export", "bad", "--format", "txt", *at).exit_code == 1
    assert call("export", "new", "--format", "txt", *at).exit_code == 0
    assert call("delete", "bad", "--yes", *at).exit_code == 0
    assert len(call("games", *at).stdout.splitlines()) == 2


def test_the_table_starts_without_it(url: str) -> None:
    """The newest game goes on, and the others are resumed and deleted as ever."""
    with closing(open_store(url)) as store:
        table = Table(cast("Any", store))
        table.session.resume_newest()
        assert table.view.game_id == "new"
        refused = table.session.receive(GameResumed("bad"))
        assert refused.verdict == "refused"
        assert table.session.receive(GameResumed("old")).verdict == "done"
        assert table.session.receive(GameDeleted("bad")).verdict == "done"
        assert [one.game_id for one in store.games()] == ["new", "old"]


def test_a_newer_damaged_game_is_reported_and_passed_over(url: str) -> None:
    """The table starts with the next one, and says which could not be read."""
    with closing(open_store(url)) as store:
        store.delete("new")
        table = Table(cast("Any", store))
        table.session.resume_newest()
        assert table.view.game_id == "old"
        assert table.view.notice is not None


def test_a_game_that_a_table_plays_is_not_deleted_behind_its_back(tmp_path: Path) -> None:
    """The command says who holds the database."""
    url = f"sqlite:///{tmp_path}/games.db"
    with closing(open_store(url)) as store:
        store.open_game(header())
    code = f"from scoreboard.storage import *\nwith lock_database({url!r}): print(flush=1); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as playing:
        assert playing.stdout is not None
        playing.stdout.readline()
        refused = call("delete", "evening", "--yes", "--database", url)
        playing.communicate(b"\n", timeout=PATIENCE_SECONDS)
    assert refused.exit_code == 1
    assert "Another table or hub works with" in refused.stderr
