"""`tablescore diagnose`: beside a running table, without one, and when all is broken."""

from __future__ import annotations

import json
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.client import HTTPConnection
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import Result

from scoreboard.storage import open_store
from tests.patience import PATIENCE_SECONDS, until
from tests.scoreboard.storage.records import RECORDS, header
from tests.web.cli.calling import call
from tests.web.process import NEW_GAME, RunningProcess, running
from tests.web.test_run import BY_HAND, enter
from web.shared.plan import settings_without_secrets
from web.shared.settings import Settings, TableSettings
from web.table.diagnostics import RunningNote

SIMULATED = '[buttons]\npins = "simulated"\n'
NOTHING_RUNS = "No table runs with this database."


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The address of a database that does not exist yet."""
    return f"sqlite:///{tmp_path}/games.sqlite3"


def diagnose(database: str, file: Path, *options: str) -> Result:
    """Call the command on a machine without pins."""
    settings = file.parent / "table.toml"
    settings.write_text(SIMULATED)
    arguments = [str(file), "--database", database, "--settings", str(settings), *options]
    return call("diagnose", *arguments)


def contents(file: Path) -> dict[str, str]:
    """The zip's files by name, the picture as empty text."""
    with zipfile.ZipFile(file) as archive:
        return {
            name: "" if name.endswith(".jpg") else archive.read(name).decode()
            for name in archive.namelist()
        }


def diagnosed(database: str, folder: Path, *options: str) -> dict[str, str]:
    """What a diagnosis that works has in its zip."""
    file = folder / "table.zip"
    result = diagnose(database, file, *options)
    assert result.exit_code == 0, result.output
    return contents(file)


def stored(database: str) -> None:
    """A game in the database."""
    store = open_store(database)
    store.open_game(header())
    store.append(header().game_id, 0, RECORDS)
    store.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the games of a running table are."""
    return tmp_path_factory.mktemp("table")


@pytest.fixture(scope="module")
def table(folder: Path) -> Iterator[RunningProcess]:
    """A table at which a roll was entered, and a press did nothing."""
    database = f"sqlite:///{folder}/games.sqlite3"
    with running(*BY_HAND, "--database", database) as table:
        table.ask("/setup", NEW_GAME)
        assert enter(table, "13566")["verdict"] == "done"
        table.ask("/press", [("action", "undo"), ("seen", "0.1")])
        yield table


class TestBesideARunningTable:
    """The table that plays is asked for what only it knows."""

    def test_its_state_its_log_and_its_events_are_reported(
        self, table: RunningProcess, folder: Path, tmp_path: Path
    ) -> None:
        """Without -v at its start, without touching it, and it plays on."""
        zipped = diagnosed(f"sqlite:///{folder}/games.sqlite3", tmp_path)
        assert "step 1 (page): roll 13566" in zipped["log.txt"]
        state = json.loads(zipped["running.json"])
        assert state["camera"]["source"] == "photos that a phone sends on the page"
        assert state["game"]["events"] == 2
        assert json.loads(zipped["settings.json"])["camera"]["source"] == "upload"
        first, *events = map(json.loads, zipped["events.jsonl"].splitlines())
        assert first["game_id"] == state["game"]["id"]
        assert len(events) == 2
        assert (
            "frame.jpg: not here. The running table's camera has given no picture yet."
            in (zipped["README.txt"])
        )
        assert table.ask("/").status == 200

    def test_nobody_else_gets_an_answer(
        self, table: RunningProcess, folder: Path, tmp_path: Path
    ) -> None:
        """The key stands in a file that only its owner can read, and is in no zip."""
        note = folder / "games.running.json"
        assert stat.S_IMODE(note.stat().st_mode) == 0o600
        key = json.loads(note.read_text())["key"]
        for authorization in ("", "Bearer wrong", f"Basic {key}"):
            for path in ("/diagnostics", "/diagnostics/frame.jpg"):
                asked = HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE_SECONDS)
                asked.request("GET", path, headers={"Authorization": authorization})
                assert asked.getresponse().status == 404
                asked.close()
        zipped = diagnosed(f"sqlite:///{folder}/games.sqlite3", tmp_path)
        assert key not in "".join(zipped.values())


def test_the_picture_of_a_running_demo_is_in_it(database: str, tmp_path: Path) -> None:
    """What the camera saw last, as JPEG; and the note goes with the table."""
    file = tmp_path / "table.zip"
    with running("--database", database) as table:
        note = RunningNote(tmp_path / "games.sqlite3")
        until(lambda: note.ask().picture is not None)
        assert diagnose(database, file).exit_code == 0
        table.process.terminate()
        table.process.wait(PATIENCE_SECONDS)
    with zipfile.ZipFile(file) as archive:
        assert archive.read("frame.jpg").startswith(b"\xff\xd8")
    assert not (tmp_path / "games.running.json").exists()


def test_without_a_running_table_the_parts_are_tried(database: str, tmp_path: Path) -> None:
    """Camera and pins as `check` finds them, a picture of the camera, the events, no log."""
    stored(database)
    file = tmp_path / "table.zip"
    result = diagnose(database, file)
    assert result.exit_code == 0, result.output
    zipped = contents(file)
    assert zipped["parts.txt"].startswith(f"{NOTHING_RUNS} So they were tried:\ncamera demo:")
    assert "view, green: works." in zipped["parts.txt"]
    assert "buttons and lamps: simulated. " in zipped["parts.txt"]
    assert "frame.jpg" in zipped
    assert len(zipped["events.jsonl"].splitlines()) == 1 + len(RECORDS)
    assert f"log.txt: not here. {NOTHING_RUNS} Name the file of --log-file" in zipped["README.txt"]
    assert f"tablescore              {version('tablescore')}" in zipped["versions.txt"]
    assert "before you share it" in result.stdout.splitlines()[-1]


def test_only_the_last_events_are_taken(database: str, tmp_path: Path) -> None:
    """The newest game's header and its last 100 events."""
    store = open_store(database)
    store.open_game(header())
    for sequence in range(1, 131):
        event = replace(RECORDS[0], sequence=sequence, step=sequence)
        store.append(header().game_id, sequence - 1, (event,))
    store.close()
    first_line, *events = diagnosed(database, tmp_path)["events.jsonl"].splitlines()
    assert [json.loads(line)["sequence"] for line in events] == list(range(31, 131))
    assert json.loads(first_line)["game_id"] == header().game_id


