"""Databases come to their tables by migrations: fresh ones, and those of older Tablescores."""

from __future__ import annotations

import re
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from scoreboard.errors import SchemaError
from scoreboard.games.engine.transcript import UNKNOWN, GameStatus
from scoreboard.storage import SqlStore, open_store, restore_database
from scoreboard.storage.backups import APPLICATION_ID
from scoreboard.storage.migrations import STEPS
from scoreboard.storage.schema import METADATA, VERSION, VERSION_TABLE
from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.golden.dumps import make_database
from tests.postgres import Cluster
from tests.scoreboard.storage.racing import race
from tests.scoreboard.storage.records import RECORDS, header

ROOT = Path(__file__).parents[3]

ROWS_OF_VERSION_1 = (
    """INSERT INTO games VALUES (7, 'evening', 'yahtzee', '["North", "Süd"]',
       '2026-11-21T19:30:00+00:00', '{"start": "first"}')""",
    """INSERT INTO events VALUES ('evening', 1, '2026-11-21T19:30:00+00:00', 'button', 1,
       '{"kind": "dice-rolled", "roll": "55521"}')""",
    """INSERT INTO events VALUES ('evening', 2, '2026-11-21T19:30:00+00:00', 'button', 2,
       '{"kind": "dice-kept", "roll": "555"}')""",
)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A file of the first version with a game in it."""
    path = tmp_path / "games.db"
    make_database(path, 1)
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in ("DELETE FROM events", "DELETE FROM games", *ROWS_OF_VERSION_1):
            connection.execute(statement)
    return path


def schema_of(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        return {name: re.sub(r"\s+", " ", sql).strip() for name, sql in rows}


def mark_of(path: Path) -> tuple[int, int, str]:
    with closing(sqlite3.connect(path)) as connection:
        return (
            connection.execute("PRAGMA application_id").fetchone()[0],
            connection.execute("PRAGMA user_version").fetchone()[0],
            connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()[0],  # noqa: S608 -- a name of ours
        )


def test_the_version_is_the_last_step_s() -> None:
    assert len(STEPS) == VERSION


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_tables_are_what_the_migrations_make(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """What the code reads and writes is what the steps leave behind, in both databases."""
    database = f"sqlite:///{tmp_path}/new.db"
    if kind == "postgresql":
        database = request.getfixturevalue("cluster").new_address()
    with closing(open_hub_store(database)) as hub:
        engine = hub._database.engine
        with engine.connect() as connection:
            context = MigrationContext.configure(
                connection, opts={"version_table": VERSION_TABLE, "compare_type": True}
            )
            assert compare_metadata(context, METADATA) == []


def test_the_first_step_makes_the_first_version(tmp_path: Path, old: Path) -> None:
    """A file of then that takes the later steps has to the letter the tables of a fresh file."""
    fresh = tmp_path / "fresh.db"
    before = schema_of(old)
    for path in (fresh, old):
        open_store(f"sqlite:///{path}").close()
    of_old, of_fresh = schema_of(old), schema_of(fresh)
    assert {name: of_fresh[name] for name in before} == {name: of_old[name] for name in before}
    assert of_fresh["games"] == before["games"]


def test_an_old_file_is_taken_over_whole(old: Path) -> None:
    """Its game is there with every event, goes on, and the hub's tables stand beside it."""
    with closing(open_store(f"sqlite:///{old}")) as store:
        assert store.header("evening") == header()
        assert store.events("evening") == RECORDS[:2]
        assert {one.confirmed_by for one in store.events("evening")} == {UNKNOWN}
        store.append("evening", 2, RECORDS[2:])
        store.open_game(header("next"))
        assert [kept.game_id for kept in store.headers()] == ["next", "evening"]
    assert mark_of(old) == (APPLICATION_ID, VERSION, f"{VERSION:04}")
    with closing(open_store(f"sqlite:///{old}")) as again:
        assert again.events("evening") == RECORDS
    with closing(open_hub_store(f"sqlite:///{old}")) as hub:
        assert hub.change_feed.latest() == 0


