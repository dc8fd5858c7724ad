"""Addresses of databases, and the lock beside one."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from scoreboard.errors import StoreError
from scoreboard.storage import database_path, holds_games, lock_database, open_store
from tests.scoreboard.storage.records import header

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("memory:", None),
        ("sqlite:///games.db", Path("games.db")),
        ("sqlite:////var/lib/tablescore/games.db", Path("/var/lib/tablescore/games.db")),
    ],
)
def test_an_address_names_a_file_or_the_memory(url: str, path: Path | None) -> None:
    """Three slashes begin a relative path, four an absolute one."""
    assert database_path(url) == path


@pytest.mark.parametrize(
    "url", ["", "games.db", "sqlite://", "sqlite:///:memory:", "mysql://me:secret@host/games"]
)
def test_an_address_of_another_kind_is_refused(url: str) -> None:
    with pytest.raises(StoreError, match="write sqlite:///") as refused:
        open_store(url)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("url", ["postgresql://host/games", "postgresql+psycopg://me@/games"])
def test_a_server_is_no_file(url: str) -> None:
    """A server's database lies in no folder, and may hold games."""
    assert database_path(url) is None
    assert holds_games(url)


def test_games_are_looked_for_where_there_is_a_file(tmp_path: Path) -> None:
    """A file that is not there holds no games, nor does the memory of another process."""
    url = f"sqlite:///{tmp_path}/games.db"
    assert not holds_games(url)
    assert not holds_games("memory:")
    open_store(url).close()
    assert holds_games(url)


def test_a_second_table_is_kept_out_but_readers_are_not(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/new/games.db"
    code = f"from scoreboard.storage import *\nwith lock_database({url!r}): print('got it')"
    with lock_database(url), closing(open_store(url)) as store:
        store.open_game(header())
        second = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert second.returncode == 1
        assert "Another table or hub works with" in second.stderr
        with closing(open_store(url)) as reader:
            assert [kept.game_id for kept in reader.headers()] == ["evening"]
    with lock_database(url):
        pass


def test_the_memory_needs_no_lock() -> None:
    with (
        lock_database("memory:"),
        lock_database("memory:"),
        closing(open_store("memory:")) as one,
        closing(open_store("memory:")) as other,
    ):
        one.open_game(header())
        assert (one.count(), other.count()) == (1, 0)


def test_a_lock_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    """A file where the folder should be, or a folder where the file should, gets its sentence."""
    (tmp_path / "data").write_text("a file")
    (tmp_path / "games.db").mkdir()
    for place in ("data/games.db", "games.db"):
        with (
            pytest.raises(StoreError, match=r"cannot be (written|made)"),
            lock_database(f"sqlite:///{tmp_path}/{place}"),
        ):
            pass


def test_no_file_that_is_deleted_lets_a_second_table_in(tmp_path: Path) -> None:
    """The lock lies on the database itself: whatever goes beside it, the first table has it."""
    url = f"sqlite:///{tmp_path}/games.db"
    code = f"from scoreboard.storage import *\nwith lock_database({url!r}): print('got it')"
    with lock_database(url):
        for beside in tmp_path.iterdir():
            if beside.name != "games.db":
                beside.unlink()
        second = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
        )
    assert "Another table or hub works with" in second.stderr
