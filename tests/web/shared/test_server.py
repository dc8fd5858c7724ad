"""The server: addresses it takes, and how its processes start, end and are killed."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.patience import PATIENCE_SECONDS
from web.shared.server import ServerError, ServiceManager, listen
from web.shared.worker import SWEEP_SECONDS, without_address

ROOT = Path(__file__).parents[3]


@contextmanager
def toy(
    how: str,
    *starter: str,
    host: str = "127.0.0.1",
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[subprocess.Popen[str]]:
    """A toy table in a process group of its own, killed at the end whatever became of it.

    `starter` is a command that starts it in its place. With a `folder` it has a certificate there.
    """
    certified = [] if folder is None else [str(folder)]
    process = subprocess.Popen(
        [*starter, sys.executable, "-m", "tests.web.toy_table", how, host, *certified],
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def port_of(process: subprocess.Popen[str]) -> int:
    """The port that the toy told, once it serves there."""
    assert process.stdout is not None
    port = int(process.stdout.readline())
    assert process.stdout.readline() == "started\n"
    return port


def get(port: int, path: str = "/") -> str:
    """What the page answers."""
    with urllib.request.urlopen(
        f"http://127.0.0.1:{port}{path}", timeout=PATIENCE_SECONDS
    ) as answer:
        return str(answer.read().decode())


def watch(port: int) -> socket.socket:
    """A viewer of the stream who has got the first words."""
    viewer = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
    viewer.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert b"200 OK" in viewer.recv(4096)
    return viewer


@pytest.mark.parametrize(
    ("number", "viewers"), [(signal.SIGINT, 0), (signal.SIGTERM, 3), (signal.SIGHUP, 0)]
)
def test_a_signal_ends_it_cleanly(number: signal.Signals, viewers: int) -> None:
    """Ctrl-C, kill and a closed terminal end both processes, browsers watching or not."""
    ignored = signal.signal(number, signal.SIG_DFL)  # SIGHUP under nohup: a child would inherit it
    with toy("serve") as process:
        signal.signal(number, ignored)
        port = port_of(process)
        watching = [watch(port) for _ in range(viewers)]
        process.send_signal(number)
        output, errors = process.communicate(timeout=PATIENCE_SECONDS)
        for viewer in watching:
            viewer.close()
    assert (process.returncode, output, errors) == (0, "closed\n", "")


def test_a_table_under_nohup_outlives_its_terminal() -> None:
    """A shell that ends hangs up its whole group, which `nohup` has it ignore."""
    with toy("serve", "nohup") as process:
        port = port_of(process)
        worker = get(port)
        os.killpg(process.pid, signal.SIGHUP)
        assert get(port) == worker
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert "started again" not in errors
    assert process.returncode == 0


def test_ctrl_c_in_a_terminal_reaches_both_processes_and_is_no_fault() -> None:
    """A terminal sends the signal to the whole group, not to the master alone."""
    with toy("serve") as process, closing(watch(port_of(process))):
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, output, errors) == (0, "closed\n", "")


def test_what_is_under_way_is_answered_at_the_end() -> None:
    """A press that was sent just before Ctrl-C is not left without an answer."""
    with toy("serve") as process, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(get, port_of(process), "/slow")
        assert process.stdout is not None
        assert process.stdout.readline() == "asked\n"
        process.send_signal(signal.SIGINT)
        assert answer.result(PATIENCE_SECONDS) == "answered"


def test_a_start_that_fails_ends_in_its_sentence() -> None:
    """The worker's fault is told once, by the master, without a traceback."""
    with toy("fail") as process:
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, errors) == (1, "The toy is broken; buy another.\n")


def test_a_worker_that_dies_is_started_again() -> None:
    """The table comes back by itself, and says so."""
    with toy("serve") as process:
        port = port_of(process)
        first = get(port)
        os.kill(int(first), signal.SIGKILL)
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        assert get(port) != first
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert errors == "The table's process ended unexpectedly; it is started again.\n"


def test_a_worker_that_always_dies_is_given_up() -> None:
    """A fault that comes back each time must not fill the terminal for ever."""
    with toy("die") as process:
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    *again, last = errors.splitlines()
    assert (process.returncode, len(again)) == (1, 4)
    assert last.startswith("The table's process died again and again")


