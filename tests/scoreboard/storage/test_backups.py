"""Backups hold everything, and come back."""

from __future__ import annotations

import shlex
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from scoreboard.errors import SchemaError, StoreError
from scoreboard.storage import SqlStore, lock_database, open_store, restore_database
from scoreboard.storage.backups import backup_folder, backups_of, restoring
from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.scoreboard.storage.records import RECORDS, header

TODAY = datetime(2026, 11, 24, 19, 30, tzinfo=UTC)


@pytest.fixture
def path(sqlite: str) -> Path:
    """Where the database lies."""
    return Path(sqlite.removeprefix("sqlite:///"))


@pytest.fixture
def store(sqlite: str) -> Iterator[SqlStore]:
    """A store with one game."""
    with closing(open_store(sqlite)) as kept:
        kept.open_game(header())
        kept.append("evening", 0, RECORDS)
        yield kept


def games_in(file: Path) -> list[str]:
    alone = file.parent / "alone"
    alone.mkdir()
    with closing(open_store(f"sqlite:///{shutil.copy(file, alone)}")) as kept:
        found = [one.game_id for one in kept.games()]
    shutil.rmtree(alone)
    return found


def test_after_a_checkpoint_the_file_alone_holds_everything(store: SqlStore, path: Path) -> None:
    assert games_in(path) == []
    store.checkpoint()
    assert games_in(path) == ["evening"]


def test_the_newest_five_backups_are_kept(store: SqlStore, path: Path) -> None:
    for number in range(7):
        store.open_game(header(f"game-{number}"))
        store.back_up(TODAY)
    kept = backups_of(path)
    assert [file.name for file in kept] == [f"00000{n}-2026-11-24.sqlite3" for n in range(3, 8)]
    assert games_in(kept[-1])[:2] == ["game-6", "game-5"]
    assert sorted(file.name for file in kept[0].parent.iterdir()) == [file.name for file in kept]


@pytest.mark.parametrize(
    "name",
    ["my copy.sqlite3", "before the party.sqlite3", "000000-2026-05-01 (1).sqlite3", "-.new"],
)
def test_a_person_s_own_file_among_the_backups_stays(
    store: SqlStore, path: Path, name: str
) -> None:
    """It is neither counted nor deleted, and does not end the backups."""
    own = backup_folder(path) / name
    own.parent.mkdir()
    own.write_text("mine")
    for _ in range(7):
        store.back_up(TODAY)
    assert own.read_text() == "mine"
    assert [file.name[:6] for file in backups_of(path)] == [f"00000{n}" for n in range(3, 8)]


def test_what_a_power_cut_left_of_a_backup_goes(store: SqlStore, path: Path) -> None:
    """With the next backup, whatever its number is."""
    folder = backup_folder(path)
    folder.mkdir()
    for end in ("", "-wal", "-shm"):
        (folder / f"000007-2026-05-01.sqlite3.new{end}").write_text("half")
    store.back_up(TODAY)
    assert [file.name for file in folder.iterdir()] == ["000001-2026-11-24.sqlite3"]


def test_a_deleted_file_is_backed_up_while_it_is_open(store: SqlStore, path: Path) -> None:
    """What the table still has open is not lost with its name."""
    for each in path.parent.glob(f"{path.name}*"):
        each.unlink()
    store.back_up(TODAY)
    with pytest.raises(StoreError, match=r"newest backup: tablescore restore .*000001"):
        store.append("evening", 5, RECORDS[:1])
    store.close()
    restore_database(f"sqlite:///{path}", backups_of(path)[-1])
    with lock_database(f"sqlite:///{path}"), closing(open_store(f"sqlite:///{path}")) as again:
        assert again.events("evening") == RECORDS


def test_the_command_that_brings_games_back_can_be_pasted(tmp_path: Path) -> None:
    """Also where a blank or a quote stands in a folder's name."""
    database = tmp_path / "Ann's Application Support" / "my games.sqlite3"
    with closing(open_store(f"sqlite:///{database}")) as store:
        kept = store.back_up(TODAY)
    command = restoring(database)
    assert shlex.split(command or "") == [
        *("tablescore", "restore", str(kept)),
        *("--database", f"sqlite:///{database}"),
    ]


def test_a_store_knows_whether_the_newest_backup_has_everything(
    store: SqlStore, path: Path
) -> None:
    """By what was recorded last, not by clocks; an empty database needs none."""
    assert not store.is_backed_up()
    assert store.backed_up_at() is None
    store.back_up(TODAY)
    assert store.is_backed_up()
    assert store.backed_up_at() is not None
    store.append("evening", len(RECORDS), [replace(RECORDS[-1], sequence=len(RECORDS) + 1)])
    assert not store.is_backed_up()
    store.close()
    with closing(open_store(f"sqlite:///{path.with_name('new.db')}")) as new:
        assert new.is_backed_up()


def rights_of_others(folder: Path) -> dict[str, int]:
    return {
        each.name: each.stat().st_mode & 0o077
        for each in (folder, *folder.rglob("*"))
        if each.stat().st_mode & 0o077
    }