def test_the_list_of_an_older_file_needs_no_replay(tmp_path: Path) -> None:
    """Where its games stand is still known when their events have got a column more."""
    path = tmp_path / "games.db"
    make_database(path, 7)
    length = "SELECT max(sequence) FROM events WHERE game_id = 'leaving'"
    with closing(sqlite3.connect(path)) as connection, connection:
        values = f"'leaving', ({length}), 0, 1, 0, '[1, 2, 3]'"
        connection.execute(f"INSERT INTO standings VALUES ({values})")  # noqa: S608 -- ours
    with closing(open_store(f"sqlite:///{path}")) as store:
        (listed,) = store.games(ids=["leaving"])
        assert listed.standing == GameStatus(finished=True, abandoned=False, totals=(1, 2, 3))


def test_a_step_that_fails_leaves_the_old_file_as_it_was(old: Path) -> None:
    """A table in the way of a step: the file keeps its version, and its game can be read."""
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("CREATE TABLE news (paper)")
    before = schema_of(old)
    with pytest.raises(OSError, match="already exists"):
        open_store(f"sqlite:///{old}")
    assert schema_of(old) == before
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (2,)


@pytest.mark.parametrize("opened", [open_store, open_hub_store])
def test_a_file_is_kept_as_it_was_before_its_migration(
    old: Path, opened: Callable[[str], Any]
) -> None:
    """Beside it, for its owner alone, and where a former copy of that version was."""
    copy = old.with_name("games-schema-1.db")
    copy.write_text("of an earlier try")
    before = schema_of(old)
    opened(f"sqlite:///{old}").close()
    assert schema_of(copy) == before
    assert copy.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (2,)
    opened(f"sqlite:///{old}").close()
    assert {each.name for each in old.parent.iterdir()} == {old.name, copy.name}


def test_a_newer_file_s_refusal_names_the_copy_of_before(old: Path) -> None:
    """The newest that this version reads; its command brings the games back."""
    url = f"sqlite:///{old}"
    open_store(url).close()
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    old.with_name(f"games-schema-{VERSION + 1}.db").write_text("of a still newer one")
    with pytest.raises(SchemaError, match="newer Tablescore") as refused:
        open_store(url)
    restored = shlex.split(str(refused.value).partition("before: ")[2])
    assert restored == [
        "tablescore",
        "restore",
        str(old.with_name("games-schema-1.db")),
        *("--database", url),
    ]
    restore_database(url, Path(restored[2]))
    with closing(open_store(url)) as store:
        assert store.events("evening") == RECORDS[:2]


def test_many_open_an_empty_database_at_once(cluster: Cluster, tmp_path: Path) -> None:
    """Of workers that start together one makes the tables, and the others find them."""
    files = [f"sqlite:///{tmp_path}/new-{number}.db" for number in range(20)]
    for url in (*files, cluster.new_address()):
        opened: list[SqlStore] = []
        acts = [lambda url=url, opened=opened: opened.append(open_store(url)) for _ in range(8)]
        assert race(acts) == [None] * 8
        opened[0].open_game(header())
        for store in opened:
            assert store.headers() == (header(),)
            store.close()


def test_a_server_s_database_is_marked(cluster: Cluster) -> None:
    url = cluster.new_address()
    open_store(url).close()
    with cluster.connect(url) as beside:
        mark = beside.execute("SELECT version_num FROM tablescore_version").fetchall()
        assert mark == [(f"{VERSION:04}",)]
        beside.execute("UPDATE tablescore_version SET version_num = '0099'")
    with pytest.raises(SchemaError, match=r"newer Tablescore \(schema 99"):
        open_store(url)


def test_another_program_s_server_database_is_left_alone(cluster: Cluster) -> None:
    url = cluster.new_address()
    with cluster.connect(url) as beside:
        beside.execute("CREATE TABLE recipes (name text)")
        with pytest.raises(SchemaError, match="another program; name another database"):
            open_store(url)
        count = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
        assert beside.execute(count).fetchone() == (1,)


def test_a_database_that_is_up_to_date_needs_no_alembic(tmp_path: Path) -> None:
    """Importing the stores and opening a present database loads none of the migrations' tools."""
    url = f"sqlite:///{tmp_path}/games.db"
    open_store(url).close()
    code = f"""
import sys
from scoreboard.storage import open_store
open_store({url!r}).close()
assert "alembic" not in sys.modules and "psycopg" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
