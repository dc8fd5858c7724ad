"""The commands on stored games: listed, exported, deleted, backed up, restored."""

from __future__ import annotations

import csv
import json
import re
import shlex
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import get_args
from zipfile import ZipFile

import pytest

from scoreboard.games.engine.transcript import UNKNOWN, Abandoned, GameHeader, RecordedEvent
from scoreboard.games.notation import replay_text
from scoreboard.storage import SqlStore, open_store
from scoreboard.storage.score_photos import ScorePhoto
from tests.scoreboard.storage.records import header
from tests.web.cli.calling import call
from web.shared.plan import DEMO_FILE, GAMES_FILE, default_database
from web.table.history.archive import ExportFormat

OPENED = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)
EVENING = "game yahtzee\nplayers =1+1, South\nroll 55521\nscore fives 15\n"


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's data folder, in a place of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def keep(url: str, game_id: str, text: str, then: Iterable[object] = (), by: str = UNKNOWN) -> None:
    """Store a written game under that id."""
    written = replay_text(text, game_id)
    header = written.header
    more = tuple(
        RecordedEvent(game_id, number, OPENED, "page", number, event, by)
        for number, event in enumerate(then, start=len(written.records) + 1)
    )
    with closing(open_store(url)) as store:
        store.open_game(GameHeader(game_id, header.game, header.players, OPENED, header.options))
        store.append(game_id, 0, (*written.records, *more))