@pytest.mark.parametrize("opened", [open_store, open_hub_store])
def test_nobody_else_reads_games_or_a_copy_of_them(
    tmp_path: Path, opened: Callable[[str], Any]
) -> None:
    """Neither while they are open nor after a backup, a copy, a restore and an update."""
    folder = tmp_path / "data"
    path = folder / "games.sqlite3"
    with closing(opened(f"sqlite:///{path}")), closing(open_store(f"sqlite:///{path}")) as store:
        store.open_game(header())
        kept = store.back_up(TODAY)
        store.copy_to(folder / "copy.sqlite3")
        assert Path(f"{path}-wal").exists()
        assert rights_of_others(folder) == {}
    assert kept is not None
    kept.chmod(0o644)  # as an older Tablescore left it
    restore_database(f"sqlite:///{path}", kept)
    restore_database(f"sqlite:///{folder}/elsewhere/games.sqlite3", kept)
    kept.chmod(0o600)
    assert rights_of_others(folder) == {}


def test_a_file_of_an_older_tablescore_becomes_its_owner_s_alone(
    store: SqlStore, path: Path
) -> None:
    """With its log, and without touching the games."""
    store.checkpoint()
    files = [Path(f"{path}{end}") for end in ("", "-wal", "-shm")]
    for each in files:
        each.chmod(0o644)
    with closing(open_store(f"sqlite:///{path}")) as again:
        assert again.count() == 1
        assert {each.stat().st_mode & 0o077 for each in files} == {0}


def test_a_damaged_database_is_not_backed_up(store: SqlStore, path: Path) -> None:
    store.back_up(TODAY)
    store.close()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))
    with pytest.raises(StoreError):
        store.back_up(TODAY)
    assert len(backups_of(path)) == 1
    with pytest.raises(SchemaError, match=r"is damaged; go on with its newest backup"):
        store.events("evening")


def test_a_backup_comes_back_and_the_replaced_file_is_kept(
    store: SqlStore, path: Path, tmp_path: Path
) -> None:
    """With what was in its write-ahead log."""
    url, backup = f"sqlite:///{path}", tmp_path / "backup.sqlite3"
    store.copy_to(backup)
    store.open_game(header("later"))
    store.close()
    aside = restore_database(url, backup)
    assert aside is not None
    assert games_in(path) == ["evening"]
    assert games_in(aside) == ["later", "evening"]
    with lock_database(url), closing(open_store(url)) as again:
        assert again.count() == 1


@pytest.mark.parametrize(
    "content", [b"", b"a shopping list " * 100, b"SQLite format 3\0" + bytes(5000)]
)
def test_what_is_no_backup_replaces_nothing(
    store: SqlStore, path: Path, tmp_path: Path, content: bytes
) -> None:
    """It is looked at before anything is moved."""
    store.close()
    (tmp_path / "list").write_bytes(content)
    with pytest.raises(SchemaError, match="name another backup"):
        restore_database(f"sqlite:///{path}", tmp_path / "list")
    with pytest.raises(StoreError, match="There is no file"):
        restore_database(f"sqlite:///{path}", tmp_path / "nothing")
    assert games_in(path) == ["evening"]


def test_another_programs_file_is_no_backup(store: SqlStore, path: Path, tmp_path: Path) -> None:
    store.close()
    with closing(sqlite3.connect(tmp_path / "recipes")) as connection, connection:
        connection.execute("CREATE TABLE recipes (name)")
    with pytest.raises(SchemaError, match="name another backup"):
        restore_database(f"sqlite:///{path}", tmp_path / "recipes")


def test_nothing_is_restored_under_a_running_table(
    store: SqlStore, path: Path, tmp_path: Path
) -> None:
    url, backup = f"sqlite:///{path}", tmp_path / "backup.sqlite3"
    store.copy_to(backup)
    store.close()
    with lock_database(url), pytest.raises(StoreError, match="Another table or hub works with"):
        restore_database(url, backup)


def test_no_file_is_written_over(store: SqlStore, tmp_path: Path) -> None:
    (tmp_path / "there").write_text("a letter")
    with pytest.raises(StoreError, match="is there already"):
        store.copy_to(tmp_path / "there")
    with pytest.raises(StoreError, match="cannot be written"):
        store.copy_to(tmp_path / "no folder" / "backup")
    assert (tmp_path / "there").read_text() == "a letter"


def test_a_server_has_its_own_tools(postgresql: str) -> None:
    """The sentence names them; a game's end makes nothing."""
    with closing(open_store(postgresql)) as store:
        store.checkpoint()
        assert store.back_up(TODAY) is None
        assert store.is_backed_up()
        with pytest.raises(StoreError, match="pg_dump"):
            store.copy_to(Path("backup"))
    with pytest.raises(StoreError, match="pg_dump"):
        restore_database(postgresql, Path("backup"))
    with pytest.raises(StoreError, match="memory"):
        restore_database("memory:", Path("backup"))
