"""`tablescore backup` and `tablescore restore`, from outside."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from scoreboard.storage import open_store
from tests.scoreboard.storage.records import header
from tests.web.cli.calling import call


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A database with one game."""
    place = f"sqlite:///{tmp_path}/games.sqlite3"
    with closing(open_store(place)) as store:
        store.open_game(header())
    return place


def test_all_games_go_into_one_file_and_come_back(url: str, tmp_path: Path) -> None:
    """Also after the database was deleted; the replaced file is named."""
    file, at = str(tmp_path / "kept.sqlite3"), ("--database", url)
    assert "1 games" in call("backup", file, *at).stdout
    with closing(open_store(url)) as store:
        store.open_game(header("later"))
    back = call("restore", file, *at)
    assert "1 games are stored now." in back.stdout
    assert "games-replaced-1.sqlite3" in back.stdout
    assert [line.split()[0] for line in call("games", *at).stdout.splitlines()] == ["evening"]
    (tmp_path / "games.sqlite3").unlink()
    assert call("restore", file, *at).exit_code == 0
    assert call("games", *at).stdout.startswith("evening")


def test_the_bin_is_backed_up_and_comes_back(url: str, tmp_path: Path) -> None:
    """Both commands say how many games are in it."""
    file, at = str(tmp_path / "kept.sqlite3"), ("--database", url)
    call("delete", "evening", "--yes", *at)
    assert "0 games, 1 more in the bin." in call("backup", file, *at).stdout
    call("delete", "evening", "--for-good", "--yes", *at)
    back = call("restore", file, *at)
    assert "0 games are stored now." in back.stdout
    assert "1 more in the bin" in back.stdout
    assert call("delete", "evening", "--take-back", *at).exit_code == 0
    assert call("games", *at).stdout.startswith("evening")


def test_games_that_are_gone_are_no_empty_list(url: str, tmp_path: Path) -> None:
    """The list says that they were there, and how they come back."""
    (tmp_path / "games.sqlite3").unlink()
    listed = call("games", "--database", url)
    assert listed.exit_code == 1
    assert "games were kept in it" in listed.stderr


def test_nothing_to_back_up_is_reported(tmp_path: Path) -> None:
    """No empty backup is made of a place that was mistyped."""
    result = call("backup", str(tmp_path / "kept"), "--database", f"sqlite:///{tmp_path}/none")
    assert (result.exit_code, "No games are kept" in result.stderr) == (1, True)
    assert not (tmp_path / "kept").exists()


def test_a_folder_keeps_the_newest_backups(url: str, tmp_path: Path) -> None:
    """What lies there besides stays, and a new backup is never the one that goes."""
    folder = tmp_path / "stick"
    folder.mkdir()
    for name in ("games-2024-05-01-120000", "games-2024-05-02-120000", "games-2999-01-01-000000"):
        (folder / f"{name}.sqlite3").write_text("older")
    for end in ("", "-wal", "-shm"):
        (folder / f"games-2025-05-01-120000.sqlite3.new{end}").write_text("a power cut")
    own = {"games-1999 of grandmother.sqlite3", "games-of-may.sqlite3", "holiday.sqlite3"}
    for name in own:
        (folder / name).write_text("not ours")
    written = call("backup", str(folder), "--keep", "2", "--database", url).stdout
    new = Path(written.partition(":")[0])
    kept = {"games-2999-01-01-000000.sqlite3", new.name, *own}
    assert {each.name for each in folder.iterdir()} == kept
    assert "1 games" in written
    assert call("restore", str(new), "--database", url).exit_code == 0


@pytest.mark.parametrize("name", ["stick", 300 * "unreachable"])
def test_an_unplugged_stick_is_no_fault(url: str, tmp_path: Path, name: str) -> None:
    """The daily backup says so and is done; nothing is written where the stick would be.

    One that is mounted when it is asked for answers with a fault of its own.
    """
    result = call("backup", str(tmp_path / name), "--keep", "2", "--database", url)
    assert (result.exit_code, "stick plugged in?" in result.stdout) == (0, True)
    assert [each.name for each in tmp_path.iterdir() if "games" not in each.name] == []


def test_a_folder_alone_names_no_file(url: str, tmp_path: Path) -> None:
    """Whoever names a folder is told of both ways."""
    result = call("backup", str(tmp_path), "--database", url)
    assert (result.exit_code, "--keep" in result.stderr) == (1, True)