def run(*arguments: str) -> list[str]:
    """What the command prints, line by line."""
    result = call(*arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout.splitlines()


def test_own_games_come_before_the_demos() -> None:
    """Both databases are looked into when none is named; own games are what people look for."""
    keep(default_database(DEMO_FILE), "demo", EVENING)
    keep(default_database(GAMES_FILE), "mine", EVENING, [Abandoned()])
    mine, demo = run("games")
    assert mine.split()[0] == "mine"
    assert "abandoned" in mine
    assert mine.endswith("=1+1 15, South 0")
    assert demo.split()[0] == "demo"
    assert "unfinished" in demo


def test_no_games_is_no_fault(data_folder: Path) -> None:
    """An empty list is an empty output, and no database is made by looking."""
    result = call("games")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "No games are stored yet" in result.stderr
    assert list(data_folder.iterdir()) == []


def test_a_named_database_is_the_only_one(data_folder: Path) -> None:
    """The command line beats the settings, which beat the defaults."""
    keep(default_database(GAMES_FILE), "mine", EVENING)
    keep(f"sqlite:///{data_folder}/club.sqlite3", "club", EVENING)
    keep(f"sqlite:///{data_folder}/other.sqlite3", "other", EVENING)
    settings = data_folder / "table.toml"
    settings.write_text(f'[table]\ndatabase = "sqlite:///{data_folder}/club.sqlite3"\n')
    (line,) = run("games", "--settings", str(settings))
    assert line.startswith("club ")
    other = f"sqlite:///{data_folder}/other.sqlite3"
    (line,) = run("games", "--settings", str(settings), "--database", other)
    assert line.startswith("other ")


def test_json_is_what_replay_prints(data_folder: Path) -> None:
    """One program reads both; the stored game's steps come on top."""
    keep(default_database(GAMES_FILE), "mine", EVENING)
    file = data_folder / "evening.txt"
    file.write_text(EVENING)
    (exported,) = run("export", "mine", "--format", "json")
    (replayed,) = run("replay", str(file), "--json")
    figures = json.loads(exported)
    assert [step["act"] for step in figures.pop("steps")] == ["roll 55521", "score fives 15"]
    assert figures == json.loads(replayed)


def test_the_photos_behind_the_scores_are_a_zip() -> None:
    """As on the page; the standard output takes its bytes."""
    keep(default_database(GAMES_FILE), "mine", EVENING)
    with closing(open_store(default_database(GAMES_FILE))) as store:
        assert isinstance(store, SqlStore)
        store.photos.add(ScorePhoto("mine", 1, OPENED, b"\xff\xd8\r\n", {"pieces": []}))
    result = call("export", "mine", "--format", "photos.zip")
    with ZipFile(BytesIO(result.stdout_bytes)) as files:
        assert files.namelist() == ["step-0001.jpg", "photos.json"]
        assert files.read("step-0001.jpg") == b"\xff\xd8\r\n"


def test_the_steps_say_who_confirmed_them() -> None:
    """Of an older Tablescore's steps nobody knows."""
    keep(default_database(GAMES_FILE), "mine", EVENING, [Abandoned()], by="phone-1")
    (exported,) = run("export", "mine", "--format", "json")
    *unknown, closed = json.loads(exported)["steps"]
    assert [step["confirmed_by"] for step in unknown] == [None, None]
    assert closed == {
        "step": 3,
        "recorded_at": OPENED.isoformat(),
        "source": "page",
        "confirmed_by": "phone-1",
        "act": "put away",
        "photo": None,
    }


def test_an_unknown_game_is_named() -> None:
    """The id that was asked for stands in the sentence."""
    keep(default_database(GAMES_FILE), "mine", EVENING)
    for form in get_args(ExportFormat):
        result = call("export", "yours", "--format", form)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == "No stored game is called “yours”.\n"


def test_a_deleted_game_is_in_the_bin_until_it_is_taken_back() -> None:
    """The list and the bin name each other; the bin says how long the game stays."""
    keep(default_database(GAMES_FILE), "mine", EVENING)
    keep(default_database(GAMES_FILE), "other", EVENING)
    assert len(run("games")) == 2
    earliest = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(days=7)
    (sentence,) = run("delete", "mine", "--yes")
    assert "tablescore delete --take-back mine" in sentence
    listed = call("games")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == ["other"]
    assert listed.stderr == "1 more in the bin: tablescore games --bin lists them.\n"
    (line,) = run("games", "--bin")
    found = re.fullmatch(r"mine  .*  until (.{10} .{5})  =1\+1 15, South 0", line)
    assert found is not None
    until = datetime.fromisoformat(found[1]).astimezone()
    assert earliest <= until <= datetime.now(UTC) + timedelta(days=7)
    assert run("delete", "--take-back", "mine") == []
    assert [line.split()[0] for line in run("games")] == ["other", "mine"]
    empty = call("games", "--bin")
    assert (empty.stdout, empty.stderr) == ("", "The bin is empty.\n")


def test_a_command_that_is_printed_is_for_the_same_games(tmp_path: Path) -> None:
    """With the options that name them, quoted: as it stands it does what its sentence says."""
    url, settings = f"sqlite:///{tmp_path}/two words.db", tmp_path / "table.toml"
    settings.touch()
    keep(url, "mine", EVENING)
    at = ("--database", url, "--settings", str(settings))
    printed = run("delete", "mine", "--yes", *at)
    printed += call("games", *at).stderr.splitlines()
    file = tmp_path / "kept.sqlite3"
    run("backup", str(file), *at)
    printed += run("restore", str(file), *at)
    commands = re.findall(r"tablescore ([^;\n]+?)(?= puts| lists| keeps)", "\n".join(printed))
    assert [shlex.split(each)[0] for each in commands] == ["delete", "games", "games", "delete"]
    for command in commands:
        words = [each.replace("GAME_ID", "mine") for each in shlex.split(command)]
        assert call(*words).exit_code == 0, command
        if words[0] == "delete":
            run("delete", "mine", "--yes", *at)


@pytest.mark.parametrize("binned", [False, True])
def test_a_game_is_deleted_for_good(*, binned: bool) -> None:
    """Out of the list or out of the bin; nothing brings it back."""
    keep(default_database(GAMES_FILE), "mine", EVENING)
    if binned:
        run("delete", "mine", "--yes")
    assert run("delete", "mine", "--for-good", "--yes") == []
    assert run("games") == run("games", "--bin") == []
    gone = call("delete", "mine", "--take-back")
    assert (gone.exit_code, gone.stderr) == (1, "No stored game is called “mine”.\n")


def test_deleting_asks_what_it_does() -> None:
    """Nothing is done without an answer, nor where the options contradict each other."""
    keep(default_database(GAMES_FILE), "mine", EVENING)
    for options, question in (
        ((), "Delete mine into the bin?"),
        (("--for-good",), "Delete mine for good?"),
    ):
        asked = call("delete", "mine", *options, typed="n\n")
        assert (asked.exit_code, question in asked.stderr) == (1, True)
    both = call("delete", "mine", "--for-good", "--take-back")
    assert (both.exit_code, "contradict" in both.stderr) == (1, True)
    assert len(run("games")) == 1


def test_a_game_in_the_bin_is_exported_once_it_is_back() -> None:
    """Only its raw rows can be had of it before; the sentence names the cure."""
    keep(default_database(GAMES_FILE), "mine", EVENING)
    run("delete", "mine", "--yes")
    for form in ("txt", "json"):
        refused = call("export", "mine", "--format", form)
        assert refused.exit_code == 1
        assert refused.stderr == "Game “mine” is in the bin: take it back first.\n"
    assert run("export", "mine", "--format", "raw")


def test_everything_is_exported_at_once() -> None:
    """All finished games as CSV; one that goes on is left out."""
    url = default_database(GAMES_FILE)
    keep(url, "on", EVENING)
    solo = Path(__file__).parents[2] / "playthroughs" / "solo.txt"
    keep(url, "solo", solo.read_text(encoding="utf-8"))
    rows = list(csv.DictReader(run("export", "--all", "--format", "csv")))
    assert {row["game_id"] for row in rows} == {"solo"}
    for wrong in ("--all --format json", "--all solo --format csv", "solo --format csv"):
        assert call("export", *wrong.split()).exit_code == 2


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
