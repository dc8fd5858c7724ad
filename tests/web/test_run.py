"""`tablescore run`: how it starts and refuses, and as real processes how it goes on and ends."""

from __future__ import annotations

import re
import resource
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path

import pytest

from scoreboard.storage import open_store
from tests.patience import PATIENCE_SECONDS
from tests.web.process import NEW_GAME, RunningProcess, document, running
from tests.web.shared.test_server import wait_until_gone
from tests.web.starts import printed, refused
from web.cli.run import reserved_database
from web.shared.addresses import network_addresses

BY_HAND = ("--camera", "upload")
EVERYWHERE = "0.0.0.0"  # noqa: S104 -- what the command line takes
needs_network = pytest.mark.skipif(not network_addresses(), reason="this machine is on no network")


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The address of a database that does not exist yet."""
    return f"sqlite:///{tmp_path}/table/games.sqlite3"


def file_of(database: str) -> Path:
    """The database's file."""
    return Path(database.removeprefix("sqlite:///"))


def enter(table: RunningProcess, roll: str) -> dict[str, object]:
    """Enter a roll by hand and confirm it as final; what the table says to that."""
    entered = document(table.ask("/roll", [("roll", roll), ("seen", table.seen())]))
    seen = f"{entered['run']}.{entered['version']}"
    return document(table.ask("/press", [("action", "keep"), ("seen", seen)]))


def test_the_start_tells_what_is_real_and_how_to_get_in(database: str) -> None:
    """Camera, buttons, games, the address, who may act, and how to let a tablet in."""
    told = printed("run", *BY_HAND, "--database", database)
    assert "real: photos that a phone sends on the page" in told
    assert "the button panel on the page stands in" in told
    assert str(file_of(database)) in told
    assert re.search(r"http://127\.0\.0\.1:\d+/", told)
    assert "make run HOST=0.0.0.0" in told


def test_the_key_of_the_tables_own_browser_is_kept(database: str, tmp_path: Path) -> None:
    """In a file that only its owner reads: who opened the link once needs it no more."""
    links = [
        re.findall(r"/here/(\S+)/ ", printed("run", *BY_HAND, "--database", database, home=home))
        for home in (str(tmp_path), str(tmp_path), str(tmp_path / "other"))
    ]
    file = tmp_path / "tablescore" / "here.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert links[0] == links[1] == [file.read_text(encoding="utf-8")] != links[2]


def test_where_no_key_can_be_kept_the_link_counts_for_this_start(
    database: str, tmp_path: Path
) -> None:
    """The table is played with all the same."""
    (tmp_path / "tablescore").mkdir()
    (tmp_path / "tablescore" / "here.key").mkdir()
    told = printed("run", *BY_HAND, "--database", database, home=str(tmp_path))
    assert re.search(r"/here/\S{40,}/ ", told)


def test_what_is_chosen_on_the_page_is_the_tables(tmp_path: Path) -> None:
    """The demo ends; the same program is the table of a phone's photos, on the network or not."""
    with running(environment={"XDG_DATA_HOME": str(tmp_path)}) as table:
        port = table.port
        assert "Tablescore: the demo evening" in table.printed
        for address, form, reach in (
            ("/ways", ("source", "upload"), "everyone on it can watch"),
            ("/ways", ("open", "no"), "closed"),
        ):
            assert "One moment" in table.ask(address, [form]).body
            table.printed = ""
            table.wait_until_listening()
            assert "Tablescore: the table\n" in table.printed
            assert "real: photos that a phone sends on the page" in table.printed
            assert f"  network  {reach}" in table.printed
            assert (table.port, table.ask("/healthz").status) == (port, 200)


@pytest.fixture(scope="module")
def reached(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningProcess]:
    """A table that the network reaches, with a phone's camera."""
    folder = tmp_path_factory.mktemp("reached")
    options = ("--camera", "phone", "--database", f"sqlite:///{folder}/g.db", "--host", EVERYWHERE)
    with running(*options, environment={"XDG_DATA_HOME": str(folder)}) as table:
        yield table


def test_an_address_that_came_after_the_start_is_served(reached: RunningProcess) -> None:
    """127.0.0.5 stands for it: this machine's, and in no list that was made at the start."""
    page = f"http://127.0.0.5:{reached.port}/"
    with urllib.request.urlopen(page, timeout=PATIENCE_SECONDS) as answer:
        assert answer.status == 200


@needs_network
def test_only_who_has_the_key_owns_what_the_network_reaches(reached: RunningProcess) -> None:
    """By its own network address it is a device like any other: it watches, and may ask in."""
    address = network_addresses()[0]
    assert reached.ask("/devices").status == 200
    with closing(HTTPConnection(address, reached.port, timeout=PATIENCE_SECONDS)) as device:
        for path, status in (("/", 200), ("/devices", 403)):
            device.request("GET", path)
            answer = device.getresponse()
            answer.read()
            assert answer.status == status


