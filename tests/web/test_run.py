"""`tablescore run` as real processes: how it starts, refuses, goes on and ends."""

from __future__ import annotations

import os
import re
import resource
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path

import pytest

from hardware.cameras.demo import demo_evening
from scoreboard.storage import open_store
from tests.patience import PATIENCE_SECONDS
from tests.web.process import NEW_GAME, ROOT, RunningProcess, document, running
from web.addresses import network_addresses

BY_HAND = ("--camera", "upload")
# root may write everywhere, unless it gives that right away
AS_A_USER = ("setpriv", "--bounding-set=-dac_override") if os.getuid() == 0 else ()


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The address of a database that does not exist yet."""
    return f"sqlite:///{tmp_path}/table/games.sqlite3"


def file_of(database: str) -> Path:
    """The database's file."""
    return Path(database.removeprefix("sqlite:///"))


def refused(*options: str, under: Sequence[str] = ()) -> str:
    """What a start that is refused says: one sentence on stderr, exit status 1."""
    command = [*under, sys.executable, "-m", "web", "run", *options]
    ended = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert ended.returncode == 1, ended
    assert ended.stderr.count("\n") == 1, ended.stderr
    return ended.stderr


def enter(table: RunningProcess, roll: str) -> dict[str, object]:
    """Enter a roll by hand and confirm it as final; what the table says to that."""
    entered = document(table.ask("/roll", [("roll", roll), ("seen", table.seen())]))
    seen = f"{entered['run']}.{entered['version']}"
    return document(table.ask("/press", [("action", "keep"), ("seen", seen)]))


def test_the_start_tells_what_is_real_and_how_to_get_in(database: str) -> None:
    """Camera, buttons, games, the address, who may act, and how to let a tablet in."""
    with running(*BY_HAND, "--database", database) as table:
        assert "real: photos that a phone sends on the page" in table.printed
        assert "the button panel on the page stands in" in table.printed
        assert str(file_of(database)) in table.printed
        assert f"http://127.0.0.1:{table.port}/" in table.printed
        assert "make run HOST=0.0.0.0" in table.printed
        assert table.ask("/").status == 200


def test_a_camera_that_is_chosen_on_the_page_is_the_tables(tmp_path: Path) -> None:
    """The demo ends, and the same program starts as the table of a phone's photos."""
    with running(environment={"XDG_DATA_HOME": str(tmp_path)}) as table:
        port = table.port
        assert "Tablescore: the demo evening" in table.printed
        answer = table.ask("/camera-setup/choose", [("source", "upload")])
        assert "The table starts again" in answer.body
        table.printed = ""
        table.wait_until_listening()
        assert "Tablescore: the table\n" in table.printed
        assert "real: photos that a phone sends on the page" in table.printed
        assert (table.port, table.ask("/healthz").status) == (port, 200)


def test_an_address_that_came_after_the_start_is_served(database: str) -> None:
    """127.0.0.5 stands for it: this machine's, and in no list that was made at the start."""
    everywhere = "0.0.0.0"  # noqa: S104 -- what the command line takes
    with running(*BY_HAND, "--database", database, "--host", everywhere) as table:
        page = f"http://127.0.0.5:{table.port}/"
        with urllib.request.urlopen(page, timeout=PATIENCE_SECONDS) as answer:
            assert answer.status == 200


def test_only_this_machine_owns_what_the_network_reaches(database: str) -> None:
    """By its own network address it is a device like any other: it watches, and may ask in."""
    everywhere = "0.0.0.0"  # noqa: S104 -- what the command line takes
    address = next(iter(network_addresses()), None)
    if address is None:
        pytest.skip("this machine is on no network")
    with running(*BY_HAND, "--database", database, "--host", everywhere) as table:
        assert table.ask("/devices").status == 200
        with closing(HTTPConnection(address, table.port, timeout=PATIENCE_SECONDS)) as device:
            for path, status in (("/", 200), ("/devices", 403)):
                device.request("GET", path)
                answer = device.getresponse()
                answer.read()
                assert answer.status == status
        assert table.process.stdout is not None
        shown = "".join(islice(table.process.stdout, 4))
        assert f"open http://{address}:{table.port}/pair on it and type" in shown


