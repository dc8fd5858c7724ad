"""The web server around the pages: gunicorn with many threads, a table's in one process.

What can be refused is refused before the fork; camera, pins and threads start after it.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import logging
import os
import resource
import signal
import socket
import ssl
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from threading import Timer
from types import FrameType
from typing import IO, TYPE_CHECKING, Any, Final, Protocol

import click
from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.config import Config
from gunicorn.errors import HaltServer
from gunicorn.workers.gthread import ThreadWorker

from web.shared.worker import WholeRequestWorker

if TYPE_CHECKING:  # it loads a library for cryptography, which only those need who have one
    from web.shared.certificates import TableCertificate

SPARE_THREADS: Final = 16
GRACE_SECONDS: Final = 1
ANSWERED_SECONDS: Final = 2.0
# A table asks its hub twice a minute at least: so it stays with one process, which knows its game.
KEEP_ALIVE_SECONDS: Final = 75
FEWEST_CONNECTIONS: Final = 1000
GONE_MILLISECONDS: Final = 10_000
MOST_STARTS: Final = 5
STARTS_WINDOW_SECONDS: Final = 60.0
DIED_TOO_OFTEN: Final = "The {called}'s process died again and again; the lines above say why."
DIED: Final = "The {called}'s process ended unexpectedly; it is started again."
NO_SUCH_HOST: Final = (
    "“{host}” is no address of this machine; choose 127.0.0.1, or 0.0.0.0 for every network."
)
SET_PARENT_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG, see prctl(2)
MMAP_THRESHOLD: Final = -3  # M_MMAP_THRESHOLD, see mallopt(3)
MOST_FILES_ON_MACOS: Final = 10_240  # OPEN_MAX: "unlimited" is refused there
LARGE_BYTES: Final = 4 * 1024 * 1024  # more than a camera's frame takes, less than a photo


class ServerError(OSError):
    """The page cannot be served; the text is one sentence with a cure."""


class Served(Protocol):
    """What the worker process runs: a page and all that moves behind it."""

    @property
    def app(self) -> Flask:
        """The page."""
        ...

    @property
    def alive(self) -> bool:
        """Whether what must never stand still goes on; False has systemd start it again."""
        ...

    def close(self) -> None:
        """Let the watching browsers go and stop everything that moves."""
        ...


class ServiceManager:
    """What systemd is told of the service (sd_notify(3)); nothing where none asked for it.

    The address is taken out of the environment: gunicorn's master would say that it is ready
    before there is a table, and programs that the table starts have nothing to say.
    """

    def __init__(self, environment: MutableMapping[str, str]) -> None:
        self._named = environment.pop("NOTIFY_SOCKET", "")

    def hand_over(self, environment: MutableMapping[str, str]) -> None:
        """Let the program that follows in this process tell it instead, after a while."""
        self.tell("WATCHDOG=1")
        if self._named:
            environment["NOTIFY_SOCKET"] = self._named

    def tell(self, state: str) -> None:
        """Send one state, as `READY=1`; never waits."""
        if not self._named:
            return
        address = f"\0{self._named[1:]}" if self._named.startswith("@") else self._named
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as telling, suppress(OSError):
            telling.settimeout(0)
            telling.sendto(state.encode(), address)  # busy, or restarting: the next one comes soon


def listen(host: str, port: int) -> socket.socket:
    """Take the address for the page; port 0 takes any free one.

    Raises:
        ServerError: the port is taken or not allowed, or the host is not this machine's.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:  # the latter of a name that is no host's at all
        raise ServerError(NO_SUCH_HOST.format(host=host)) from error
    # A table that was stopped a moment ago leaves connections behind that would block its port.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # A tablet that left the room closes nothing; without this the system would keep its
    # connection, a thread and a viewer's place for a quarter of an hour. Connections inherit it.
    if sys.platform == "linux":
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MILLISECONDS)
    try:
        listening.bind(address)
        listening.listen()
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            fault = (
                f"Port {port} is taken by another program; stop that one, or choose another port "
                f"with --port {port % 65535 + 1}."
            )
        elif error.errno in {errno.EACCES, errno.EPERM}:
            fault = f"Port {port} is not yours to open; choose one above 1023."
        else:
            fault = NO_SUCH_HOST.format(host=host)
        raise ServerError(fault) from error
    return listening


