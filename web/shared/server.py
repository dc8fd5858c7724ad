"""The processes around the pages: a master that starts workers, a table's has one.

What can be refused is refused before the fork; camera, pins and threads start after it.
"""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import suppress
from threading import Timer
from typing import TYPE_CHECKING, Final, NoReturn, Protocol

import click
from flask import Flask

from web.shared.worker import PageServer, without_address

if TYPE_CHECKING:  # it loads a library for cryptography, which only those need who have one
    from web.shared.certificates import TableCertificate

SPARE_THREADS: Final = 16
GRACE_SECONDS: Final = 1
LOOK_SECONDS: Final = 0.02
ANSWERED_SECONDS: Final = 2.0
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
ARENA_MAX: Final = -8  # M_ARENA_MAX, likewise
FEW_ARENAS: Final = 2
MOST_FILES_ON_MACOS: Final = 10_240  # OPEN_MAX: "unlimited" is refused there
# A process's exit status: the program shall start again, and what was to be served cannot be
STARTS_AGAIN: Final = 3
NOT_STARTED: Final = 4
ENDS: Final = frozenset(
    getattr(signal, each) for each in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, each)
)
LARGE_BYTES: Final = 4 * 1024 * 1024  # more than a camera's frame takes, less than a photo


LOG: Final = logging.getLogger(__name__)


class ServerError(OSError):
    """The page cannot be served; the text is one sentence with a cure."""


class Served(Protocol):
    """What the worker process runs: a page and all that moves behind it."""

    @property
    def app(self) -> Flask: ...

    @property
    def alive(self) -> bool:
        """Whether what must never stand still goes on; False has systemd start it again."""

    def close(self) -> None: ...


class ServiceManager:
    """The reports to systemd on the service (sd_notify(3)); nothing where none asked for it.

    The address is taken out of the environment: programs that the table starts have nothing to say.
    """

    def __init__(self, environment: MutableMapping[str, str]) -> None:
        self._named = environment.pop("NOTIFY_SOCKET", "")

    @property
    def is_asked(self) -> bool:
        """Whether systemd started the program, and starts it again when it ends."""
        return bool(self._named)

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
    """Take the address for the page, for port 0 any free one. Raises ServerError with the cure."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:  # the latter of a name that is no host's at all
        raise ServerError(NO_SUCH_HOST.format(host=host)) from error
    if sys.platform == "win32":  # where the other option lets a second program take the port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:  # a table that was stopped a moment ago leaves connections that would block its port
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
    start: Callable[[PageProcess], Served],
    viewer_limit: int,
    *,
    workers: int = 1,
    called: str = "table",
    certificate: TableCertificate | None = None,
) -> tuple[str, ...]:
    """Serve until SIGINT, SIGTERM or SIGHUP; `start` is called in each process that serves.

    Gives the options with which the program shall `begin_anew`, if any. Raises ServerError if
    `start` raised an OSError or a ValueError, whose sentence this is, or the worker died again and
    again.

    Only a hub may have several workers: each has threads for `viewer_limit` viewers. `called` is
    what faults call it. With a `certificate` browsers may speak https as well as http, by the
    same port. This process serves itself where systemd would start it again, and on Windows, which
    forks none.
    """
    manager = ServiceManager(os.environ)
    process = PageProcess(listening, start, viewer_limit + SPARE_THREADS, certificate, manager)
    if sys.platform == "win32" or (manager.is_asked and workers == 1):
        _give_back_large_pictures()
        anew = process.run()
    else:
        anew = _Master(process, workers, called).run()
    if anew:
        manager.hand_over(os.environ)
    return anew


def begin_anew(*more: str) -> NoReturn:
    """Start the program again in the place of this one, with `more` after its arguments."""
    command = [sys.executable, *sys.orig_argv[1:], *more]
    if sys.platform == "win32":  # there a shell does not wait for what follows by execv
        sys.exit(subprocess.call(command))  # noqa: S603 -- ourselves
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.execv(sys.executable, command)  # noqa: S606 -- ourselves


class PageProcess:
    """What serves, in a process of its own where the system can fork one."""

    def __init__(
        self,
        listening: socket.socket,
        start: Callable[[PageProcess], Served],
        threads: int,
        certificate: TableCertificate | None,
        manager: ServiceManager,
    ) -> None:
        self.is_first = True  # of several workers
        self._start = start
        self._manager = manager
        self._listening = listening
        self._threads = threads
        self._context = None if certificate is None else lambda: certificate.context
        self._served: Served | None = None
        self._server: PageServer | None = None
        self._anew: tuple[str, ...] = ()

    def start_again(self, *options: str) -> None:
        """Start anew with these after the program's own options, once its last page has loaded."""

        def end() -> None:
            self._anew = options
            self._end()

        Timer(ANSWERED_SECONDS, end).start()

    def run(self) -> tuple[str, ...]:
        """Serve until a signal; how the program shall start again, if so. Raises ServerError."""
        server = self._server = PageServer(
            self._listening, self._threads, self._sweep, self._context
        )
        for number in ENDS - _ignored():
            signal.signal(number, self._end)
        try:
            served = self._served = self._start(self)
        except (OSError, ValueError) as error:
            raise ServerError(str(error)) from error
        waitress = logging.getLogger("waitress")  # its faults stand where all other lines do
        waitress.setLevel(logging.ERROR)
        waitress.addFilter(without_address)
        self._manager.tell("READY=1")
        server.run(served.app)
        served.close()
        server.finish()
        return self._anew

    def _end(self, *_signal: object) -> None:
        if self._server is not None:
            self._server.stop()

    def _sweep(self) -> None:
        """Tell systemd's watchdog that the loop turns and what is served lives."""
        if self._served is not None and self._served.alive:
            self._manager.tell("WATCHDOG=1")


