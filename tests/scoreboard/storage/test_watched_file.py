"""A database file that somebody took away is noticed before anything more is said to be kept."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from scoreboard.errors import SchemaError, StoreError
from scoreboard.storage import SqlStore, holds_games, lock_database, open_store
from tests.scoreboard.storage.records import EVENING, RECORDS, header


@pytest.fixture
def path(sqlite: str) -> Path:
    """Where the database lies."""
    return Path(sqlite.removeprefix("sqlite:///"))


@pytest.fixture
def store(sqlite: str) -> Iterator[SqlStore]:
    """A store with a game that has two events."""
    with closing(open_store(sqlite)) as kept:
        kept.open_game(header())
        kept.append("evening", 0, RECORDS[:2])
        yield kept


def log_of(path: Path) -> Path:
    return Path(f"{path}-wal")


def delete(path: Path) -> None:
    for each in path.parent.glob(f"{path.name}*"):
        each.unlink()


def replace(path: Path) -> None:
    """What a program does that puts files back or in step."""
    other = path.with_name("other")
    shutil.copy(path, other)
    other.replace(path)


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    """Cut all of it away."""
    os.truncate(path, 0)


def delete_log(path: Path) -> None:
    log_of(path).unlink()


def replace_log(path: Path) -> None:
    log_of(path).unlink()
    log_of(path).write_bytes(b"")


@pytest.mark.parametrize("harm", [delete, replace, halve, empty, delete_log, replace_log])
def test_a_running_table_keeps_nothing_in_a_file_that_is_gone(
    store: SqlStore, path: Path, harm: Callable[[Path], None]
) -> None:
    """The next act is refused with a sentence and a cure, and so is each one after it."""
    harm(path)
    for _ in range(2):
        with pytest.raises(StoreError, match=r"Put it back while no table runs\."):
            store.append("evening", 2, RECORDS[2:3])


def test_a_file_that_is_put_back_is_written_to_again(store: SqlStore, path: Path) -> None:
    """It was only moved away for a moment, and nothing of it is lost."""
    path.rename(path.with_name("away"))
    with pytest.raises(StoreError, match="was deleted or moved"):
        store.append("evening", 2, RECORDS[2:3])
    path.with_name("away").rename(path)
    store.append("evening", 2, RECORDS[2:3])
    assert store.events("evening") == RECORDS[:3]


def own_checkpoint(store: SqlStore, _path: Path) -> None:
    """What the table does within a minute."""
    store.checkpoint()


def foreign_write(_store: SqlStore, path: Path) -> None:
    """A second Tablescore folds the log in and begins it anew."""
    run_in_parallel(
        "connection.execute('PRAGMA wal_checkpoint(RESTART)');connection.execute('REINDEX')", path
    )


def restart(store: SqlStore, _path: Path) -> None:
    """The last connection takes the log away; the next act opens the file anew."""
    store.close()


def run_in_parallel(statements: str, path: Path) -> None:
    program = f"import sqlite3, sys; connection = sqlite3.connect(sys.argv[1]); {statements}"
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)


@pytest.mark.parametrize("use", [own_checkpoint, foreign_write, restart])
def test_a_log_that_was_used_properly_is_not_missed(
    store: SqlStore, path: Path, use: Callable[[SqlStore, Path], None]
) -> None:
    """Each may empty the log, shorten it or begin it anew, and nothing is lost by it."""
    for sequence in range(2, 5):
        use(store, path)
        store.append("evening", sequence, RECORDS[sequence : sequence + 1])
    assert store.events("evening") == RECORDS


@pytest.fixture
def cut(store: SqlStore, path: Path, tmp_path: Path) -> Path:
    """The file as it is found where its write-ahead log was lost, with the note beside it."""
    assert store.count() == 1
    found = tmp_path / "found" / path.name
    found.parent.mkdir()
    for name in (path.name, f"{path.name}.last"):
        shutil.copy(path.with_name(name), found.with_name(name))
    return found


def test_a_lost_log_is_noticed_at_the_start(cut: Path) -> None:
    """The table starts only where the note that the sentence names was deleted."""
    url = f"sqlite:///{cut}"
    with pytest.raises(StoreError, match="lacks what was recorded last"), lock_database(url):
        pass
    Path(f"{cut}.last").unlink()
    with lock_database(url):
        pass


def test_an_older_copy_is_noticed_at_the_start(store: SqlStore, path: Path) -> None:
    older = path.with_name("older")
    store.close()
    shutil.copy(path, older)
    store.append("evening", 2, RECORDS[2:])
    store.close()
    with lock_database(f"sqlite:///{path}"):
        pass
    older.replace(path)
    with pytest.raises(StoreError, match="an older copy"), lock_database(f"sqlite:///{path}"):
        pass


@pytest.mark.parametrize("harm", [Path.unlink, empty])
def test_a_file_that_is_gone_or_empty_is_noticed_at_the_start(
    store: SqlStore, path: Path, harm: Callable[[Path], None]
) -> None:
    """No new database takes its place in silence; whoever wants one deletes the note."""
    url = f"sqlite:///{path}"
    store.close()
    harm(path)
    with pytest.raises(StoreError, match="games were kept in it"), lock_database(url):
        pass
    with pytest.raises(StoreError, match="games were kept in it"):
        holds_games(url)
    Path(f"{path}.last").unlink()
    with lock_database(url), closing(open_store(url)) as fresh:
        assert fresh.count() == 0


def test_a_log_without_its_file_is_noticed_at_the_start(tmp_path: Path) -> None:
    """The games in it belong to a file that somebody moved away."""
    (tmp_path / "games.db-wal").write_bytes(b"frames")
    with (
        pytest.raises(StoreError, match="games were kept in it"),
        lock_database(f"sqlite:///{tmp_path}/games.db"),
    ):
        pass


def test_a_deleted_game_is_not_missed(store: SqlStore, path: Path) -> None:
    """Neither the last one of several, nor the last one of all."""
    store.open_game(header("next"))
    for game_id in ("next", "evening"):
        store.delete(game_id)
        store.close()
        with lock_database(f"sqlite:///{path}"):
            pass


def test_a_game_that_left_the_bin_for_good_is_not_missed(store: SqlStore, path: Path) -> None:
    """What was recorded last may be in the bin, and go with it."""
    store.put_in_bin("evening", EVENING)
    for until, left in ((EVENING - timedelta(days=1), 1), (EVENING, 0)):
        store.empty_bin(until)
        assert store.count(in_bin=True) == left
        store.close()
        with lock_database(f"sqlite:///{path}"):
            pass


def test_half_a_note_is_none(store: SqlStore, path: Path) -> None:
    store.close()
    Path(f"{path}.last").write_bytes(b"\0" * 512)
    with lock_database(f"sqlite:///{path}"):
        pass


def test_a_damaged_schema_is_reported_in_one_sentence(store: SqlStore, path: Path) -> None:
    """SQLite's own message would quote it, and is no text then."""
    store.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = CAST(x'435245415445ff20fe' AS TEXT)"
            " WHERE name = 'events'"
        )
    with pytest.raises(SchemaError, match="is damaged"):
        open_store(f"sqlite:///{path}")