def test_a_killed_master_takes_its_worker_along() -> None:
    """Port, lock and camera are free at once: the next start need not wait."""
    with toy("serve") as process:
        port = port_of(process)
        worker = int(get(port))
        process.kill()
        process.wait()
        wait_until_gone(worker)
        with closing(listen("127.0.0.1", port)):
            pass


def wait_until_gone(pid: int) -> None:
    """Wait for a process that is no child of ours."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        if is_over(pid):
            return
        time.sleep(0.01)
    pytest.fail("the worker outlived its master")


def is_over(pid: int) -> bool:
    """Whether nobody waited for a process that ended, and none of its threads still ends.

    The first thread may be over while another still holds the process's sockets.
    """
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state == "Z" and len(list(Path(f"/proc/{pid}/task").iterdir())) == 1
    except (FileNotFoundError, ProcessLookupError):
        return True


@contextmanager
def service_manager(address: str) -> Iterator[socket.socket]:
    """The end of systemd that hears what a service says of itself."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(address)
        listening.settimeout(PATIENCE_SECONDS)
        yield listening


def test_the_watchdog_hears_of_the_table_until_it_hangs(tmp_path: Path) -> None:
    """Ready comes from the process that serves, pings come while what it serves lives."""
    name = f"{tmp_path}/notify"
    with (
        service_manager(name) as systemd,
        toy("serve", environment={"NOTIFY_SOCKET": name}) as process,
    ):
        port = port_of(process)
        assert [systemd.recv(64) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
        assert get(port, "/hang") == "hanging"
        systemd.settimeout(2.5 * SWEEP_SECONDS)
        with pytest.raises(TimeoutError):  # some may have been on their way
            assert [systemd.recv(64) for _ in range(60)] == []
        assert get(port) != ""  # the page itself still answers


def test_systemd_may_listen_without_a_file(tmp_path: Path) -> None:
    """At an abstract address, which the environment writes with an @."""
    with service_manager(f"\0{tmp_path}/notify") as systemd:
        ServiceManager({"NOTIFY_SOCKET": f"@{tmp_path}/notify"}).tell("READY=1")
        assert systemd.recv(64) == b"READY=1"


def test_a_table_without_systemd_says_nothing() -> None:
    """What it sends has nowhere to go; a socket that is gone is no reason to end."""
    ServiceManager({}).tell("READY=1")
    environment = {"NOTIFY_SOCKET": "/nowhere/notify", "PATH": "/bin"}
    ServiceManager(environment).tell("READY=1")
    assert environment == {"PATH": "/bin"}  # no child speaks for it


def test_a_viewer_that_left_without_a_word_is_let_go() -> None:
    """Its connection ends after ten seconds of silence."""
    with (
        closing(listen("127.0.0.1", 0)) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as connection,
    ):
        option = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
        assert option == 10_000


def test_a_fault_is_logged_without_the_address() -> None:
    """It may hold a player's key; that a browser has gone is no fault."""

    def logged(text: str) -> str:
        record = logging.LogRecord("waitress", logging.ERROR, __file__, 1, text, None, None)
        return record.getMessage() if without_address(record) else ""

    assert logged("Exception while serving /p/open/1/the-key") == "Error handling request"
    assert logged("Socket error") == ""


def test_a_busy_port_is_reported_with_a_cure() -> None:
    """The sentence names the port, and another one to take."""
    with closing(listen("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServerError, match=f"Port {port} is taken .* --port"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["192.0.2.7", "no such host", "a" * 300])
def test_a_foreign_address_is_reported_with_a_cure(host: str) -> None:
    """An address of another machine cannot be served."""
    with pytest.raises(ServerError, match=f"“{host}” is no address of this machine; choose"):
        listen(host, 0)


@pytest.mark.skipif(os.getuid() == 0, reason="root may open every port")
def test_a_port_that_is_not_ours_is_reported_with_a_cure() -> None:
    """Ports below 1024 belong to the system."""
    with pytest.raises(ServerError, match="Port 80 is not yours to open; choose one above 1023"):
        listen("127.0.0.1", 80)