class _Master:
    """Starts the workers, and again those that died; ends all at a signal, or if one asks."""

    def __init__(self, process: PageProcess, workers: int, called: str) -> None:
        self._process = process
        self._count = workers
        self._called = called
        self._starts: deque[float] = deque(maxlen=MOST_STARTS - 1 + workers)
        self._running: dict[int, int] = {}  # the worker's place by its process
        self._last_words, self._parting = os.pipe()  # a worker's fault, or how to start again

    def run(self) -> tuple[str, ...]:
        """Serve until a signal; how the program shall start again, if so. Raises ServerError."""
        ends = ENDS - _ignored()
        signal.signal(signal.SIGCHLD, lambda *_: None)  # one that is ignored may not be waited for
        signal.pthread_sigmask(signal.SIG_BLOCK, {*ends, signal.SIGCHLD})
        try:
            for place in range(self._count):
                self._fork(place)
            while signal.sigwait({*ends, signal.SIGCHLD}) == signal.SIGCHLD:
                for pid, status in self._ended():
                    place = self._running.pop(pid)
                    if status == STARTS_AGAIN:
                        return tuple(self._read_words().split("\0"))
                    if status == NOT_STARTED:
                        raise ServerError(
                            self._read_words() or DIED_TOO_OFTEN.format(called=self._called)
                        )
                    self._fork(place)
        finally:
            self._end_all()
        return ()

    def _fork(self, place: int) -> None:
        now = time.monotonic()
        is_full = len(self._starts) == self._starts.maxlen
        if is_full and now - self._starts[0] < STARTS_WINDOW_SECONDS:
            raise ServerError(DIED_TOO_OFTEN.format(called=self._called))
        if len(self._starts) >= self._count:
            click.echo(DIED.format(called=self._called), err=True)
        self._starts.append(now)
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if not pid:
            self._work(place)
        self._running[pid] = place

    def _work(self, place: int) -> NoReturn:
        """Be the worker; never returns.

        It ends as a forked child should: the master's clean-up is not its own, and taking apart the
        libraries of the reader takes longer than the whole end may.
        """
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        _die_with_parent()
        _give_back_large_pictures()
        status = NOT_STARTED
        try:
            self._process.is_first = place == 0
            anew = self._process.run()
            os.write(self._parting, "\0".join(anew).encode())
            status = STARTS_AGAIN if anew else 0
        except ServerError as error:
            os.write(self._parting, str(error).encode())
        except Exception:
            LOG.exception("The %s cannot be served", self._called)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)

    def _ended(self) -> Iterator[tuple[int, int]]:
        """Each worker that ended meanwhile, and how."""
        for pid in [*self._running]:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                yield pid, os.waitstatus_to_exitcode(status)

    def _end_all(self) -> None:
        """Have all workers answer what is under way, and end those that don't come to an end."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            for pid in self._running:
                os.kill(pid, number)
            deadline = time.monotonic() + GRACE_SECONDS
            while self._running and time.monotonic() < deadline:
                for pid, _ in self._ended():
                    del self._running[pid]
                time.sleep(LOOK_SECONDS)

    def _read_words(self) -> str:
        os.close(self._parting)
        with os.fdopen(self._last_words, "rb") as reader:
            return reader.read().decode()


def allow_many_files() -> None:
    """Raise this process's limit of open files, often 1,024: each viewer and table needs one."""
    if sys.platform == "win32":  # it has no such limit
        return
    import resource  # noqa: PLC0415 -- not to be had on Windows

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(most, MOST_FILES_ON_MACOS) if sys.platform == "darwin" else most
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _ignored() -> frozenset[signal.Signals]:
    """A closed terminal, where `nohup` has the program outlive it."""
    return frozenset(
        each for each in ENDS if each.name == "SIGHUP" and signal.getsignal(each) is signal.SIG_IGN
    )


def _die_with_parent() -> None:
    """Be killed with the parent, whose port and lock this process shares, and a new one needs."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _give_back_large_pictures() -> None:
    """Have the memory of a photo given back to the system once it is free.

    By default glibc keeps up to 32 MB blocks in the heap of each thread that ever decoded one:
    540 MB after sixteen photos. Other C libraries have no such call and no such heaps.
    """
    mallopt = None if sys.platform == "win32" else getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(MMAP_THRESHOLD, LARGE_BYTES)
        mallopt(ARENA_MAX, FEW_ARENAS)