@contextmanager
def proxy_before(port: int, folder: Path) -> Iterator[int]:
    """A real nginx that passes everything on and tells nothing of who asks; its port."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if nginx is None:
        pytest.skip("To try a real proxy, install the Debian package `nginx-light`.")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        own = free.getsockname()[1]
    server = f"listen 127.0.0.1:{own}; location / {{ proxy_pass http://127.0.0.1:{port}; }}"
    settings = folder / "nginx.conf"
    settings.write_text(
        f"pid {folder}/nginx.pid; error_log {folder}/errors; events {{}}\n"
        f"http {{ access_log off; server {{ {server} }} }}\n"
    )
    command = (nginx, "-c", str(settings))
    subprocess.run(command, check=True)  # it returns once it listens
    try:
        yield own
    finally:
        subprocess.run([*command, "-s", "stop"], check=True)


def test_behind_a_proxy_on_this_machine_a_stranger_is_one(
    reached: RunningProcess, tmp_path: Path
) -> None:
    """Whom it asks for, nobody knows: only the key proves who is at the table's own machine."""
    with proxy_before(reached.port, tmp_path) as port:
        for cookie, status in (("", 403), (reached.cookie, 200)):
            with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)) as asked:
                asked.request("GET", "/devices", headers={"Cookie": cookie})
                assert asked.getresponse().status == status


@needs_network
def test_a_phone_as_the_camera_is_led_to_its_page_over_https(reached: RunningProcess) -> None:
    """Nobody asked for https; the code in the terminal lets the phone in and is the camera's."""
    assert "real: a phone’s camera, live" in reached.printed
    assert "how a device trusts it" in reached.printed
    assert reached.process.stdout is not None
    shown = "".join(islice(reached.process.stdout, 4))
    assert "Make a phone the camera, and let it play" in shown
    page = f"https://{network_addresses()[0]}:{reached.port}/camera"
    assert f"open {page} on it and type" in shown


def test_over_https_everything_is_done_as_over_http(database: str, tmp_path: Path) -> None:
    """The start tells how devices trust the table; a restart keeps the trust and the game."""
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
    options = (*BY_HAND, "--database", database, "--https")
    assert "or start without --https" in refused("run", *options, home=str(tmp_path))


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


def test_systemd_hears_of_a_demo_evening_that_opened_a_game_by_itself(tmp_path: Path) -> None:
    """As the unit starts it: one READY once there is a table, then a ping each second.

    A newcomer sees a table at play, in a database of its own.
    """
    address = str(tmp_path / "notify")
    environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "30000000"}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(address)
        systemd.settimeout(PATIENCE_SECONDS)
        with running(environment=environment | {"XDG_DATA_HOME": str(tmp_path)}) as table:
            heard = [systemd.recv(64) for _ in range(3)]
            page = table.ask("/").body
    assert heard == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
    assert "North" in page
    assert "South" in page
    assert "simulated: rendered pictures of the demo evening" in table.printed
    assert str(tmp_path / "tablescore" / "demo.sqlite3") in table.printed
    assert (tmp_path / "tablescore" / "demo.sqlite3").exists()


def test_a_second_table_on_the_same_games_is_refused(database: str) -> None:
    """Two cameras and two inboxes must not write into one game."""
    with reserved_database(database):
        assert "Another table or hub works with" in refused("run", "--database", database)
    printed("run", *BY_HAND, "--database", database)


def test_a_killed_table_blocks_nothing(database: str) -> None:
    """Neither lock nor port outlives a master that was killed, workers included."""
    with running(*BY_HAND, "--database", database) as table:
        port = str(table.port)
        worker = int(children(table)[0])
        table.process.kill()
        table.process.wait()
        wait_until_gone(worker)
        with running(*BY_HAND, "--database", database, "--port", port) as again:
            assert again.ask("/").status == 200


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """The sentence names the place and what to do; in /proc nobody makes a file, not even root."""
    told = refused("run", *BY_HAND, "--database", "sqlite:////proc/games.sqlite3")
    assert "/proc/games.sqlite3 cannot be written; give the right to its folder" in told
    (tmp_path / "file").touch()
    told = refused("run", *BY_HAND, "--database", f"sqlite:///{tmp_path}/file/table/games.sqlite3")
    assert f"{tmp_path}/file/table cannot be made (Not a directory); name another" in told


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
    assert sentence in refused("run", "--database", database, *options)


def children(table: RunningProcess) -> list[str]:
    """The processes that the table started."""
    master = table.process.pid
    return Path(f"/proc/{master}/task/{master}/children").read_text().split()


def full(table: RunningProcess, limit: int) -> None:
    """Let no file of the table grow beyond the limit, as a full disk would."""
    for pid in children(table):
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
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        told = refused("run", *BY_HAND, "--database", database)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "disk" in told