def serve(  # noqa: PLR0913 -- what differs between a table and a hub, by name
    listening: socket.socket,
    start: Callable[[], Served],
    viewer_limit: int,
    *,
    workers: int = 1,
    called: str = "table",
    certificate: TableCertificate | None = None,
    again: Sequence[str] = (),
) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP; `start` is called in each worker process.

    After `start_again` the program starts anew, with `again` after its arguments.

    Only a hub may have several workers: each has threads for `viewer_limit` viewers. `called` is
    what faults call it. With a `certificate` browsers may speak https as well as http, by the
    same port.

    Raises:
        ServerError: `start` raised an OSError or a ValueError, whose sentence this is, or
            the worker died again and again.
    """
    server = _Server(
        listening, start, viewer_limit, workers=workers, called=called, certificate=certificate
    )
    master = os.getpid()
    try:
        server.run()
    except SystemExit as end:
        if os.getpid() == master and end.code:
            raise ServerError(server.fault() or DIED_TOO_OFTEN.format(called=called)) from end
        if os.getpid() == master and server.starts_again:
            server.manager.hand_over(os.environ)
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:], *again])  # noqa: S606 -- ourselves
        raise


def start_again() -> None:
    """End the program in two seconds and start it anew; for the worker process.

    By then the page that says so has loaded its styles and scripts.
    """
    Timer(ANSWERED_SECONDS, os.kill, (os.getppid(), signal.SIGUSR2)).start()


@contextmanager
def _hang_up_as_found() -> Iterator[None]:
    """Keep SIGHUP ignored where `nohup` had it ignored: gunicorn would handle it."""
    ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    yield
    if ignored:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)


class _TableWorker(WholeRequestWorker):
    """A thread worker that ends in one way, whatever the signal.

    Gunicorn's quick way leaves in the middle of whatever the signal interrupted; its slow way
    waits for viewers who never go. Here the viewers are let go, what is under way is
    answered, and the process ends.
    """

    def run(self) -> None:
        self.app.manager.tell("READY=1")
        super().run()
        self.app.close()
        self.tpool.shutdown(wait=True)
        sys.stdout.flush()
        sys.stderr.flush()
        # as a forked child should: the master's clean-up is not ours, and taking apart the
        # libraries of the reader takes longer than the whole end may
        os._exit(0)

    def sweep(self) -> None:
        """Tell systemd's watchdog that the loop turns and what is served lives."""
        super().sweep()
        if self.app.alive:
            self.app.manager.tell("WATCHDOG=1")

    def init_signals(self) -> None:
        with _hang_up_as_found():
            super().init_signals()

    def handle_quit(self, number: int, frame: FrameType | None) -> None:
        self.handle_exit(number, frame)


class _TableArbiter(Arbiter):  # type: ignore[misc]  # gunicorn has no types
    """One worker and no other: two of them would fight for one camera."""

    def init_signals(self) -> None:
        with _hang_up_as_found():
            super().init_signals()

    def handle_hup(self) -> None:
        """A closed terminal ends the table; gunicorn would start a second worker."""
        self.handle_term()

    def handle_ttin(self) -> None:
        """One worker is enough."""

    def handle_ttou(self) -> None:
        """One worker is needed."""

    def handle_usr2(self) -> None:
        """End, and start again; gunicorn's second master would need the port and the camera too."""
        self.app.starts_again = True
        self.handle_term()