def test_a_phone_as_the_camera_is_led_to_its_page_over_https(database: str, tmp_path: Path) -> None:
    """Nobody asked for https; the code in the terminal lets the phone in and is the camera's."""
    everywhere = "0.0.0.0"  # noqa: S104 -- what the command line takes
    address = next(iter(network_addresses()), None)
    if address is None:
        pytest.skip("this machine is on no network")
    options = ("--camera", "phone", "--database", database, "--host", everywhere)
    with running(*options, environment={"XDG_DATA_HOME": str(tmp_path)}) as table:
        assert "real: a phone’s camera, live" in table.printed
        assert "how a device trusts it" in table.printed
        assert table.process.stdout is not None
        shown = "".join(islice(table.process.stdout, 4))
        assert "Make a phone the camera, and let it play" in shown
        assert f"open https://{address}:{table.port}/camera on it and type" in shown


def test_over_https_everything_is_done_as_over_http(database: str, tmp_path: Path) -> None:
    """The start tells how devices trust the table, who does so plays, and a restart keeps trust."""
    home = {"XDG_DATA_HOME": str(tmp_path)}
    options = (*BY_HAND, "--database", database, "--https")
    with running(*options, environment=home) as table:
        told = re.search(r"SHA-256 ((?:[0-9A-F]{2} ?){32})\n", table.printed)
        assert told is not None
        assert "/certificate" in table.printed
        trusted = ssl.create_default_context(cadata=authority_of(table))
        table.trusted = trusted
        assert told[1].strip() in table.ask("/certificate").body
        assert table.ask("/setup", NEW_GAME).status == 303
        assert enter(table, "13566")["verdict"] == "done"
    with running(*options, environment=home) as table:
        table.trusted = trusted
        chosen = table.ask("/choose", [("offer", "score:chance"), ("seen", table.seen())])
        assert document(chosen)["verdict"] == "done"
        with table.send("/live") as viewer:
            assert b"text/event-stream" in viewer.recv(4096)
            table.process.send_signal(signal.SIGINT)
            assert table.process.wait(PATIENCE_SECONDS) == 0


def authority_of(table: RunningProcess) -> str:
    """The certificate that a device downloads, over plain http."""
    return table.ask("/certificate/tablescore.crt").body


def test_a_certificate_that_cannot_be_kept_is_refused(database: str, tmp_path: Path) -> None:
    """Before anything is started, and with the cure."""
    (tmp_path / "tablescore").mkdir()
    (tmp_path / "tablescore" / "https").write_text("")
    home = ("env", f"XDG_DATA_HOME={tmp_path}")
    options = (*BY_HAND, "--port", "0", "--database", database, "--https")
    assert "or start without --https" in refused(*options, under=home)


def test_the_newest_unfinished_game_goes_on(database: str) -> None:
    """After a restart the table stands where it stood."""
    with running(*BY_HAND, "--database", database) as table:
        assert table.ask("/setup", NEW_GAME).status == 303
        assert enter(table, "13566")["verdict"] == "done"
    with running(*BY_HAND, "--database", database) as table:
        chosen = table.ask("/choose", [("offer", "score:chance"), ("seen", table.seen())])
        assert document(chosen)["verdict"] == "done"


def test_it_ends_by_itself_and_prints_nothing(database: str) -> None:
    """Ctrl-C ends the table though browsers watch; `test_server` tries other signals."""
    with running(*BY_HAND, "--database", database) as table:
        table.ask("/setup", NEW_GAME)
        with ExitStack() as viewers:
            for _ in range(12):
                viewer = viewers.enter_context(table.send("/live"))
                assert b"text/event-stream" in viewer.recv(4096)
            table.process.send_signal(signal.SIGINT)
            table.process.wait(PATIENCE_SECONDS)
        status = table.process.wait(PATIENCE_SECONDS)
        assert (status, without_reader(table.end())) == (0, "")
    open_store(database).close()


def without_reader(errors: str) -> str:
    """What was said on stderr, but for a reader that this checkout has no weights for."""
    return "".join(line for line in errors.splitlines(keepends=True) if "model “dice”" not in line)


def test_systemd_hears_that_the_table_is_ready_and_lives(database: str, tmp_path: Path) -> None:
    """As the unit starts it: one READY once there is a table, then a ping each second."""
    address = str(tmp_path / "notify")
    environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "30000000"}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(address)
        systemd.settimeout(PATIENCE_SECONDS)
        with running("--database", database, environment=environment) as table:
            heard = [systemd.recv(64) for _ in range(3)]
            assert table.ask("/").status == 200
    assert heard == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]


def test_a_second_table_on_the_same_games_is_refused(database: str) -> None:
    """Two cameras and two inboxes must not write into one game."""
    with running(*BY_HAND, "--database", database):
        assert "Another table plays with" in refused("--database", database, "--port", "0")
    with running(*BY_HAND, "--database", database):
        pass