def test_the_end_of_a_log_file_is_taken(database: str, tmp_path: Path) -> None:
    """The file that `run` was given, named again."""
    log = tmp_path / "table.log"
    log.write_text("x" * 600_000 + "\nthe last line\n")
    zipped = diagnosed(database, tmp_path, "--log-file", str(log))["log.txt"]
    assert zipped.endswith("\nthe last line\n")
    assert len(zipped) == 512 * 1024


def test_a_damaged_database_takes_nothing_else_away(database: str, tmp_path: Path) -> None:
    """The zip says what is wrong with it in the store's own words."""
    (tmp_path / "games.sqlite3").write_bytes(b"no database at all, " * 500)
    zipped = diagnosed(database, tmp_path)
    assert "events.jsonl" not in zipped
    assert "is no database of games" in zipped["README.txt"]
    assert {"versions.txt", "settings.json", "parts.txt", "frame.jpg"} < zipped.keys()


def test_a_table_that_was_killed_is_reported(database: str, tmp_path: Path) -> None:
    """Its note lies there still, and nobody answers."""
    stored(database)
    RunningNote(tmp_path / "games.sqlite3").write("http://127.0.0.1:9/", "a key")
    zipped = diagnosed(database, tmp_path)
    assert "games.running.json does not answer" in zipped["parts.txt"]
    assert "events.jsonl" in zipped


def test_a_camera_that_fails_is_reported(database: str, tmp_path: Path) -> None:
    """And there is no picture then."""
    zipped = diagnosed(database, tmp_path, "--camera", f"folder:{tmp_path}/none")
    assert f"camera folder:{tmp_path}/none: FAILS." in zipped["parts.txt"]
    assert "frame.jpg: not here." in zipped["README.txt"]
    assert "events.jsonl: not here. No game is stored." in zipped["README.txt"]


def test_a_file_that_is_there_is_left_alone(database: str, tmp_path: Path) -> None:
    """One sentence with the cure, exit status 1; a new file is its owner's alone."""
    file = tmp_path / "table.zip"
    assert diagnose(database, file).exit_code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.read_bytes()
    again = diagnose(database, file)
    assert (again.exit_code, again.stderr) == (1, f"{file} is there already: name a new file.\n")
    assert file.read_bytes() == before


def test_settings_are_reported_without_a_password() -> None:
    """Neither the address's own nor one among its parameters."""
    url = "postgresql+psycopg://hub:sec%2Fret@db.example:5433/league?password=hidden&sslkey=k"
    document = settings_without_secrets(Settings(table=TableSettings(url)))
    assert document["table"]["database"] == "postgresql://hub@db.example:5433/league"