class _Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's view of the table: its settings, and what to start in the worker."""

    def __init__(  # noqa: PLR0913 -- as for `serve`
        self,
        listening: socket.socket,
        start: Callable[[], Served],
        viewer_limit: int,
        *,
        workers: int,
        called: str,
        certificate: TableCertificate | None,
    ) -> None:
        self._certificate = certificate
        self._listening = listening
        self._start = start
        self._threads = viewer_limit + SPARE_THREADS
        self._workers = workers
        self._called = called
        self._served: Served | None = None
        self.starts_again = False
        self.manager = ServiceManager(os.environ)
        self._starts: deque[float] = deque(maxlen=MOST_STARTS - 1 + workers)
        self._fault_reader, self._fault_writer = os.pipe()
        super().__init__()

    def load_config(self) -> None:
        config: dict[str, Any] = {
            "bind": f"fd://{self._listening.detach()}",  # from here on gunicorn's to close
            "workers": self._workers,
            "worker_class": _TableWorker,
            "threads": self._threads,
            "worker_connections": max(FEWEST_CONNECTIONS, 2 * self._threads),
            "graceful_timeout": GRACE_SECONDS,
            "keepalive": KEEP_ALIVE_SECONDS,
            "control_socket_disable": True,  # nobody but this process steers it
            "forwarded_allow_ips": "",  # no proxy stands before it whose word would count
            "loglevel": "critical",  # the master's faults end in one sentence
            "pre_fork": self._before_fork,
            "post_fork": self._after_fork,
        }
        if (certificate := self._certificate) is not None:

            def tls(_config: Config, _default: Callable[[], ssl.SSLContext]) -> ssl.SSLContext:
                return certificate.context  # of the next connection: it is renewed meanwhile

            config |= {"certfile": str(certificate.file), "ssl_context": tls}
        for name, value in config.items():
            self.cfg.set(name, value)

    def run(self) -> None:
        _TableArbiter(self).run()

    def load(self) -> Flask:
        """Start the table; in the worker process, after the fork."""
        try:
            self._served = self._start()
        except (OSError, ValueError) as error:
            os.write(self._fault_writer, str(error).encode())
            raise SystemExit(_TableArbiter.APP_LOAD_ERROR) from error
        return self._served.app

    @property
    def alive(self) -> bool:
        """Whether the table lives; in the worker process."""
        return self._served is not None and self._served.alive

    def close(self) -> None:
        """Stop the table; in the worker process."""
        if self._served is not None:
            self._served.close()

    def fault(self) -> str:
        """Why the worker could not start, "" when it gave no reason."""
        os.close(self._fault_writer)
        with os.fdopen(self._fault_reader, "rb") as reader:
            return reader.read().decode()

    def _before_fork(self, _arbiter: Arbiter, _worker: ThreadWorker) -> None:
        now = time.monotonic()
        if (
            len(self._starts) == self._starts.maxlen
            and now - self._starts[0] < STARTS_WINDOW_SECONDS
        ):
            fault = DIED_TOO_OFTEN.format(called=self._called)
            raise HaltServer(fault, _TableArbiter.WORKER_BOOT_ERROR)
        if len(self._starts) >= self._workers:
            click.echo(DIED.format(called=self._called), err=True)
        self._starts.append(now)

    def _after_fork(self, _arbiter: Arbiter, worker: ThreadWorker) -> None:
        worker.log.error_log.setLevel(logging.ERROR)
        worker.log.error_log.addFilter(is_fault)
        worker.log.error_log.addFilter(without_address)
        if logging.getLogger().handlers:  # so that faults stand where all other lines do
            worker.log.error_log.handlers.clear()
            worker.log.error_log.propagate = True
        worker.cfg.set("graceful_timeout", 0)  # the master waits; the worker goes at once
        # Killed with its parent, whose port and lock it shares: otherwise a table whose master was
        # killed could not be started again for a second.
        if sys.platform == "linux":
            ctypes.CDLL(None, use_errno=True).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        _give_back_large_pictures()


def allow_many_files() -> None:
    """Raise this process's limit of open files as far as it may: each viewer and table needs one.

    Many systems begin with 1,024, which an event of 250 tables and their players exceeds.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(most, MOST_FILES_ON_MACOS) if sys.platform == "darwin" else most
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def takes(turn: IO[bytes]) -> bool:
    """Whether this process is the one that has the file's lock, which ends with the process."""
    try:
        fcntl.lockf(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def is_fault(record: logging.LogRecord) -> bool:
    """Whether a record of gunicorn's log is a fault: a viewer that went away is none."""
    return not (record.exc_info and isinstance(record.exc_info[1], TimeoutError))


def without_address(record: logging.LogRecord) -> bool:
    """Take the address out of a record of gunicorn's: it may hold a player's key."""
    if isinstance(record.msg, str) and record.msg.startswith("Error handling request %s"):
        record.msg, record.args = "Error handling request", ()
    return True


def _give_back_large_pictures() -> None:
    """Have the memory of a photo given back to the system once it is free.

    By default glibc keeps up to 32 MB blocks in the heap of each thread that ever decoded one:
    540 MB after sixteen photos. Other C libraries have no such call and no such heaps.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(MMAP_THRESHOLD, LARGE_BYTES)
