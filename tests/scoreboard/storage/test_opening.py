"""Addresses of databases, and the lock beside one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
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


def second_table(url: str) -> str:
    """What another process is refused with that would lock the database."""
    code = f"from scoreboard.storage import *\nwith lock_database({url!r}): print('got it')"
    command = [sys.executable, "-c", code]
    second = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert second.returncode == 1
    return second.stderr


def test_a_second_table_is_kept_out_but_readers_are_not(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/new/games.db"
    with lock_database(url), closing(open_store(url)) as store:
        store.open_game(header())
        assert "Another table or hub works with" in second_table(url)
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


@pytest.mark.parametrize("opened", [lock_database, lambda url: closing(open_store(url))])
def test_what_cannot_be_made_or_written_is_reported(
    tmp_path: Path, opened: Callable[[str], AbstractContextManager[object]]
) -> None:
    """A file where the folder should be, or a folder where the file should, gets its sentence."""
    (tmp_path / "data").write_text("a file")
    (tmp_path / "games.db").mkdir()
    for place, says in (
        ("data/games.db", "folder .*data.* cannot be made"),
        ("games.db", "cannot be written"),
    ):
        with pytest.raises(StoreError, match=says), opened(f"sqlite:///{tmp_path}/{place}"):
            pass


def test_no_file_that_is_deleted_lets_a_second_table_in(tmp_path: Path) -> None:
    """The lock is on the database itself: whatever goes next to it, the first table has it."""
    url = f"sqlite:///{tmp_path}/games.db"
    with lock_database(url):
        for other in tmp_path.iterdir():
            if other.name != "games.db":
                other.unlink()
        assert "Another table or hub works with" in second_table(url)