def test_a_killed_table_blocks_nothing(database: str) -> None:
    """Neither lock nor port outlives a master that was killed, workers included."""
    with running(*BY_HAND, "--database", database) as table:
        port = str(table.port)
        table.process.kill()
        table.process.wait()
        time.sleep(0.2)
        with running(*BY_HAND, "--database", database, "--port", port) as again:
            assert again.ask("/").status == 200


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        ("games.sqlite3", "games.sqlite3 cannot be written; give the right to its folder"),
        ("folder/games.sqlite3", "folder cannot be made (Permission denied); name another"),
    ],
)
def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, place: str, fault: str) -> None:
    """The sentence names the place and what to do."""
    tmp_path.chmod(0o500)
    try:
        sentence = refused(
            *BY_HAND, "--port", "0", "--database", f"sqlite:///{tmp_path}/{place}", under=AS_A_USER
        )
    finally:
        tmp_path.chmod(0o700)
    assert f"{tmp_path}/{fault}" in sentence


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--camera", "webcm:0"], "There is no camera 'webcm:0'"),
        (["--camera", "webcam:"], "webcam:0"),
        (["--settings", "/no/such/file.toml"], "/no/such/file.toml cannot be read"),
    ],
)
def test_what_cannot_be_understood_is_refused(
    database: str, options: list[str], sentence: str
) -> None:
    """A slip in a name is told at the start, not on the page."""
    assert sentence in refused("--port", "0", "--database", database, *options)


def wait_for_page(table: RunningProcess, holds: Callable[[str], bool]) -> None:
    """Wait until the page is as it should become."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds(page := table.ask("/").body.lower()):
        assert time.monotonic() < deadline, page
        time.sleep(0.1)


def test_a_camera_that_fails_is_reported_never_replaced_and_taken_up_again(
    database: str, tmp_path: Path
) -> None:
    """The page names the fault, play on by hand, no demo steps in; then it comes back."""
    folder = tmp_path / "pictures"
    with running("--camera", f"folder:{folder}", "--database", database) as table:
        table.ask("/setup", NEW_GAME)
        wait_for_page(table, lambda page: "play on by hand" in page)
        assert enter(table, "13566")["verdict"] == "done"
        assert table.ask("/press", [("action", "undo"), ("seen", table.seen())]).status == 200
        folder.mkdir()
        empty = demo_evening().joinpath("empty.webp").read_bytes()
        (folder / "1.webp").write_bytes(empty)
        wait_for_page(table, lambda page: "play on by hand" not in page)


def full(table: RunningProcess, limit: int) -> None:
    """Let no file of the table grow beyond the limit, as a full disk would."""
    for pid in (
        Path(f"/proc/{table.process.pid}/task/{table.process.pid}/children").read_text().split()
    ):
        resource.prlimit(int(pid), resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))


def test_a_full_disk_pauses_the_game_and_loses_nothing(database: str) -> None:
    """What cannot be kept is not shown as done, the page says why, and it heals."""
    with running(*BY_HAND, "--database", database) as table:
        table.ask("/setup", NEW_GAME)
        full(table, 1024)
        answer = enter(table, "13566")
        assert answer["verdict"] == "refused"
        assert "disk" in table.ask("/").body
        assert document(table.ask("/press", [("action", "undo"), ("seen", "x.1")]))["verdict"] == (
            "stale"
        )
        full(table, resource.RLIM_INFINITY)
        assert enter(table, "13566")["verdict"] == "done"


def test_a_disk_that_is_full_at_the_start_is_refused(database: str) -> None:
    """One sentence, and no traceback, when not even an empty database fits."""
    full_disk = ("prlimit", "--fsize=0")
    sentence = refused(*BY_HAND, "--port", "0", "--database", database, under=full_disk)
    assert "disk" in sentence


def test_the_demo_evening_opens_a_game_by_itself(tmp_path: Path) -> None:
    """A newcomer sees a table at play, in a database of its own."""
    place = {"XDG_DATA_HOME": str(tmp_path)}
    with running(environment=place) as table:
        assert "simulated: rendered pictures of the demo evening" in table.printed
        assert str(tmp_path / "tablescore" / "demo.sqlite3") in table.printed
        page = table.ask("/").body
        assert "North" in page
        assert "South" in page
    assert (tmp_path / "tablescore" / "demo.sqlite3").exists()
